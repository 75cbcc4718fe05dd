// Bounds the calls to one server in any interval of one minute, whatever their distribution.
//
// The times of the latest calls are kept in a ring with as many places as calls are allowed: the place of the next call
// holds the time of the call that is as many calls ago, so the next call is allowed once that time is a minute ago.
// Memory: 8 bytes per allowed call, up to 80 kB.
import type { Clock } from '../ports/system.ts';

const WINDOW_MILLISECONDS = 60_000;

/** The maximum of `callsPerMinute`. */
export const MAX_CALLS_PER_MINUTE = 10_000;

export interface RateBudget {
  /** @returns true if another call is allowed now */
  hasRoom(): boolean;
  /** Records a call. A call without room is recorded as well. */
  spend(): void;
}

export const createRateBudget = (clock: Clock, callsPerMinute: number): RateBudget => {
  const times = new Float64Array(Math.min(callsPerMinute, MAX_CALLS_PER_MINUTE)).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return {
    hasRoom: () => clock() - (times[next] ?? 0) >= WINDOW_MILLISECONDS,
    spend() {
      times[next] = clock();
      next = (next + 1) % times.length;
    },
  };
};
