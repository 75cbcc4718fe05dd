// One request in so many may be sent twice, so that retries never double a provider's trouble. A caller retries from what
// that caller's own requests put in, so that no caller uses up what the others have.
import { createBoundedMap } from './bounded-map.ts';

export interface RetryBudgetOptions {
  /** One of so many requests may be retried. */
  readonly requestsPerRetry: number;
  /** Retries that quiet times may save up. */
  readonly maxSavedRetries: number;
}

export interface RetryBudget {
  /** For each request. @param caller unset: what all have together counts alone */
  deposit(caller?: string): void;
  /** @returns whether there was a retry to be had */
  withdraw(caller?: string): boolean;
}

const MAX_CALLERS = 1000;

export const createRetryBudget = ({ requestsPerRetry, maxSavedRetries }: RetryBudgetOptions): RetryBudget => {
  let requests = requestsPerRetry;
  const own = createBoundedMap<number>(MAX_CALLERS);
  const most = requestsPerRetry * maxSavedRetries;
  // A caller who comes for the first time has one retry, as the source has at the start.
  const ownOf = (caller: string): number => own.get(caller) ?? requestsPerRetry;
  return {
    deposit(caller) {
      requests = Math.min(requests + 1, most);
      if (caller !== undefined) own.set(caller, Math.min(ownOf(caller) + 1, most));
    },
    withdraw(caller) {
      if (requests < requestsPerRetry || (caller !== undefined && ownOf(caller) < requestsPerRetry)) return false;
      requests -= requestsPerRetry;
      if (caller !== undefined) own.set(caller, ownOf(caller) - requestsPerRetry);
      return true;
    },
  };
};
