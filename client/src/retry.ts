// Repeats what failed, after the time that the service asks for.
import { PosternError } from './postern-error.ts';
import { MAX_WAIT_SECONDS } from './time-limit.ts';

/** There is no answer, or only the beginning of an answer. Callers see a TypeError, as `fetch` throws it. */
export class LostConnection extends TypeError {}

/**
 * Decides about a call that failed.
 *
 * @param error a PosternError, the TypeError of a failed connection, or another error of `fetch`
 * @param retries how often the call was repeated before
 * @returns the seconds to wait before the call is repeated; undefined: the error is thrown
 */
export type RetryDelay = (error: unknown, retries: number) => number | undefined;

export interface RetryOptions {
  /**
   * How often a request is repeated after 429 or 503 with `Retry-After`. After 502, after 503 without `Retry-After` and after
   * a lost connection, it is repeated once at most. 0 turns retries off. Default: 2.
   */
  readonly limit?: number | undefined;
  /** The longest `Retry-After` to wait for, in seconds. A longer one is thrown at once. Default: 60. */
  readonly maxRetryAfter?: number | undefined;
  /** Decides in place of the two bounds, also after other failures, such as a request that timed out. */
  readonly delay?: RetryDelay | undefined;
}

/** The service never asks for less. A request that is repeated at once would be a flood. */
const MIN_WAIT_SECONDS = 1;

/** Waits for the seconds. @throws the reason of the signal as soon as it is aborted */
const wait = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** @returns how often a request is repeated that failed so */
const repeatsAfter = (error: unknown, limit: number): number => {
  if (error instanceof LostConnection) return Math.min(limit, 1);
  if (!(error instanceof PosternError)) return 0;
  const { status, retryAfter } = error;
  if ((status === 429 || status === 503) && retryAfter !== undefined) return limit;
  return status === 502 || status === 503 ? Math.min(limit, 1) : 0;
};

/** @returns the delay of the options: exactly the seconds that the service asks for */
export const delayOf = ({ limit = 2, maxRetryAfter = 60, delay }: RetryOptions = {}): RetryDelay =>
  delay ??
  ((error, retries) => {
    const seconds = (error instanceof PosternError ? error.retryAfter : undefined) ?? MIN_WAIT_SECONDS;
    return retries < repeatsAfter(error, limit) && seconds <= maxRetryAfter ? seconds : undefined;
  });

/**
 * Calls until a call succeeds, or the delay gives it up.
 *
 * @param sleep rejects with the reason of the signal
 * @throws the last error, or the reason of the signal as soon as it is aborted
 */
export const repeat = async <T>(
  call: () => Promise<T>,
  delay: RetryDelay,
  signal: AbortSignal | undefined,
  sleep: typeof wait = wait,
): Promise<T> => {
  for (let retries = 0; ; retries += 1) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const seconds = delay(error, retries);
      if (seconds === undefined || !(seconds <= MAX_WAIT_SECONDS)) throw error;
      await sleep(Math.max(seconds, MIN_WAIT_SECONDS), signal);
    }
  }
};
