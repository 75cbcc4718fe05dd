// Tests the words and operators that a page reads in a search text.
import { describe, expect, test } from 'vitest';
import { queryWords, wordPattern } from '../../../../shared/render/content/query-words.ts';
import { countWork } from '../../../support/count-work.ts';

describe('queryWords', () => {
  test.each([
    ['tide', { words: ['tide'], plain: 'tide', hasOperators: false }],
    ['tide tide TIDE', { words: ['tide', 'TIDE'], plain: 'tide tide TIDE', hasOperators: false }],
    ['"low tide" ebb', { words: ['low tide', 'ebb'], plain: '"low tide" ebb', hasOperators: false }],
    ['-"low tide" ebb', { words: ['ebb'], plain: 'ebb', hasOperators: true }],
    ['from:@Ada_1 -x since:2026-03-01', { words: [], plain: '', hasOperators: true, from: 'Ada_1' }],
    ['#tide @ada $TSLA', { words: [], plain: '#tide @ada $TSLA', hasOperators: false }],
    ['(a OR "b c") AND ?', { words: ['a', 'b c'], plain: 'a "b c"', hasOperators: false }],
    ['from:abcdefghijklmnopqrst', { words: [], plain: '', hasOperators: true }],
    ['"unclosed words', { words: ['unclosed', 'words'], plain: '"unclosed words', hasOperators: false }],
    ['- -- :)', { words: [], plain: '', hasOperators: true }],
    ['https://a.example/x', { words: [], plain: '', hasOperators: true }],
  ])('reads %s', (query, expected) => {
    expect(queryWords(query)).toEqual({ from: undefined, ...expected });
  });
});

describe('wordPattern', () => {
  const found = (words: readonly string[], text: string): readonly string[] => {
    const pattern = wordPattern(words);
    return pattern === undefined ? [] : [...text.matchAll(pattern)].map(([word]) => word);
  };

  test('finds whole words in any letter case', () => {
    expect(found(['tide'], 'Tide tides TIDE_x untide ñtide tide’s «tide»')).toEqual(['Tide', 'tide', 'tide']);
  });

  test('finds a phrase with any space in it, before its first word', () => {
    expect(found(['low', 'low tide'], 'low  tide, low\ntide, low')).toEqual(['low  tide', 'low\ntide', 'low']);
  });

  test('finds words of scripts without spaces within a text', () => {
    expect(found(['函館', '바다'], '夕焼けの函館で 바다가')).toEqual(['函館', '바다']);
  });

  test('without words there is no pattern', () => {
    expect(wordPattern([])).toBeUndefined();
  });
});

test('[bounds 6] the work of a search text is linear', () => {
  const work = (size: number): number => countWork(() => queryWords('"a b" from:x (tide) '.repeat(size)));
  expect(work(400)).toBeLessThan(2.35 * work(200));
});
