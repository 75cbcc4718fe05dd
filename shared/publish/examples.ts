// Answers of the service to the example requests, as it gave them from its bundled sample: `npm run examples` asks anew,
// and a test holds them against the service.
import type { UseCaseName } from '../contract/use-cases.ts';
import recorded from './examples.json' with { type: 'json' };

export interface Example {
  readonly json: Readonly<Record<string, unknown>>;
  /** Of reads that have it. */
  readonly markdown?: string;
}

const examples: Readonly<Record<UseCaseName, Example>> = recorded;

const names = Object.keys(recorded) as UseCaseName[]; // what `npm run examples` wrote, checked against the type above

export const exampleRows: readonly (readonly [UseCaseName, Example])[] = names.map((name) => [name, examples[name]]);

export const exampleOf = (name: UseCaseName): Example => examples[name];
