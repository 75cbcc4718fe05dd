// Checks refusals without the limiter: a window that ends in a refusal contains as many admissions as the allowance has.

const WINDOW_MILLISECONDS = 60_000;

export const createRefusalCheck = (clock: () => number) => {
  const admitted = new Map<string, number[]>();
  return {
    /** @param subject whose allowance was charged */
    recordAdmission(subject: string): void {
      const times = admitted.get(subject) ?? [];
      const now = clock();
      while (times.length > 0 && now - (times[0] ?? 0) >= WINDOW_MILLISECONDS) times.shift();
      times.push(now);
      admitted.set(subject, times);
    },
    /** @returns true if the subject was admitted less often than `limit` in the last window */
    isWrong(subject: string, limit: number): boolean {
      const now = clock();
      const times = admitted.get(subject) ?? [];
      return times.filter((time) => now - time < WINDOW_MILLISECONDS).length < limit;
    },
  };
};
