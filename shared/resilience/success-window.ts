// Counts which of the latest calls succeeded, and says if so few did that calls are not worth repeating.
//
// A source that drops calls at random answers one of a few calls, so repeating is worth it even if 19 of 20 are dropped. A
// source that is out answers none. The window has the calls of the last minute, at most 200: enough to tell one in twenty
// from none, and few enough to notice the start of an outage. Two successes are granted in advance, because a few failed
// calls prove nothing.
import { elapsed, type Monotonic } from '../model/time.ts';
import type { Clock } from '../ports/system.ts';

const WINDOW_MILLISECONDS = 60_000;
const MAX_CALLS = 200;
const CALLS_PER_SUCCESS = 50;
const GRANTED_SUCCESSES = 2;

export interface SuccessWindow {
  record(isSuccess: boolean): void;
  /** @returns true if fewer than one in fifty of the calls succeeded */
  isOut(): boolean;
}

export const createSuccessWindow = (clock: Clock): SuccessWindow => {
  let calls: readonly { readonly at: Monotonic; readonly isSuccess: boolean }[] = [];
  const recent = () => calls.filter(({ at }) => elapsed(at, clock()) < WINDOW_MILLISECONDS);
  return {
    record(isSuccess) {
      calls = [...recent(), { at: clock(), isSuccess }].slice(-MAX_CALLS);
    },
    isOut() {
      const counted = recent();
      const successes = counted.filter(({ isSuccess }) => isSuccess).length + GRANTED_SUCCESSES;
      return counted.length > CALLS_PER_SUCCESS * successes;
    },
  };
};
