// Counts what callers spend: one conditional write per decision, and none where the answer is known already. While the
// store does not answer, a part of the limit is counted in memory; nobody is ever without a limit.

import { type Allowance, formatAllowance } from '../contract/allowances.ts';
import type { Counter, CounterResult, CounterStore } from '../ports/counter-stores.ts';
import type { Clock, Deadline } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';
import { createMemoryCounterStore } from '../stores/memory-counter-store.ts';
import type { StoreGuard } from '../stores/store-guard.ts';
import { type RateLimitWindow, windowAt } from './window.ts';

const MAX_REMEMBERED = 10_000;
/** How long counters stay that nobody asks for any more: for the figures of a day. */
const KEPT_SECONDS = 86_400;
/** The first use of a key on a day is known for so long. */
const KEPT_SECONDS_OF_USE = 400 * 86_400;
/** Instances that count for themselves get this part of a limit each. */
const FALLBACK_LIMIT_DIVISOR = 4;
/** What is done when the answer is known already: the attempt's own limit is limit enough. */
const SINGLE_ATTEMPT = { deadline: Number.POSITIVE_INFINITY, attempts: 1 };

export interface AllowanceSubject {
  /** Whose allowance, and which. */
  readonly partition: string;
  readonly allowance: Allowance;
  /** Its uses are noted, by day. */
  readonly isKeyed?: boolean;
}

export interface RemainingUnits {
  readonly count: number;
  /** Of the burst limit. */
  readonly burst?: { readonly count: number; readonly endsAt: number };
}

export interface DeniedCharge {
  readonly admitted: false;
  readonly full: 'window' | 'burst';
  /** When there will be room. */
  readonly endsAt: number;
  /** By the store's own count. */
  readonly isCertain: boolean;
}

export type ChargeDecision =
  | {
      readonly admitted: true;
      /** When the window is over. */
      readonly endsAt: number;
      /** Unset where only memory counts. */
      readonly remaining?: RemainingUnits;
      /** Gives the units back. Never rejects. */
      refund(): Promise<void>;
    }
  | DeniedCharge;

export interface FixedWindowLimiter {
  /** Never rejects. @param units all or none */
  charge(spender: AllowanceSubject, deadline: Deadline, units?: number): Promise<ChargeDecision>;
  /** What a charge would surely get, where that is a refusal. */
  knownDenial(spender: AllowanceSubject): DeniedCharge | undefined;
  /** Notes a use that costs nothing, where today's is not noted yet. Never rejects. */
  recordUse(spender: AllowanceSubject): Promise<void>;
}

/** A denied charge stays denied until the window or the burst part ends, unless units are refunded. */
interface CachedDenial {
  readonly allowance: string;
  readonly full: 'window' | 'burst';
  readonly endsAt: number;
}

export interface FixedWindowLimiterOptions {
  readonly store: CounterStore;
  readonly guard: StoreGuard;
  readonly clock: Clock;
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const withoutStore = (counter: Counter, { endsAt }: RateLimitWindow): Counter => {
  const shareOf = (limit: number): number => Math.max(1, Math.ceil(limit / FALLBACK_LIMIT_DIVISOR));
  const { limit, burst } = counter;
  return {
    ...counter,
    limit: shareOf(limit),
    ...(burst && { burst: { ...burst, limit: shareOf(burst.limit) } }),
    expiresAt: Math.ceil(endsAt / 1000), // no figures are made of these
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

export const createFixedWindowLimiter = ({ store, guard, clock }: FixedWindowLimiterOptions): FixedWindowLimiter => {
  const memory = createMemoryCounterStore(clock);
  const denials = createBoundedMap<CachedDenial>(MAX_REMEMBERED);
  /** The day on which this instance noted the use of a key. */
  const noted = createBoundedMap<string>(MAX_REMEMBERED);

  const counterOf = (
    { partition, allowance, isKeyed }: AllowanceSubject,
    window: RateLimitWindow,
    today: string,
  ): Counter => {
    const isKept = isKeyed === true && noted.get(partition) !== today;
    return {
      partition,
      startsAt: window.startsAt,
      limit: allowance.count,
      ...(window.burst && allowance.burst && { burst: { index: window.burst.index, limit: allowance.burst.count } }),
      expiresAt: Math.ceil(window.endsAt / 1000) + (isKept ? KEPT_SECONDS_OF_USE : KEPT_SECONDS),
      ...(isKeyed && { usedOn: today, extendsExpiry: isKept }),
    };
  };

  const knownDenial = ({ partition, allowance }: AllowanceSubject): DeniedCharge | undefined => {
    const last = denials.get(partition);
    // The operator may have changed the allowance after the denial.
    if (last === undefined || last.endsAt <= clock() || last.allowance !== formatAllowance(allowance)) return undefined;
    return { admitted: false, full: last.full, endsAt: last.endsAt, isCertain: true };
  };

  const giveBack = async (spender: AllowanceSubject, counter: Counter, units: number): Promise<void> => {
    // A second attempt could give back twice.
    await guard((signal) => store.refund(counter, units, signal), SINGLE_ATTEMPT);
    denials.delete(spender.partition);
  };

  const chargeMemory = async (window: RateLimitWindow, counter: Counter, units: number): Promise<ChargeDecision> => {
    const reduced = withoutStore(counter, window);
    const charge = await memory.charge(reduced, units);
    return charge.admitted
      ? { admitted: true, endsAt: window.endsAt, refund: () => memory.refund(reduced, units) }
      : { admitted: false, full: charge.full, endsAt: endOf(window, charge.full), isCertain: false };
  };

  const noteDay = ({ partition }: AllowanceSubject, { usedOn }: Counter): void => {
    if (usedOn !== undefined) noted.set(partition, usedOn);
  };

  return {
    async charge(spender, deadline, units = 1) {
      const denial = knownDenial(spender);
      if (denial !== undefined) return denial;
      const now = clock();
      const window = windowAt(now, spender.allowance, spender.partition);
      const counter = counterOf(spender, window, dayOf(now));
      const tried = await guard((signal) => store.charge(counter, units, signal), { deadline, attempts: 1 });
      if (!tried.ok) return chargeMemory(window, counter, units);
      const charge = tried.value;
      if (!charge.admitted) {
        const { full } = charge;
        const endsAt = endOf(window, full);
        // A charge of several units may be denied while a charge of 1 unit is admitted.
        if (units === 1)
          denials.set(spender.partition, { allowance: formatAllowance(spender.allowance), full, endsAt });
        return { admitted: false, full, endsAt, isCertain: true };
      }
      noteDay(spender, counter);
      return {
        admitted: true,
        endsAt: window.endsAt,
        remaining: remainingOf(charge, spender.allowance, window),
        refund: () => giveBack(spender, counter, units),
      };
    },

    knownDenial,

    async recordUse(spender) {
      const now = clock();
      const counter = counterOf(spender, windowAt(now, spender.allowance, spender.partition), dayOf(now));
      if (!counter.extendsExpiry) return;
      const tried = await guard((signal) => store.touch(counter, signal), SINGLE_ATTEMPT);
      if (tried.ok) noteDay(spender, counter);
    },
  };
};
