// Creates limiters for tests: a clock that the test moves, a recording store, and any number of instances.

import type { Allowance } from '../../shared/contract/allowances.ts';
import { NEVER } from '../../shared/model/time.ts';
import type { Counter, CounterStore } from '../../shared/ports/stores.ts';
import {
  type AllowanceSubject,
  type ChargeDecision,
  createFixedWindowLimiter,
  type FixedWindowLimiter,
} from '../../shared/rate-limit/fixed-window-limiter.ts';
import { windowAt } from '../../shared/rate-limit/window.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import type { StoreGuard } from '../../shared/stores/store-guard.ts';
import { type Clocks, clocksOf } from './clocks.ts';

export const START = Date.parse('2026-11-21T12:00:00Z');

export interface TestClock extends Clocks {
  now(): number;
  wait(milliseconds: number): void;
  set(now: number): void;
}

export const testClock = (start = START): TestClock => {
  let now = start;
  return {
    ...clocksOf(() => now),
    now: () => now,
    wait: (milliseconds) => {
      now += milliseconds;
    },
    set: (value) => {
      now = value;
    },
  };
};

/** A guard without a time limit, for tests that are not about time. */
export const waitingGuard: StoreGuard = async (work) => {
  try {
    return { ok: true, value: await work(new AbortController().signal) };
  } catch {
    return { ok: false };
  }
};

export interface StoreCall {
  readonly verb: 'charge' | 'refund' | 'touch';
  readonly counter: Counter;
  readonly units: number;
  /** Unset: not a charge, or not decided yet. */
  isAdmitted?: boolean;
}

export interface RecordingStore extends CounterStore {
  readonly calls: StoreCall[];
  verbs(): readonly string[];
  /** Makes every further call reject with the error; undefined ends that. */
  fail(error: Error | undefined): void;
}

/** @param store counts the units */
export const recordingStore = (store: CounterStore): RecordingStore => {
  const calls: StoreCall[] = [];
  let failure: Error | undefined;
  const note = (verb: StoreCall['verb'], counter: Counter, units: number): StoreCall => {
    const noted: StoreCall = { verb, counter, units };
    calls.push(noted);
    if (failure !== undefined) throw failure;
    return noted;
  };
  return {
    calls,
    verbs: () => calls.map(({ verb }) => verb),
    fail: (error) => {
      failure = error;
    },
    async charge(counter, units, signal) {
      const noted = note('charge', counter, units);
      const charge = await store.charge(counter, units, signal);
      noted.isAdmitted = charge.admitted;
      return charge;
    },
    async refund(counter, units, signal) {
      note('refund', counter, units);
      return store.refund(counter, units, signal);
    },
    async touch(counter, signal) {
      note('touch', counter, 0);
      return store.touch(counter, signal);
    },
  };
};

/** For tests that are not about time. */
export const NO_DEADLINE = NEVER;

export const subjectFor = (allowance: Allowance, members: Partial<AllowanceSubject> = {}): AllowanceSubject => ({
  partition: 'search#a:caller',
  allowance,
  ...members,
});

/** The first millisecond of a window of the subject. */
const windowStart = ({ allowance, partition }: AllowanceSubject, now = START): number =>
  windowAt(now, allowance, partition).endsAt;

export const createLimiterFixture = (subject: AllowanceSubject, guard: StoreGuard = waitingGuard) => {
  const clock = testClock(windowStart(subject));
  const store = recordingStore(createMemoryCounterStore(clock.now));
  /** Another instance on the same store. @param skew milliseconds by which its clock is ahead */
  const another = (skew = 0): FixedWindowLimiter =>
    createFixedWindowLimiter({ store, guard, ...clocksOf(() => clock.now() + skew) });
  const limiter = another();
  const charge = (units?: number): Promise<ChargeDecision> => limiter.charge(subject, NO_DEADLINE, units);
  return {
    clock,
    store,
    limiter,
    another,
    charge,
    /** The number of admitted ones among `charges` consecutive charges. */
    async admitted(charges: number): Promise<number> {
      let count = 0;
      for (let index = 0; index < charges; index += 1) if ((await charge()).admitted) count += 1;
      return count;
    },
  };
};

/** @throws if the charge was admitted */
export const expectDenied = (decision: ChargeDecision): Extract<ChargeDecision, { admitted: false }> => {
  if (decision.admitted) throw new Error('it was admitted');
  return decision;
};

/** @throws if the charge was denied */
export const expectAdmitted = (decision: ChargeDecision): Extract<ChargeDecision, { admitted: true }> => {
  if (!decision.admitted) throw new Error('it was refused');
  return decision;
};
