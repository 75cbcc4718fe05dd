// Limiters for tests: a clock that the test moves, a store that notes what it is asked, and as many instances as wanted.
import { createLimiter, type Decision, type Limiter, type Spender } from '../../shared/access/limiter.ts';
import { createMemoryCounters } from '../../shared/access/memory-counters.ts';
import type { StoreGuard } from '../../shared/access/store-guard.ts';
import { windowAt } from '../../shared/access/window.ts';
import type { Allowance } from '../../shared/contract/allowances.ts';
import type { Clock, Counter, CounterStore } from '../../shared/ports.ts';

export const START = Date.parse('2026-11-21T12:00:00Z');

export interface TestClock {
  readonly now: Clock;
  wait(milliseconds: number): void;
  set(now: number): void;
}

export const testClock = (start = START): TestClock => {
  let now = start;
  return {
    now: () => now,
    wait: (milliseconds) => {
      now += milliseconds;
    },
    set: (value) => {
      now = value;
    },
  };
};

/** The same numbers in every run: xorshift32. */
export const seededRandom = (seed = 20261121): (() => number) => {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};

/** Waits for the store however long it takes: for what is not about time. */
export const patient: StoreGuard = async (work) => {
  try {
    return { ok: true, value: await work(new AbortController().signal) };
  } catch {
    return { ok: false };
  }
};

export interface Asked {
  readonly verb: 'charge' | 'refund' | 'touch';
  readonly counter: Counter;
  readonly units: number;
  /** What became of a charge. */
  isAdmitted?: boolean;
}

export interface WatchedStore extends CounterStore {
  readonly asked: Asked[];
  verbs(): readonly string[];
  /** From now on it does as it is told only where this is empty. */
  fail(error: Error | undefined): void;
}

/** @param store in which the counting is done */
export const watched = (store: CounterStore): WatchedStore => {
  const asked: Asked[] = [];
  let failure: Error | undefined;
  const note = (verb: Asked['verb'], counter: Counter, units: number): Asked => {
    const noted: Asked = { verb, counter, units };
    asked.push(noted);
    if (failure !== undefined) throw failure;
    return noted;
  };
  return {
    asked,
    verbs: () => asked.map(({ verb }) => verb),
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

/** Nobody hurries in a test. */
export const SOME_TIME = Number.POSITIVE_INFINITY;

export const spenderOf = (allowance: Allowance, members: Partial<Spender> = {}): Spender => ({
  partition: 'search#a:somebody',
  allowance,
  ...members,
});

/** The first millisecond of a window of the spender's. */
export const windowStart = ({ allowance, partition }: Spender, now = START): number =>
  windowAt(now, allowance, partition).endsAt;

export interface LimiterBench {
  readonly clock: TestClock;
  readonly store: WatchedStore;
  readonly limiter: Limiter;
  /** Another instance on the same store. @param skew milliseconds by which its clock is ahead */
  another(skew?: number): Limiter;
  charge(units?: number): Promise<Decision>;
  /** How many of so many charges, one after the other, are admitted. */
  admitted(charges: number): Promise<number>;
}

export const limiterBench = (spender: Spender, guard: StoreGuard = patient): LimiterBench => {
  const clock = testClock(windowStart(spender));
  const store = watched(createMemoryCounters(clock.now));
  const another = (skew = 0): Limiter => createLimiter({ store, guard, clock: () => clock.now() + skew });
  const limiter = another();
  const charge = (units?: number) => limiter.charge(spender, SOME_TIME, units);
  return {
    clock,
    store,
    limiter,
    another,
    charge,
    async admitted(charges) {
      let count = 0;
      for (let index = 0; index < charges; index += 1) if ((await charge()).admitted) count += 1;
      return count;
    },
  };
};

/** Of a decision that must be a refusal. */
export const refusalOf = (decision: Decision): Extract<Decision, { admitted: false }> => {
  if (decision.admitted) throw new Error('it was admitted');
  return decision;
};

/** Of a decision that must be an admission. */
export const admissionOf = (decision: Decision): Extract<Decision, { admitted: true }> => {
  if (!decision.admitted) throw new Error('it was refused');
  return decision;
};
