import { expect, test } from 'vitest';
import { formatDuration, formatNumber } from '../../../../shared/render/content/format.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1009, '1,009'],
  [1010, '1,010'],
  [1099, '1,099'],
  [1100, '1,100'],
  [999_999, '999,999'],
  [1_000_000, '1,000,000'],
  [12_345, '12,345'],
  [1_234_567, '1,234,567'],
  [100_000, '100,000'],
  [9_007_199_254_740_991, '9,007,199,254,740,991'],
])('formatNumber writes %d as %s', (number, expected) => {
  expect(formatNumber(number)).toBe(expected);
});

test.each([
  [0, '0:00'],
  [999, '0:01'],
  [61_000, '1:01'],
  [600_000, '10:00'],
  [3_599_600, '1:00:00'],
  [3_661_000, '1:01:01'],
  [36_000_000, '10:00:00'],
])('formatDuration writes %d ms as %s', (milliseconds, expected) => {
  expect(formatDuration(milliseconds)).toBe(expected);
});
