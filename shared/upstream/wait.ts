// Waits for a time, or for work at most so long. No timer is left.

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @returns the result of the work; undefined if it takes longer. The work goes on. */
export const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, Math.max(0, milliseconds));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
