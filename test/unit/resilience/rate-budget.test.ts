import { describe, expect, test } from 'vitest';
import { createRateBudget, MAX_CALLS_PER_MINUTE } from '../../../shared/resilience/rate-budget.ts';
import { testClock } from '../../support/limiter.ts';

const createBudget = (callsPerMinute: number) => {
  const clock = testClock();
  const budget = createRateBudget(clock.now, callsPerMinute);
  /** @returns the number of calls that had room */
  const spend = (calls: number): number => {
    let allowed = 0;
    for (let call = 0; call < calls; call += 1) {
      if (!budget.hasRoom()) continue;
      budget.spend();
      allowed += 1;
    }
    return allowed;
  };
  return { ...budget, wait: clock.wait, allowed: spend };
};

describe('a budget of calls per minute', () => {
  test.each([1, 2, 7, MAX_CALLS_PER_MINUTE])('allows %i calls at once, and as many a minute later', (calls) => {
    const { allowed, wait } = createBudget(calls);
    expect(allowed(calls + 1)).toBe(calls);
    wait(59_999);
    expect(allowed(1)).toBe(0);
    wait(1);
    expect(allowed(calls + 1)).toBe(calls);
  });

  test('allows each further call a minute after the call that is as many calls ago', () => {
    const { allowed, wait } = createBudget(2);
    expect(allowed(1)).toBe(1);
    wait(20_000);
    expect(allowed(2)).toBe(1);
    wait(40_000);
    expect(allowed(2)).toBe(1);
    wait(19_999);
    expect(allowed(1)).toBe(0);
    wait(1);
    expect(allowed(2)).toBe(1);
  });

  test('counts a call without room', () => {
    const { allowed, spend, wait } = createBudget(1);
    expect(allowed(1)).toBe(1);
    wait(30_000);
    spend();
    wait(59_999);
    expect(allowed(1)).toBe(0);
    wait(1);
    expect(allowed(1)).toBe(1);
  });

  test('keeps the times of at most 10,000 calls', () => {
    expect(createBudget(20_000).allowed(20_000)).toBe(10_000);
  });
});
