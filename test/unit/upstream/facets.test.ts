// Tests replacements in a text by position, and where facets are in a text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildText } from '../../../shared/upstream/build-text.ts';
import { facetLocator, offsetCounter } from '../../../shared/upstream/facets.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import { readRuns } from '../../generators/seed.ts';

test('buildText applies the first of two ranges that overlap', () => {
  const { text } = buildText('abcdef', [
    { start: 1, end: 4, by: '-' },
    { start: 2, end: 5, by: 'never' },
    { start: 4, end: 5, by: '+' },
  ]);
  expect(text).toBe('a-+f');
});

test('a range that begins with a mark is of the facet, and a range that begins with another character is not', () => {
  const locate = facetLocator('see #sea, _sea and sea');
  expect(locate({ start: 4, end: 8, original: 'sea', sign: '' })).toEqual({ start: 4, end: 8 });
  expect(facetLocator('see _sea')({ start: 4, end: 8, original: 'sea', sign: '' })).toEqual({ start: 5, end: 8 });
  expect(facetLocator('see _SEA')({ start: 4, end: 8, original: 'sea', sign: '' })).toBeUndefined();
});

test.each([
  ['plain', 'abc'.repeat(200)],
  ['with one astral character', `${'a'.repeat(255)}🐋${'b'.repeat(300)}`],
  ['of astral characters', '🐋'.repeat(600)],
  ['with lone surrogates', 'a\ud83d'.repeat(300)],
])('the offset of each code point is the length of the text before it: a text %s', (_, text) => {
  const offset = offsetCounter(text);
  const points = [...text];
  const offsets = points.map((_point, index) => points.slice(0, index).join('').length);
  expect(points.map((_point, index) => offset(index))).toEqual(offsets);
  expect([0, 1, 2].map((beyond) => offset(points.length + beyond) - text.length)).toEqual([0, 1, 2]);
});

test('facets of the same text are found one after the other, then again from the start', () => {
  const locate = facetLocator('sea sea');
  const next = () => locate({ start: -1, end: -1, original: 'sea', sign: '' })?.start;
  expect([next(), next(), next()]).toEqual([0, 4, 0]);
});

test('searches of one text end after 64 passes over it', () => {
  const text = 'a'.repeat(100);
  const locate = facetLocator(`${text}b`);
  const find = (original: string) => locate({ start: -1, end: -1, original, sign: '' });
  expect(find('b')).toEqual({ start: 100, end: 101 });
  for (let count = 0; count < 80; count += 1) find('c');
  expect(find('b')).toBeUndefined();
});

test('a facet is located by code points first, with its sign if it has one, or without regard to letter case', () => {
  const locate = facetLocator('🐋🐋🐋 #a #a @Ada');
  expect(locate({ start: 4, end: 6, original: 'a', sign: '#' })).toEqual({ start: 7, end: 9 });
  expect(locate({ start: 7, end: 9, original: 'a', sign: '#' })).toEqual({ start: 10, end: 12 });
  expect(locate({ start: 13, end: 17, original: 'aDA', sign: '@' })).toEqual({ start: 13, end: 17 });
  expect(locate({ start: 0, end: 1, original: 'Ada', sign: '@' })).toEqual({ start: 13, end: 17 });
  expect(locate({ start: 0, end: 1, original: 'aDA', sign: '@' })).toBeUndefined();
  expect(locate({ start: 0, end: 0, original: '', sign: '#' })).toBeUndefined();
});

const withoutMark = (text: string): string => text.toLowerCase().replace(/^[@#$＠＃]/, '');

test('any facet is located where the text has it, or nowhere', () => {
  const position = fc.tuple(
    hostileText,
    fc.nat(60),
    fc.nat(60),
    fc.constantFrom(undefined, 'https://t.co/a', 'A', '#a'),
  );
  fc.assert(
    fc.property(position, ([hostile, start, length, other]) => {
      const text = `${hostile.toWellFormed()} #a https://t.co/a`;
      const original = other ?? text.slice(start, start + length);
      const range = facetLocator(text)({ start, end: start + length, original, sign: '' });
      if (range === undefined) return;
      expect(range.start).toBeLessThan(range.end);
      expect(withoutMark(text.slice(range.start, range.end))).toBe(withoutMark(original));
      expect(buildText(text, [{ ...range, by: '' }]).text).toBe(text.slice(0, range.start) + text.slice(range.end));
    }),
    { numRuns: readRuns(1000) },
  );
});
