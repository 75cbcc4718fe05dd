import { expect, test } from 'vitest';
import {
  formatCount,
  formatDay,
  formatDuration,
  formatInstant,
  formatNumber,
} from '../../../../shared/render/content/format.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [12_345, '12,345'],
  [1_234_567, '1,234,567'],
  [100_000, '100,000'],
  [9_007_199_254_740_991, '9,007,199,254,740,991'],
])('formatNumber writes %d as %s', (number, expected) => {
  expect(formatNumber(number)).toBe(expected);
});

test.each([
  [1, 'like', undefined, '1 like'],
  [2, 'like', undefined, '2 likes'],
  [0, 'reply', 'replies', '0 replies'],
  [1, 'reply', 'replies', '1 reply'],
  [1001, 'reply', 'replies', '1,001 replies'],
])('formatCount counts %d %s', (number, singular, plural, expected) => {
  expect(formatCount(number, singular, plural)).toBe(expected);
});

test('formatInstant writes UTC to the minute', () => {
  expect(formatInstant('2026-03-02T10:00:59Z')).toBe('2026-03-02 10:00 UTC');
});

test('formatDay writes the UTC date', () => {
  expect(formatDay('2011-03-09T18:22:41Z')).toBe('2011-03-09');
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
