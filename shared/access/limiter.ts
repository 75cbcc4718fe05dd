// Counts what callers spend: one conditional write per decision, and none where the answer is known already. While the
// store does not answer, a part of the limit is counted in memory; nobody is ever without a limit.

import { createBoundedMap } from '../bounded-map.ts';
import { type Allowance, allowanceText } from '../contract/allowances.ts';
import type { Charge, Clock, Counter, CounterStore, Deadline } from '../ports.ts';
import { createMemoryCounters } from './memory-counters.ts';
import type { StoreGuard } from './store-guard.ts';
import { type Window, windowAt } from './window.ts';

const MAX_REMEMBERED = 10_000;
/** How long counters stay that nobody asks for any more: for the figures of a day. */
const KEPT_SECONDS = 86_400;
/** The first use of a key on a day is known for so long. */
const KEPT_SECONDS_OF_USE = 400 * 86_400;
/** Instances that count for themselves get this part of a limit each. */
const SHARE_WITHOUT_STORE = 4;
/** What is done when the answer is known already: the attempt's own limit is limit enough. */
const ONCE = { deadline: Number.POSITIVE_INFINITY, attempts: 1 };
/** So many left after the last charge, and the next one is as good as admitted. */
const COMFORTABLE = 5;

export interface Spender {
  /** Whose allowance, and which. */
  readonly partition: string;
  readonly allowance: Allowance;
  /** Its uses are noted, by day. */
  readonly isKeyed?: boolean;
}

export interface Remaining {
  readonly count: number;
  /** Of the burst limit. */
  readonly burst?: { readonly count: number; readonly endsAt: number };
}

export interface Refusal {
  readonly admitted: false;
  readonly full: 'window' | 'burst';
  /** When there will be room. */
  readonly endsAt: number;
  /** By the store's own count. */
  readonly isCertain: boolean;
}

export type Decision =
  | {
      readonly admitted: true;
      /** When the window is over. */
      readonly endsAt: number;
      /** Unset where only memory counts. */
      readonly remaining?: Remaining;
      /** Gives the units back. Never rejects. */
      refund(): Promise<void>;
    }
  | Refusal;

export interface Limiter {
  /** Never rejects. @param units all or none */
  charge(spender: Spender, deadline: Deadline, units?: number): Promise<Decision>;
  /** What a charge would surely get, where that is a refusal. */
  refusal(spender: Spender): Refusal | undefined;
  /** Whether a charge is as good as admitted. */
  isLikely(spender: Spender): boolean;
  /** Notes a use that costs nothing, where today's is not noted yet. Never rejects. */
  noteUse(spender: Spender): Promise<void>;
}

/** What the last charge of this instance said, and until when it holds. */
interface Known {
  readonly allowance: string;
  readonly until: number;
  readonly left: number;
  /** It was refused: a full window stays full unless something is given back. */
  readonly full?: 'window' | 'burst';
}

export interface LimiterOptions {
  readonly store: CounterStore;
  readonly guard: StoreGuard;
  readonly clock: Clock;
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const withoutStore = (counter: Counter, { endsAt }: Window): Counter => {
  const shareOf = (limit: number): number => Math.max(1, Math.ceil(limit / SHARE_WITHOUT_STORE));
  const { limit, burst } = counter;
  return {
    ...counter,
    limit: shareOf(limit),
    ...(burst && { burst: { ...burst, limit: shareOf(burst.limit) } }),
    expiresAt: Math.ceil(endsAt / 1000), // no figures are made of these
  };
};

const remainingOf = (
  { count, burstCount = 0 }: Extract<Charge, { admitted: true }>,
  { count: limit, burst: burstLimit }: Allowance,
  { burst }: Window,
): Remaining => ({
  count: limit - count,
  ...(burst && burstLimit && { burst: { count: burstLimit.count - burstCount, endsAt: burst.endsAt } }),
});

const endOf = ({ endsAt, burst }: Window, full: 'window' | 'burst'): number =>
  full === 'burst' && burst !== undefined ? burst.endsAt : endsAt;

export const createLimiter = ({ store, guard, clock }: LimiterOptions): Limiter => {
  const memory = createMemoryCounters(clock);
  const known = createBoundedMap<Known>(MAX_REMEMBERED);
  /** The day on which this instance noted the use of a key. */
  const noted = createBoundedMap<string>(MAX_REMEMBERED);

  const counterOf = ({ partition, allowance, isKeyed }: Spender, window: Window, today: string): Counter => {
    const isKept = isKeyed === true && noted.get(partition) !== today;
    return {
      partition,
      startsAt: window.startsAt,
      limit: allowance.count,
      ...(window.burst && allowance.burst && { burst: { index: window.burst.index, limit: allowance.burst.count } }),
      expiresAt: Math.ceil(window.endsAt / 1000) + (isKept ? KEPT_SECONDS_OF_USE : KEPT_SECONDS),
      ...(isKeyed && { usedOn: today, isKept }),
    };
  };

  const knownOf = ({ partition, allowance }: Spender): Known | undefined => {
    const last = known.get(partition);
    // The operator may have changed the allowance since.
    return last !== undefined && last.until > clock() && last.allowance === allowanceText(allowance) ? last : undefined;
  };

  const refusal = (spender: Spender): Refusal | undefined => {
    const last = knownOf(spender);
    return last?.full && { admitted: false, full: last.full, endsAt: last.until, isCertain: true };
  };

  const remember = ({ partition, allowance }: Spender, facts: Omit<Known, 'allowance'>): void =>
    known.set(partition, { ...facts, allowance: allowanceText(allowance) });

  const giveBack = async (spender: Spender, counter: Counter, units: number): Promise<void> => {
    // A second attempt could give back twice.
    await guard((signal) => store.refund(counter, units, signal), ONCE);
    known.delete(spender.partition); // there is room again
  };

  const chargeMemory = async (window: Window, counter: Counter, units: number): Promise<Decision> => {
    const reduced = withoutStore(counter, window);
    const charge = await memory.charge(reduced, units);
    return charge.admitted
      ? { admitted: true, endsAt: window.endsAt, refund: () => memory.refund(reduced, units) }
      : { admitted: false, full: charge.full, endsAt: endOf(window, charge.full), isCertain: false };
  };

  const noteDay = ({ partition }: Spender, { usedOn }: Counter): void => {
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

    refusal,

    isLikely: (spender) => (knownOf(spender)?.left ?? 0) > COMFORTABLE,

    async noteUse(spender) {
      const now = clock();
      const counter = counterOf(spender, windowAt(now, spender.allowance, spender.partition), dayOf(now));
      if (!counter.isKept) return;
      const tried = await guard((signal) => store.touch(counter, signal), ONCE);
      if (tried.ok) noteDay(spender, counter);
    },
  };
};
