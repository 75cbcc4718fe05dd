// Shows that only time without a processor counts as a stall.
import { expect, test } from 'vitest';
import { stallIn } from './stalls.ts';

test('a tick is a stall by the time for which the process wanted a processor and had none', () => {
  expect(stallIn(520, 100)).toBe(400);
  expect(stallIn(2020, 0)).toBe(2000);
});

test('a late tick is no stall when the process used the processor, or when it is late by a tick at most', () => {
  expect(stallIn(520, 500)).toBe(0);
  expect(stallIn(520, 900)).toBe(0);
  expect(stallIn(40, 0)).toBe(0);
});
