// Loads the recorded answers that the pages show in full: problem documents, and one post in every format.
// `npm run update -- examples` records them from the bundled sample data, and a test compares them with the service.
import recorded from './answers.json' with { type: 'json' };
import type { ComparedFormat, ComparedPost, problemRequests } from './example-requests.ts';

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

export const answers: Answers = recorded;
