// One request in so many may be sent twice, so that retries never double a provider's trouble.

export interface RetryBudgetOptions {
  /** One of so many requests may be retried. */
  readonly requestsPerRetry: number;
  /** Retries that quiet times may save up. */
  readonly maxSavedRetries: number;
}

export interface RetryBudget {
  /** For each request. */
  deposit(): void;
  /** @returns whether there was a retry to be had */
  withdraw(): boolean;
}

export const createRetryBudget = ({ requestsPerRetry, maxSavedRetries }: RetryBudgetOptions): RetryBudget => {
  let requests = requestsPerRetry;
  return {
    deposit() {
      requests = Math.min(requests + 1, requestsPerRetry * maxSavedRetries);
    },
    withdraw() {
      if (requests < requestsPerRetry) return false;
      requests -= requestsPerRetry;
      return true;
    },
  };
};
