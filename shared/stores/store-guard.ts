// What keeps a bad day of the store from becoming the caller's: little time for each call, and a breaker.

import type { LogAlarmName } from '../contract/alarms.ts';
import { errorKind } from '../model/errors.ts';
import type { Clock, Deadline, Log } from '../ports/system.ts';
import { type BreakerOptions, createCircuitBreaker } from '../resilience/circuit-breaker.ts';
import type { StoreConnection } from './store-connection.ts';

const ATTEMPT_MILLISECONDS = 150;

/** What a request spends on the store before it goes on: looking up a key and charging together. */
export const STORE_BUDGET_MILLISECONDS = 350;

/** An outage costs three callers an attempt each, and then one caller in a second or two. */
const BREAKER_OPTIONS: BreakerOptions = { failureThreshold: 3, openMilliseconds: 2000 };

/** Faults of ours, which waiting does not mend. */
const CONFIGURATION_ERRORS = new Set([
  'AccessDeniedException',
  'IncompleteSignatureException',
  'MissingAuthenticationTokenException',
  'ResourceNotFoundException',
  'SerializationException',
  'UnrecognizedClientException',
  'ValidationException',
]);

export type GuardedResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Never rejects. @param attempts at most so many, while there is time */
export type StoreGuard = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  limits: { readonly deadline: Deadline; readonly attempts: number },
) => Promise<GuardedResult<T>>;

export interface GuardOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default one that is up */
  readonly connection?: StoreConnection;
}

const withTimeout = async <T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(milliseconds);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work(signal), tooLate]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
};

/** @param store by which the log names it */
export const createStoreGuard = (store: string, { clock, log, random, connection }: GuardOptions): StoreGuard => {
  const breaker = createCircuitBreaker(clock, random, BREAKER_OPTIONS);
  return async (work, { deadline, attempts }) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const left = deadline - clock();
      const permit = left > 0 ? breaker.acquire() : undefined;
      if (permit === undefined) break;
      try {
        const setup = connection?.setupMilliseconds() ?? 0;
        const value = await withTimeout(Math.min(ATTEMPT_MILLISECONDS + setup, left), work);
        connection?.recordCall();
        permit.report('success');
        return { ok: true, value };
      } catch (error) {
        connection?.recordCall();
        permit.report('failure');
        const kind = errorKind(error);
        const isOurs = CONFIGURATION_ERRORS.has(kind);
        const event: LogAlarmName = isOurs ? 'store_misused' : 'store_failed';
        log({ level: isOurs ? 'error' : 'warn', event, store, kind });
        if (isOurs) break;
      }
    }
    return { ok: false };
  };
};
