// Defines the limits of calls to a provider.
import type { BreakerOptions } from '../resilience/circuit-breaker.ts';

/** Each kind of query has one at each base URL of a provider. */
export const QUERY_BREAKER: BreakerOptions = { failureThreshold: 5, openMilliseconds: 5000 };

export interface ClientLimits {
  /**
   * The maximum duration of one call, from the connection to the last byte, if another call can follow. FxTwitter gives X
   * 3.5 s and then tries again.
   */
  readonly attemptMilliseconds: number;
  /** The same if no other call can follow. */
  readonly lastAttemptMilliseconds: number;
  /** A call is not sent if less time is left. */
  readonly minMilliseconds: number;
  /** The maximum size of a body, encoded and decoded. */
  readonly maxBodyBytes: number;
  /** The same for a conversation or a thread: 20 replies of 25,000 characters have 3 MB. */
  readonly largeBodyBytes: number;
  /** The maximum of bodies above `maxBodyBytes` at the same time, per base URL of a provider and instance. */
  readonly maxLargeInFlight: number;
  /** The maximum of concurrent calls, per provider, kind of query and instance. */
  readonly maxInFlight: number;
  /** One retry is allowed per this number of requests. */
  readonly requestsPerRetry: number;
  /** The maximum of saved retries. */
  readonly maxSavedRetries: number;
  /** A retry waits for a random time up to this. */
  readonly retryJitterMilliseconds: number;
}

/** The time that is left to the next provider if a provider makes a second attempt. */
export const NEXT_PROVIDER_MILLISECONDS = 1500;

export const PRODUCTION_LIMITS: ClientLimits = {
  attemptMilliseconds: 4500,
  lastAttemptMilliseconds: 6500,
  minMilliseconds: 100,
  maxBodyBytes: 2 * 1024 * 1024,
  largeBodyBytes: 6 * 1024 * 1024,
  maxLargeInFlight: 4,
  maxInFlight: 20,
  requestsPerRetry: 10,
  maxSavedRetries: 10,
  retryJitterMilliseconds: 150,
};
