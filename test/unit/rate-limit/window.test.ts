import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../shared/contract/allowances.ts';
import { secondsUntil, windowAt } from '../../../shared/rate-limit/window.ts';
import { START } from '../../support/limiter.ts';

/** Windows of 1 s to 1 day, with and without a burst limit whose length divides the window length. */
const allowances: fc.Arbitrary<Allowance> = fc
  .tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 144 }), fc.boolean())
  .map(([part, parts, isBursty]) => ({
    count: 10,
    seconds: part * parts,
    ...(isBursty && parts > 1 && { burst: { count: 5, seconds: part } }),
  }));

const partitions = fc.nat().map((number) => `search#a:${number}`);
const times = fc.integer({ min: 0, max: 2 * START });

describe('windowAt', () => {
  test('returns the window that contains the instant, and windows follow without a gap', () => {
    fc.assert(
      fc.property(times, allowances, partitions, (now, allowance, partition) => {
        const { startsAt, endsAt } = windowAt(now, allowance, partition);
        expect(endsAt - startsAt).toBe(allowance.seconds * 1000);
        expect(startsAt).toBeLessThanOrEqual(now);
        expect(now).toBeLessThan(endsAt);
        expect(windowAt(endsAt - 1, allowance, partition).startsAt).toBe(startsAt);
        expect(windowAt(endsAt, allowance, partition).startsAt).toBe(endsAt);
      }),
    );
  });

  test('spreads the ends of windows: no second frees many of 5,000 waiting partitions', () => {
    const allowance = { count: 60, seconds: 900 };
    const freed = new Map<number, number>();
    for (let caller = 0; caller < 5000; caller += 1) {
      const second = Math.floor(windowAt(START, allowance, `search#a:${caller}`).endsAt / 1000);
      freed.set(second, (freed.get(second) ?? 0) + 1);
    }
    // 5.6 per second on average; without the offset all 5,000 in one second.
    expect(Math.max(...freed.values())).toBeLessThanOrEqual(20);
    expect(freed.size).toBeGreaterThan(850);
  });

  test('returns burst parts, the last of which ends with the window', () => {
    fc.assert(
      fc.property(times, allowances, partitions, (now, allowance, partition) => {
        const { startsAt, endsAt, burst } = windowAt(now, allowance, partition);
        if (allowance.burst === undefined) return void expect(burst).toBeUndefined();
        const part = allowance.burst.seconds * 1000;
        expect(burst?.endsAt).toBe(startsAt + ((burst?.index ?? 0) + 1) * part);
        expect(now).toBeLessThan(burst?.endsAt ?? 0);
        expect(now).toBeGreaterThanOrEqual((burst?.endsAt ?? 0) - part);
        const last = windowAt(endsAt - 1, allowance, partition).burst;
        expect(last).toEqual({ index: allowance.seconds / allowance.burst.seconds - 1, endsAt });
        expect(windowAt(endsAt, allowance, partition).burst?.index).toBe(0);
      }),
    );
  });
});

// To the millisecond: 100 ms are added, because clocks of instances differ.
test.each([
  [-5000, 1],
  [900, 1],
  [901, 2],
  [1900, 2],
  [1901, 3],
  [60_000, 61],
])('[allowances 1] Retry-After with %s ms left is %s', (left, seconds) => {
  expect(secondsUntil(START + left, START)).toBe(seconds);
});
