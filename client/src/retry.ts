// Repeats what failed, after the time that the service asks for.
import { PosternError } from './postern-error.ts';

/**
 * Decides about a call that failed.
 *
 * @param error a PosternError, the TypeError of a failed connection, or another error of `fetch`
 * @param retries how often the call was repeated before
 * @returns the seconds to wait before the call is repeated; undefined: the error is thrown
 */
export type RetryDelay = (error: unknown, retries: number) => number | undefined;

export interface RetryOptions {
  /** How often a request is repeated after 429 or 503; 0 turns retries off. Default: 2. */
  readonly limit?: number | undefined;
  /** The longest `Retry-After` to wait for, in seconds. A longer one is thrown at once. Default: 60. */
  readonly maxRetryAfter?: number | undefined;
  /** Decides in place of the two bounds, also after other failures, such as a failed connection. */
  readonly delay?: RetryDelay | undefined;
}

/** The longest time that a timer of JavaScript can wait; a longer time would end at once. */
const MAX_WAIT_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

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

const isBusy = (status: number): boolean => status === 429 || status === 503;

/** @returns the delay of the options: exactly the seconds that a busy service asks for */
export const delayOf = ({ limit = 2, maxRetryAfter = 60, delay }: RetryOptions = {}): RetryDelay =>
  delay ??
  ((error, retries) =>
    error instanceof PosternError && isBusy(error.status) && retries < limit && (error.retryAfter ?? 0) <= maxRetryAfter
      ? error.retryAfter
      : undefined);

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
