// Admits or denies charges with a fixed-window algorithm (requirements: allowances).
//
// Architecture. A charge names an allowance subject: a counter partition and its allowance, for example 60 units per 60 s
// and 10 units per burst part of 10 s. The counter store counts one item per partition and window. Callers of this module
// decide which subjects a request charges: allowance-limiter.ts for callers, allowance-pool.ts for the shared pool.
//
// Algorithm. Windows have a fixed length and an offset per partition (window.ts), so that waiting clients do not all
// return in the same second. A charge is one conditional write: it adds the units if the window and the burst part both
// have space, so at most the limit is admitted in a window, whatever the concurrency and the number of instances. Any
// interval as long as the window can contain up to twice the limit, at a boundary; the burst limit bounds that.
// A denial of 1 unit is remembered in memory until the window or the burst part ends, so repeated denials make no store
// call. The windows follow the time of day, because all instances share them; what is remembered follows a clock that never
// jumps. A refund on the same instance forgets the denial. A refund on another instance does not, so that a charge may be
// denied although 1 unit is free again.
//
// Bounds. One store write per charge, and a second one only if a charge with a burst limit is denied. 10,000 denials and
// 10,000 days of use are remembered; an evicted denial costs one more write. Counters expire 1 day after their window;
// the first use of a key on a day is kept for 400 days. Times are milliseconds, expiries epoch seconds.
//
// Counters in this process (stores/process-counters.ts) need no guard: they always answer, in no time. Their expiry is the
// end of the window.
//
// Failure. If the store does not answer in time, the charge is counted in memory, per instance, against the same limit,
// because a denial names this limit. A limit that all callers share is divided by 4 and rounded up. The result of the
// failed write is unknown, so the store may count that charge as well. Such a decision is not certain: it carries no
// remaining units, so no RateLimit field is sent. A charge is never admitted without a limit. Refunds are sent once,
// because a repeated refund could subtract twice; a lost refund stays charged.
import { type Allowance, formatAllowance } from '../contract/allowances.ts';
import { COUNTER_KEPT_SECONDS, KEY_USE_KEPT_SECONDS } from '../contract/tables.ts';
import { elapsed, later, type Monotonic } from '../model/time.ts';
import type { Counter, CounterResult, CounterStore } from '../ports/stores.ts';
import type { Clock, Deadline, WallClock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';
import { createMemoryCounterStore } from '../stores/memory-counter-store.ts';
import { SINGLE_ATTEMPT, type StoreGuard } from '../stores/store-guard.ts';
import { type RateLimitWindow, windowAt } from './window.ts';

const MAX_REMEMBERED = 10_000;
/** While the store does not answer, each instance counts a limit that all callers share divided by this number. */
const SHARED_LIMIT_DIVISOR = 4;

export interface AllowanceSubject {
  /** Partition key of the counter: the allowance's name and the caller's identity, key id or `pool`. */
  readonly partition: string;
  readonly allowance: Allowance;
  /** The day of use is recorded only for callers with an API key. */
  readonly isKeyed?: boolean;
  /** All callers of all instances share the allowance, so no caller can know how much of it is theirs. */
  readonly isShared?: boolean;
}

export interface RemainingUnits {
  readonly count: number;
  /** Units and end of the current burst part. */
  readonly burst?: { readonly count: number; readonly endsAt: number };
}

export interface DeniedCharge {
  readonly admitted: false;
  readonly full: 'window' | 'burst';
  /** Milliseconds since the epoch at which the full window or burst part ends. */
  readonly endsAt: number;
  /** The store counted, not the memory of one instance. */
  readonly isCertain: boolean;
}

export type ChargeDecision =
  | {
      readonly admitted: true;
      /** Milliseconds since the epoch at which the window ends. */
      readonly endsAt: number;
      /** Unset if only memory counted. */
      readonly remaining?: RemainingUnits;
      /** Takes the units back. Never rejects. */
      refund(): Promise<void>;
    }
  | DeniedCharge;

export interface FixedWindowLimiter {
  /** Never rejects. @param units admitted together or not at all @default 1 */
  charge(subject: AllowanceSubject, deadline: Deadline, units?: number): Promise<ChargeDecision>;
  /** @returns the remembered denial that a charge of 1 unit would get; undefined: only the store can decide */
  knownDenial(subject: AllowanceSubject): DeniedCharge | undefined;
  /** A charge records the day of use. */
  readonly recordsUse: boolean;
  /** Records today as a day of use without a charge, once per instance and day. Never rejects. */
  recordUse(subject: AllowanceSubject): Promise<void>;
}

/** A denied charge stays denied until the window or the burst part ends, unless units are refunded. */
interface CachedDenial {
  readonly allowance: string;
  readonly full: 'window' | 'burst';
  /** On the clock of durations, so that a jump of the time of day does not prolong it. */
  readonly until: Monotonic;
}

export interface FixedWindowLimiterOptions {
  readonly store: CounterStore;
  /** Not used for counters in this process. */
  readonly guard: StoreGuard;
  readonly clock: Clock;
  /** For the windows, which all instances share. */
  readonly wall: WallClock;
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const memoryCounter = (counter: Counter, { endsAt }: RateLimitWindow, isShared = false): Counter => {
  const limitOf = (limit: number): number => (isShared ? Math.ceil(limit / SHARED_LIMIT_DIVISOR) : limit);
  const { limit, burst } = counter;
  return {
    ...counter,
    limit: limitOf(limit),
    ...(burst && { burst: { ...burst, limit: limitOf(burst.limit) } }),
    expiresAt: Math.ceil(endsAt / 1000),
  };
};

const remainingOf = (
  { count, burstCount = 0 }: Extract<CounterResult, { admitted: true }>,
  { count: limit, burst: burstLimit }: Allowance,
  { burst }: RateLimitWindow,
): RemainingUnits => ({
  count: limit - count,
  ...(burst && burstLimit && { burst: { count: burstLimit.count - burstCount, endsAt: burst.endsAt } }),
});

const endOf = ({ endsAt, burst }: RateLimitWindow, full: 'window' | 'burst'): number =>
  full === 'burst' && burst !== undefined ? burst.endsAt : endsAt;

/** No call fails or takes time. */
const UNGUARDED: StoreGuard = async (work) => ({ ok: true, value: await work(NO_ABORT) });
const NO_ABORT = new AbortController().signal;

export const createFixedWindowLimiter = ({
  store,
  guard: guardOfStore,
  clock,
  wall,
}: FixedWindowLimiterOptions): FixedWindowLimiter => {
  const { isInProcess = false } = store;
  const guard = isInProcess ? UNGUARDED : guardOfStore;
  const memory = createMemoryCounterStore(() => wall.now());
  const denials = createBoundedMap<CachedDenial>(MAX_REMEMBERED);
  /** The last day of use that this instance recorded, by partition. */
  const recordedDays = createBoundedMap<string>(MAX_REMEMBERED);

  const counterOf = (
    { partition, allowance, isKeyed, isShared }: AllowanceSubject,
    window: RateLimitWindow,
    today: string,
  ): Counter => {
    const extendsExpiry = isKeyed === true && recordedDays.get(partition) !== today;
    return {
      partition,
      startsAt: window.startsAt,
      limit: allowance.count,
      ...(window.burst && allowance.burst && { burst: { index: window.burst.index, limit: allowance.burst.count } }),
      expiresAt: Math.ceil(window.endsAt / 1000) + (extendsExpiry ? KEY_USE_KEPT_SECONDS : COUNTER_KEPT_SECONDS),
      ...(isKeyed && { usedOn: today, extendsExpiry }),
      ...((isKeyed || isShared) && { isReported: true }),
    };
  };

  const knownDenial = ({ partition, allowance }: AllowanceSubject): DeniedCharge | undefined => {
    const last = denials.get(partition);
    // The operator may have changed the allowance after the denial.
    if (last === undefined || last.until <= clock() || last.allowance !== formatAllowance(allowance)) return undefined;
    return { admitted: false, full: last.full, endsAt: wall.now() + elapsed(clock(), last.until), isCertain: true };
  };

  const refund = async (subject: AllowanceSubject, counter: Counter, units: number): Promise<void> => {
    // A second attempt could subtract the units twice.
    await guard((signal) => store.refund(counter, units, signal), SINGLE_ATTEMPT);
    denials.delete(subject.partition);
  };

  const chargeMemory = async (window: RateLimitWindow, counter: Counter, units: number): Promise<ChargeDecision> => {
    const charge = await memory.charge(counter, units);
    return charge.admitted
      ? { admitted: true, endsAt: window.endsAt, refund: () => memory.refund(counter, units) }
      : { admitted: false, full: charge.full, endsAt: endOf(window, charge.full), isCertain: false };
  };

  const rememberDay = ({ partition }: AllowanceSubject, { usedOn }: Counter): void => {
    if (usedOn !== undefined) recordedDays.set(partition, usedOn);
  };

  return {
    async charge(subject, deadline, units = 1) {
      const denial = knownDenial(subject);
      if (denial !== undefined) return denial;
      const now = wall.now();
      const window = windowAt(now, subject.allowance, subject.partition);
      const stored = counterOf(subject, window, dayOf(now));
      const counter = isInProcess ? memoryCounter(stored, window) : stored;
      const result = await guard((signal) => store.charge(counter, units, signal), { deadline, attempts: 1 });
      if (!result.ok) return chargeMemory(window, memoryCounter(counter, window, subject.isShared), units);
      const charge = result.value;
      if (!charge.admitted) {
        const { full } = charge;
        const endsAt = endOf(window, full);
        // A charge of several units may be denied while a charge of 1 unit is admitted.
        if (units === 1) {
          const until = later(clock(), endsAt - wall.now());
          denials.set(subject.partition, { allowance: formatAllowance(subject.allowance), full, until });
        }
        return { admitted: false, full, endsAt, isCertain: true };
      }
      if (!isInProcess) rememberDay(subject, counter);
      return {
        admitted: true,
        endsAt: window.endsAt,
        remaining: remainingOf(charge, subject.allowance, window),
        refund: () => refund(subject, counter, units),
      };
    },

    knownDenial,

    recordsUse: !isInProcess,

    async recordUse(subject) {
      const now = wall.now();
      const counter = counterOf(subject, windowAt(now, subject.allowance, subject.partition), dayOf(now));
      if (!counter.extendsExpiry) return;
      const result = await guard((signal) => store.touch(counter, signal), SINGLE_ATTEMPT);
      if (result.ok && !isInProcess) rememberDay(subject, counter);
    },
  };
};
