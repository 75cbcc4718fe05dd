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
/** So many left after the last charge, and the next one is as good as admitted. */
const LIKELY_ADMITTED_ABOVE = 5;

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
  /** Whether a charge is as good as admitted. */
  isLikelyAdmitted(spender: AllowanceSubject): boolean;
  /** Notes a use that costs nothing, where today's is not noted yet. Never rejects. */
  recordUse(spender: AllowanceSubject): Promise<void>;
}

/** What the last charge of this instance said, and until when it holds. */
interface CachedDecision {
  readonly allowance: string;
  readonly until: number;
  readonly left: number;
  /** It was refused: a full window stays full unless something is given back. */
  readonly full?: 'window' | 'burst';
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
  const known = createBoundedMap<CachedDecision>(MAX_REMEMBERED);
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

  const knownOf = ({ partition, allowance }: AllowanceSubject): CachedDecision | undefined => {
    const last = known.get(partition);
    // The operator may have changed the allowance since.
    return last !== undefined && last.until > clock() && last.allowance === formatAllowance(allowance)
      ? last
      : undefined;
  };

  const refusal = (spender: AllowanceSubject): DeniedCharge | undefined => {
    const last = knownOf(spender);
    return last?.full && { admitted: false, full: last.full, endsAt: last.until, isCertain: true };
  };

  const remember = ({ partition, allowance }: AllowanceSubject, facts: Omit<CachedDecision, 'allowance'>): void =>
    known.set(partition, { ...facts, allowance: formatAllowance(allowance) });

  const giveBack = async (spender: AllowanceSubject, counter: Counter, units: number): Promise<void> => {
    // A second attempt could give back twice.
    await guard((signal) => store.refund(counter, units, signal), SINGLE_ATTEMPT);
    known.delete(spender.partition); // there is room again
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
      const refused = refusal(spender);
      if (refused !== undefined) return refused;
      const now = clock();
      const window = windowAt(now, spender.allowance, spender.partition);
      const counter = counterOf(spender, window, dayOf(now));
      const tried = await guard((signal) => store.charge(counter, units, signal), { deadline, attempts: 1 });
      if (!tried.ok) return chargeMemory(window, counter, units);
      const charge = tried.value;
      if (!charge.admitted) {
        const { full } = charge;
        const endsAt = endOf(window, full);
        // Of several units, one may still find room.
        if (units === 1) remember(spender, { until: endsAt, left: 0, full });
        return { admitted: false, full, endsAt, isCertain: true };
      }
      noteDay(spender, counter);
      const remaining = remainingOf(charge, spender.allowance, window);
      const { count, burst } = remaining;
      const { endsAt } = window;
      remember(spender, { until: burst?.endsAt ?? endsAt, left: Math.min(count, burst?.count ?? count) });
      return { admitted: true, endsAt, remaining, refund: () => giveBack(spender, counter, units) };
    },

    knownDenial: refusal,

    isLikelyAdmitted: (spender) => (knownOf(spender)?.left ?? 0) > LIKELY_ADMITTED_ABOVE,

    async recordUse(spender) {
      const now = clock();
      const counter = counterOf(spender, windowAt(now, spender.allowance, spender.partition), dayOf(now));
      if (!counter.extendsExpiry) return;
      const tried = await guard((signal) => store.touch(counter, signal), SINGLE_ATTEMPT);
      if (tried.ok) noteDay(spender, counter);
    },
  };
};
