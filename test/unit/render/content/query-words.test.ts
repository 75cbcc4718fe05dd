// Tests the words and operators that a page reads in a search text.
import { describe, expect, test } from 'vitest';
import { queryWords, wordPattern } from '../../../../shared/render/content/query-words.ts';
import { countWork } from '../../../support/count-work.ts';

describe('wordPattern', () => {
  const found = (words: readonly string[], text: string): readonly string[] => {
    const pattern = wordPattern(words);
    return pattern === undefined ? [] : [...text.matchAll(pattern)].map(([word]) => word);
  };

  test('finds a phrase with any space in it, before its first word', () => {
    expect(found(['low', 'low tide'], 'low  tide, low\ntide, low')).toEqual(['low  tide', 'low\ntide', 'low']);
  });
});

test('[bounds 6] the work of a search text is linear', () => {
  const work = (size: number): number => countWork(() => queryWords('"a b" from:x (tide) '.repeat(size)));
  expect(work(400)).toBeLessThan(2.35 * work(200));
});
