// Loads the recorded answers that the documents show: one to the example request of each use case, problem documents, and one
// post in every format. `npm run update -- examples` records them from the bundled sample data, and a test compares them.
import type { UseCaseName } from '../contract/use-cases.ts';
import { keysOf } from '../model/json.ts';
import recordedAnswers from './answers.json' with { type: 'json' };
import type { ComparedFormat, ComparedPost, problemRequests } from './example-requests.ts';
import recorded from './examples.json' with { type: 'json' };

/** The waiting time in recorded answers; a real answer has the seconds until the next window. */
export const RECORDED_WAIT = 24;

export type RecordedProblem = keyof typeof problemRequests | 'rate_limited';

export interface FormatAnswer {
  readonly contentType: string;
  readonly body: string;
}

export interface Answers {
  readonly problems: Readonly<Record<RecordedProblem, object>>;
  /** The first compared post. */
  readonly formats: Readonly<Record<ComparedFormat, FormatAnswer>>;
  /** In bytes of UTF-8, with the base URL https://postern.example. */
  readonly sizes: Readonly<Record<ComparedPost, Readonly<Record<ComparedFormat, number>>>>;
}

export const answers: Answers = recordedAnswers;

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
