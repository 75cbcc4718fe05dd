// Ends a call that takes too long.

/** The longest time that a timer of JavaScript can wait; a longer time would end at once. */
export const MAX_WAIT_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/**
 * @param call should end if its signal aborts; its result no longer counts
 * @param signal of the caller
 * @param timeout creates the error of a call that takes longer
 * @throws what the call throws, the reason of the signal, or the error of `timeout`
 */
export const withTimeLimit = async <T>(
  seconds: number,
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
  timeout: () => Error,
): Promise<T> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  const onAbort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(timeout()), Math.min(seconds, MAX_WAIT_SECONDS) * 1000);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([ended, call(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
};
