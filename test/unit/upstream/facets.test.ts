// Replacements in a text by their positions.
import { expect, test } from 'vitest';
import { replaceRanges } from '../../../shared/upstream/facets.ts';

test('replacements are written out in the order of the text, whatever order they come in', () => {
  const replacements = [
    { start: 6, end: 7, by: 'three' },
    { start: 0, end: 1, by: 'one' },
  ];
  expect(replaceRanges('1 two 3.', replacements)).toBe('one two three.');
  expect(replacements.map(({ start }) => start)).toEqual([6, 0]);
});

test('of two that overlap the earlier one counts', () => {
  expect(
    replaceRanges('abcdef', [
      { start: 1, end: 4, by: '-' },
      { start: 2, end: 5, by: 'never' },
      { start: 4, end: 5, by: '+' },
    ]),
  ).toBe('a-+f');
});

test('the words between are changed, the replacements are not', () => {
  const upper = (words: string): string => words.toUpperCase();
  expect(replaceRanges('ab x cd', [{ start: 3, end: 4, by: 'y' }], upper)).toBe('AB y CD');
});
