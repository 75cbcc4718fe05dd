// Loads the recorded answers to the example requests, from the bundled sample data. `npm run update -- examples` records them,
// and a test compares them with the service.
import type { UseCaseName } from '../contract/use-cases.ts';
import { keysOf } from '../model/json.ts';
import recorded from './examples.json' with { type: 'json' };

export interface Example {
  readonly json: Readonly<Record<string, unknown>>;
  /** Absent if the use case has no Markdown form. */
  readonly markdown?: string;
}

const examples: Readonly<Partial<Record<UseCaseName, Example>>> = recorded;

export const exampleRows: readonly (readonly [UseCaseName, Example])[] = keysOf(recorded).map((name) => [
  name,
  recorded[name],
]);

/** @throws Error if the use case has no example */
export const exampleOf = (name: UseCaseName): Example => {
  const example = examples[name];
  if (example === undefined) throw new Error(`${name} has no example`);
  return example;
};
