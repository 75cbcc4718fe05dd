// Answers of the service to the example requests, as it gave them from its bundled sample: `npm run examples` asks anew,
// and a test holds them against the service.
import type { ReadName } from '../contract/operations.ts';
import recorded from './examples.json' with { type: 'json' };

export interface Example {
  readonly json: Readonly<Record<string, unknown>>;
  /** Of reads that have it. */
  readonly markdown?: string;
}

const examples: Readonly<Record<ReadName, Example>> = recorded;

const names = Object.keys(recorded) as ReadName[]; // what `npm run examples` wrote, checked against the type above

export const exampleRows: readonly (readonly [ReadName, Example])[] = names.map((name) => [name, examples[name]]);

export const exampleOf = (name: ReadName): Example => examples[name];
