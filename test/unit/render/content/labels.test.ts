// Tests the labels at their edges: facts that are unknown leave no trace.
import { expect, test } from 'vitest';
import type { Poll } from '../../../../shared/model/post.ts';
import { choiceResult, pollState } from '../../../../shared/render/content/labels.ts';

const ENDS = '2027-08-21T10:00:00Z';

test.each<readonly [Omit<Poll, 'choices'>, string]>([
  [{ total_votes: null }, ''],
  [{ total_votes: null, closed: true }, ' (closed)'],
  [{ total_votes: null, closed: false }, ' (open until later)'],
  [{ total_votes: 0 }, ' (0 votes)'],
  [{ total_votes: 1, closed: false, ends_at: ENDS }, ' (1 vote, open until 2027-08-21 10:00 UTC)'],
  [{ total_votes: 1611, closed: true, ends_at: ENDS }, ' (1,611 votes, closed)'],
])('pollState(%j) is %j', (poll, state) => {
  expect(pollState({ choices: [], ...poll })).toBe(state);
});

test.each([
  [{ votes: null, percentage: null }, ''],
  [{ votes: 0, percentage: null }, ': (0)'],
  [{ votes: null, percentage: 74.549 }, ': 74.5 %'],
  [{ votes: 1201, percentage: 74.55 }, ': 74.6 % (1,201)'],
])('choiceResult(%j) is %j', (choice, result) => {
  expect(choiceResult({ label: 'Yes', ...choice })).toBe(result);
});
