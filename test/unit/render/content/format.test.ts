import { expect, test } from 'vitest';
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatDay,
  formatDuration,
  formatInstant,
  formatMonth,
  formatNumber,
  formatShortDate,
} from '../../../../shared/render/content/format.ts';

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

test.each([
  ['2026-01-09T00:00:00Z', '9 January 2026', '9 Jan 2026', 'January 2026', '9 January 2026, 00:00 UTC'],
  ['2011-12-31T23:59:59Z', '31 December 2011', '31 Dec 2011', 'December 2011', '31 December 2011, 23:59 UTC'],
  ['2026-00-09T10:20:30Z', '2026-00-09', '2026-00-09', '2026-00-09', '2026-00-09, 10:20 UTC'],
  ['2026-13-09T10:20:30Z', '2026-13-09', '2026-13-09', '2026-13-09', '2026-13-09, 10:20 UTC'],
])('the date of %s is written in four forms', (instant, ...forms) => {
  expect([formatDate, formatShortDate, formatMonth, formatDateTime].map((format) => format(instant))).toEqual(forms);
});
