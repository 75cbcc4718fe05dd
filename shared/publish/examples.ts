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

const examples: Readonly<Record<UseCaseName, Example>> = recorded;

export const exampleRows: readonly (readonly [UseCaseName, Example])[] = keysOf(recorded).map((name) => [
  name,
  examples[name],
]);

export const exampleOf = (name: UseCaseName): Example => examples[name];
