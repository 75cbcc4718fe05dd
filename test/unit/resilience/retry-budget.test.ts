// Tests that retries are a share of the requests, in common and of each caller.
import { describe, expect, test } from 'vitest';
import { createRetryBudget, type RetryBudgetOptions } from '../../../shared/resilience/bulkhead.ts';

const createBudget = (options: Partial<RetryBudgetOptions> = {}) =>
  createRetryBudget({ requestsPerRetry: 3, maxSavedRetries: 2, ...options });

/** @returns the number of retries until the budget is empty */
const withdrawAll = (budget: ReturnType<typeof createBudget>, caller?: string): number => {
  let retries = 0;
  while (retries < 100 && budget.withdraw(caller)) retries += 1;
  return retries;
};

const deposit = (budget: ReturnType<typeof createBudget>, requests: number, caller?: string): void => {
  for (let index = 0; index < requests; index += 1) budget.deposit(caller);
};

test.each([
  [2, 0],
  [3, 1],
  [5, 1],
  [6, 2],
  [60, 2],
])(
  'the common budget after %i requests has %i retries: one per three requests, and no more than it saves',
  (requests, retries) => {
    const budget = createBudget();
    withdrawAll(budget);
    deposit(budget, requests);
    expect(withdrawAll(budget)).toBe(retries);
  },
);

describe('the budget of a caller', () => {
  test('grows by the requests of the caller only, and saves no more than the common one', () => {
    const budget = createBudget({ maxSavedRetries: 3 });
    deposit(budget, 3, 'b');
    expect([withdrawAll(budget, 'a'), withdrawAll(budget, 'b')]).toEqual([1, 1]);
    deposit(budget, 6, 'a');
    expect(withdrawAll(budget, 'a')).toBe(2);
    deposit(budget, 60, 'a');
    expect(withdrawAll(budget, 'a')).toBe(3);
  });

  test('is not charged for a retry that the common budget refuses', () => {
    const budget = createBudget();
    withdrawAll(budget);
    expect(budget.withdraw('a')).toBe(false);
    deposit(budget, 3);
    expect(budget.withdraw('a')).toBe(true);
  });
});
