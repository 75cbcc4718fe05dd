/** The longest time that a timer of JavaScript can wait; a longer time would end at once. */
export const MAX_WAIT_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/** The service never asks for less. A request that is repeated at once would be a flood. */
export const MIN_WAIT_SECONDS = 1;

/** Waits for the seconds. @throws the reason of the signal as soon as it is aborted */
export const wait = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
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
