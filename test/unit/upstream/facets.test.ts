// Tests replacements in a text by position.
import { expect, test } from 'vitest';
import { facetLocator, replaceRanges } from '../../../shared/upstream/facets.ts';

test('replaceRanges replaces ranges in any order', () => {
  const replacements = [
    { start: 6, end: 7, by: 'three' },
    { start: 0, end: 1, by: 'one' },
  ];
  expect(replaceRanges('1 two 3.', replacements)).toBe('one two three.');
  expect(replacements.map(({ start }) => start)).toEqual([6, 0]);
});

test('replaceRanges applies the first of two ranges that overlap', () => {
  expect(
    replaceRanges('abcdef', [
      { start: 1, end: 4, by: '-' },
      { start: 2, end: 5, by: 'never' },
      { start: 4, end: 5, by: '+' },
    ]),
  ).toBe('a-+f');
});

test('replaceRanges converts the text between the ranges and not the replacements', () => {
  const upper = (words: string): string => words.toUpperCase();
  expect(replaceRanges('ab x cd', [{ start: 3, end: 4, by: 'y' }], upper)).toBe('AB y CD');
});

test('a range that begins with a mark is of the facet, and a range that begins with another character is not', () => {
  const locate = facetLocator('see #sea, _sea and sea');
  expect(locate({ start: 4, end: 8, original: 'sea' })).toEqual({ start: 4, end: 8 });
  expect(facetLocator('see _sea')({ start: 4, end: 8, original: 'sea' })).toEqual({ start: 5, end: 8 });
  expect(facetLocator('see _SEA')({ start: 4, end: 8, original: 'sea' })).toBeUndefined();
});
