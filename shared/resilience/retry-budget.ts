// Bounds retries as a share of requests, so that retries never double the load of a failing provider. Requests deposit, a
// retry withdraws; a retry needs balance in the common budget and in the caller's own, so no caller spends the retries of
// others. Budgets of 1000 callers are kept; an evicted caller starts again as a new one.
import { createBoundedMap } from './bounded-map.ts';

export interface RetryBudgetOptions {
  /** Requests that pay for one retry. */
  readonly requestsPerRetry: number;
  /** Upper bound of the retries that a budget saves. */
  readonly maxSavedRetries: number;
}

export interface RetryBudget {
  /** Call it for each request. @param caller unset: only the common budget counts */
  deposit(caller?: string): void;
  /** @returns true if a retry was withdrawn */
  withdraw(caller?: string): boolean;
}

const MAX_CALLERS = 1000;

/** Each budget starts with one retry. */
export const createRetryBudget = ({ requestsPerRetry, maxSavedRetries }: RetryBudgetOptions): RetryBudget => {
  let requests = requestsPerRetry;
  const requestsByCaller = createBoundedMap<number>(MAX_CALLERS);
  const maxRequests = requestsPerRetry * maxSavedRetries;
  const requestsOf = (caller: string): number => requestsByCaller.get(caller) ?? requestsPerRetry;
  return {
    deposit(caller) {
      requests = Math.min(requests + 1, maxRequests);
      if (caller !== undefined) requestsByCaller.set(caller, Math.min(requestsOf(caller) + 1, maxRequests));
    },
    withdraw(caller) {
      if (requests < requestsPerRetry || (caller !== undefined && requestsOf(caller) < requestsPerRetry)) return false;
      requests -= requestsPerRetry;
      if (caller !== undefined) requestsByCaller.set(caller, requestsOf(caller) - requestsPerRetry);
      return true;
    },
  };
};
