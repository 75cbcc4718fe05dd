// The compiler is the test of the differences: `npm run types` fails if one of these lines has no error.
import { expect, test } from 'vitest';
import {
  earlierOf,
  elapsed,
  type Instant,
  later,
  laterOf,
  type Monotonic,
  monotonic,
  NEVER,
  NEVER_BEFORE,
} from '../../../shared/model/time.ts';
import { clocksOf } from '../../support/clocks.ts';

const instant: Instant = Date.parse('2026-11-24T00:00:00Z');
const { clock, wall } = clocksOf(() => instant);

test('[bounds 7] an instant and a monotonic reading have no difference, no order and no common use', () => {
  // @ts-expect-error
  expect(wall.now() - clock()).not.toBe(0);
  // @ts-expect-error
  expect(clock() - instant).not.toBe(0);
  // @ts-expect-error
  expect(clock() < instant).toBe(true);
  // @ts-expect-error
  expect(elapsed(clock(), wall.now())).not.toBe(0);
  // @ts-expect-error
  const read: Instant = clock();
  // @ts-expect-error
  const reading: Monotonic = instant;
  expect(read).not.toBe(reading);
  // @ts-expect-error
  expect(new Date(clock()).getFullYear()).toBe(1970);
});

test('readings are compared, moved and subtracted by the functions of time.ts alone', () => {
  const [first, second] = [monotonic(1000), later(monotonic(1000), 500)];
  expect([elapsed(first, second), elapsed(second, first)]).toEqual([500, -500]);
  expect([first < second, earlierOf(second, first), laterOf(first, second)]).toEqual([true, first, second]);
  expect([NEVER_BEFORE < first, first < NEVER]).toEqual([true, true]);
});
