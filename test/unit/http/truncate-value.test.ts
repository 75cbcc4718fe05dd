import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncateValue } from '../../../shared/http/fit-response.ts';

const WAVE = '🌊';

test('[text 8] a truncated text has whole characters only, wherever it ends', () => {
  for (const lead of ['', 'a', 'ab']) {
    const text = lead + WAVE.repeat(5000);
    for (const codeUnits of [0, 4096, 4097, 4098, 4099, 6000]) {
      const cut = truncateValue(text, codeUnits);
      expect(cut.isWellFormed(), `${lead} at ${codeUnits}`).toBe(true);
      expect(cut.endsWith(`${WAVE}…`)).toBe(true);
      const limit = Math.max(4096, codeUnits);
      expect(limit + 1 - cut.length).toBeLessThanOrEqual(1);
      expect(cut.length).toBeLessThanOrEqual(limit + 1);
    }
  }
});

test('a truncated text keeps its last character if that is no half of a pair', () => {
  expect(truncateValue(`${'a'.repeat(4096)}${WAVE}`, 0)).toBe(`${'a'.repeat(4096)}…`);
  expect(truncateValue(`${'a'.repeat(4094)}${WAVE}b`, 0)).toBe(`${'a'.repeat(4094)}${WAVE}…`);
  expect(truncateValue(`${'a'.repeat(4095)}${WAVE}b`, 0)).toBe(`${'a'.repeat(4095)}…`);
});

test('a list ends where the limit is reached', () => {
  expect(truncateValue({ ids: ['1', '2', '3'] }, 0)).toEqual({ ids: [] });
  // `ids` takes 7 code units and each id 3.
  expect(truncateValue({ ids: ['1', '2', '3'] }, 8)).toEqual({ ids: ['1'] });
  expect(truncateValue({ ids: ['1', '2', '3'] }, 13)).toEqual({ ids: ['1', '2'] });
  // A number takes 8.
  expect(truncateValue([1, 2, 3, 4], 16)).toEqual([1, 2]);
  expect(truncateValue([1, 2, 3, 4], 17)).toEqual([1, 2, 3]);
});

test('a value that fits stays the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(truncateValue(value, JSON.stringify(value).length * 8 + 64)).toEqual(value);
    }),
    { numRuns: 200 },
  );
});
