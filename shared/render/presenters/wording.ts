// Defines how the page of a problem is worded.
import type { ErrorPage } from '../html/error-page.ts';
import type { FindWay } from './error-ways.ts';

/** At most three of the ways are shown. */
export interface Wording extends Pick<ErrorPage, 'state' | 'title' | 'heading' | 'text'> {
  readonly ways: readonly FindWay[];
}

export const say = (
  state: ErrorPage['state'],
  sentence: string,
  text: string,
  ...ways: readonly FindWay[]
): (() => Wording) => {
  const wording = { state, heading: [sentence], text, ways };
  return () => wording;
};
