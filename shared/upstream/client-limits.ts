// Defines the limits of calls to a provider.
import type { BreakerOptions } from '../resilience/circuit-breaker.ts';

/** Each kind of query has one at each address of a provider. */
export const QUERY_BREAKER: BreakerOptions = { failureThreshold: 5, openMilliseconds: 5000 };

export interface ClientLimits {
  /** The maximum duration of one call, from the connection to the last byte. */
  readonly attemptMilliseconds: number;
  /** A call is not sent if less time is left. */
  readonly minMilliseconds: number;
  /** The maximum size of a body, encoded and decoded. */
  readonly maxBodyBytes: number;
  /** The maximum of concurrent calls, per provider, kind of query and instance. */
  readonly maxInFlight: number;
  /** One retry is allowed per this number of requests. */
  readonly requestsPerRetry: number;
  /** The maximum of saved retries. */
  readonly maxSavedRetries: number;
  /** A retry waits for a random time up to this. */
  readonly retryJitterMilliseconds: number;
}

export const PRODUCTION_LIMITS: ClientLimits = {
  attemptMilliseconds: 3500,
  minMilliseconds: 100,
  maxBodyBytes: 2 * 1024 * 1024,
  maxInFlight: 20,
  requestsPerRetry: 10,
  maxSavedRetries: 10,
  retryJitterMilliseconds: 150,
};
