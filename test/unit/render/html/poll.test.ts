// Tests the bars of a poll at the edges of a share.
import { expect, test } from 'vitest';
import { pollHtml } from '../../../../shared/render/html/poll.ts';

const itemsOf = (...percentages: readonly (number | null)[]): readonly string[] => {
  const choices = percentages.map((percentage) => ({ label: 'A', votes: null, percentage }));
  return pollHtml({ choices, total_votes: null }).match(/<li.*?<\/li>/g) ?? [];
};

const widthsOf = (...percentages: readonly (number | null)[]): readonly (string | undefined)[] =>
  itemsOf(...percentages).map((item) => /<rect width="([^"]*)"/.exec(item)?.[1]);

test('a bar is as wide as the share, within the whole', () => {
  expect(widthsOf(0, 33.3, 100, 101, -1)).toEqual(['0%', '33.3%', '100%', '100%', '0%']);
});

test('a share that is unknown or no number has no bar', () => {
  expect(widthsOf(null, Number.NaN, Number.POSITIVE_INFINITY)).toEqual([undefined, undefined, undefined]);
});

test('the choices with the largest share lead, unless it is zero', () => {
  const leads = (...percentages: readonly (number | null)[]): readonly boolean[] =>
    itemsOf(...percentages).map((item) => item.startsWith('<li class="most">'));
  expect(leads(20, 40, 40, null)).toEqual([false, true, true, false]);
  expect(leads(0, 0)).toEqual([false, false]);
  expect(leads(null, null)).toEqual([false, false]);
});

test('a poll without choices is not shown', () => {
  expect(pollHtml({ choices: [], total_votes: 1 })).toBe('');
});
