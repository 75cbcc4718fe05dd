// Bounds retries as a share of requests, so that retries never double the load of a failing provider. Requests deposit, a
// retry withdraws; a retry needs balance in the common budget and in the caller's own, so no caller spends the retries of
// others. Budgets of 1000 callers are kept; an evicted caller starts again as a new one.
import { createBoundedMap } from './bounded-map.ts';

export interface RetryBudgetOptions {
  /** Requests that pay for one retry. */
  readonly requestsPerRetry: number;
  /** Upper bound of the retries that a budget saves. */
  readonly maxSavedRetries: number;
  /** Retries in the common budget at the start. @default 1 */
  readonly firstRetries?: number;
  /** Retries of a new caller. @default 1 */
  readonly firstRetriesOfCaller?: number;
}

export interface RetryBudget {
  /** Call it for each request. @param caller unset: only the common budget counts */
  deposit(caller?: string): void;
  /** @returns true if a retry was withdrawn */
  withdraw(caller?: string): boolean;
}

const MAX_CALLERS = 1000;

export const createRetryBudget = ({
  requestsPerRetry,
  maxSavedRetries,
  firstRetries = 1,
  firstRetriesOfCaller = 1,
}: RetryBudgetOptions): RetryBudget => {
  let requests = requestsPerRetry * firstRetries;
  const requestsByCaller = createBoundedMap<number>(MAX_CALLERS);
  const maxRequests = requestsPerRetry * maxSavedRetries;
  const requestsOf = (caller: string): number =>
    requestsByCaller.get(caller) ?? requestsPerRetry * firstRetriesOfCaller;
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
