// A circuit breaker per source and instance: after a refusal or a row of failures the source is left alone for a while.
import type { Clock } from '../ports.ts';

const FAILURES_TO_OPEN = 5;
const OPEN_MILLISECONDS = 5000;
const MAX_OPEN_MILLISECONDS = 300_000;

export interface Breaker {
  admits(): boolean;
  /** @param retryAfter the provider's own header: seconds or an HTTP-date */
  record(answered: boolean, retryAfter?: string): void;
}

const retryAfterMilliseconds = (field: string | undefined, now: number): number | undefined => {
  if (field === undefined) return undefined;
  const wait = /^[0-9]{1,6}$/.test(field) ? Number(field) * 1000 : Date.parse(field) - now;
  return wait > 0 ? Math.min(wait, MAX_OPEN_MILLISECONDS) : undefined;
};

export const createBreaker = (clock: Clock, random: () => number): Breaker => {
  let failures = 0;
  let openUntil = 0;
  return {
    admits: () => clock() >= openUntil,
    record(answered, retryAfter) {
      if (answered) {
        failures = 0;
        return;
      }
      failures += 1;
      const asked = retryAfterMilliseconds(retryAfter, clock());
      if (asked !== undefined) openUntil = clock() + asked;
      else if (failures >= FAILURES_TO_OPEN) {
        // One failure more than the threshold reopens it: that is the half-open probe.
        failures = FAILURES_TO_OPEN - 1;
        openUntil = clock() + OPEN_MILLISECONDS * (0.5 + random() / 2);
      }
    },
  };
};
