// Tests how quantities are written in the tables of costs, at the bounds of each form.
import { expect, test } from 'vitest';
import { dollars, large, percent, unitPrice, useOf } from '../../../shared/publish/costs/formats.ts';

test.each([
  [0, '$0.00'],
  [0.0049, 'below $0.01'],
  [0.005, '$0.01'],
  [99.99, '$99.99'],
  [100, '$100'],
  [12_345.6, '$12,346'],
])('dollars(%d) returns %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});

test.each([
  [2, '$2.00'],
  [0.2, '$0.20'],
  [0.0000002, '$0.0000002'],
])('unitPrice(%d) returns %s', (usd, text) => {
  expect(unitPrice(usd)).toBe(text);
});

test.each([
  [999_999, '999,999'],
  [1e6, '1 million'],
  [8_640_000, '8.6 million'],
  [99.94e6, '99.9 million'],
  [100e6, '100 million'],
  [1e9, '1 billion'],
  [2.5e12, '2.5 trillion'],
  [Number.POSITIVE_INFINITY, 'never'],
])('large(%d) returns %s', (count, text) => {
  expect(large(count)).toBe(text);
});

test.each([
  [0.5, '50 %'],
  [9.99, '999 %'],
  [10, '10 times'],
  [1234, '1,234 times'],
])('useOf(%d) returns %s', (use, text) => {
  expect(useOf(use)).toBe(text);
});

test('percent() rounds to whole percents', () => {
  expect([percent(0.994), percent(0.996)]).toEqual(['99 %', '100 %']);
});
