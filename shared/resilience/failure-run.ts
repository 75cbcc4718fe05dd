// Counts the calls that failed in a row, and says what that proves.
//
// A source that drops calls at random answers one of a few, so repeating is worth it even if 19 of 20 are dropped. A source
// that is out answers none. With 19 of 20 dropped, every eighth run of failed calls reaches 40, and one of 1,300 reaches 140.
// So after 40 calls fewer are sent, but some still are; after 140 the source is out. An answered call ends the run, and so
// does a minute without a call.
import { elapsed, type Monotonic, NEVER_BEFORE } from '../model/time.ts';
import type { Clock } from '../ports/system.ts';

const PAUSE_MILLISECONDS = 60_000;
const RARE_AFTER_CALLS = 40;
const OUT_AFTER_CALLS = 140;

export interface FailureRun {
  record(isSuccess: boolean): void;
  /** @returns true if the source answers few calls, or none */
  isRare(): boolean;
  /** @param more further calls that fail @default none @returns true if the source answers none */
  isOut(more?: number): boolean;
}

export const createFailureRun = (clock: Clock): FailureRun => {
  let failed = 0;
  let lastAt: Monotonic = NEVER_BEFORE;
  const run = (): number => (elapsed(lastAt, clock()) < PAUSE_MILLISECONDS ? failed : 0);
  return {
    record(isSuccess) {
      failed = isSuccess ? 0 : run() + 1;
      lastAt = clock();
    },
    isRare: () => run() >= RARE_AFTER_CALLS,
    isOut: (more = 0) => run() + more >= OUT_AFTER_CALLS,
  };
};
