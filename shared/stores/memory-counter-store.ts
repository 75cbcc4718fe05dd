// Counts in the memory of one instance: for fair use, and for allowances while the counter store does not answer.
import type { Counter, CounterResult, CounterStore } from '../ports/stores.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const MAX_COUNTERS = 10_000;

interface CounterEntry {
  count: number;
  /** Unset: no burst limit. */
  bursts?: Map<number, number>;
  readonly expiresAt: number;
}

/**
 * Exact within one process. Evicts expired counters first, then the oldest; an evicted counter starts again at 0.
 *
 * @param clock of the counters' windows
 */
export const createMemoryCounterStore = (clock: () => number, maxCounters: number = MAX_COUNTERS): CounterStore => {
  const entries = createBoundedMap<CounterEntry>(maxCounters, ({ expiresAt }) => expiresAt * 1000 <= clock());

  const keyOf = ({ partition, startsAt }: Counter): string => `${partition} ${startsAt}`;

  const entryOf = (counter: Counter): CounterEntry => {
    const existing = entries.get(keyOf(counter));
    if (existing !== undefined) return existing;
    const entry: CounterEntry = { count: 0, expiresAt: counter.expiresAt };
    entries.set(keyOf(counter), entry);
    return entry;
  };

  const add = (entry: CounterEntry, { burst }: Counter, units: number): void => {
    entry.count += units;
    if (burst === undefined) return;
    entry.bursts ??= new Map();
    entry.bursts.set(burst.index, (entry.bursts.get(burst.index) ?? 0) + units);
  };

  return {
    async charge(counter, units): Promise<CounterResult> {
      const entry = entryOf(counter);
      const { limit, burst } = counter;
      if (entry.count > limit - units) return { admitted: false, full: 'window' };
      const burstCount = burst === undefined ? 0 : (entry.bursts?.get(burst.index) ?? 0);
      if (burst !== undefined && burstCount > burst.limit - units) return { admitted: false, full: 'burst' };
      add(entry, counter, units);
      return { admitted: true, count: entry.count, ...(burst && { burstCount: burstCount + units }) };
    },
    async refund(counter, units) {
      const entry = entries.get(keyOf(counter));
      const { burst } = counter;
      const burstCount = burst === undefined ? units : (entry?.bursts?.get(burst.index) ?? 0);
      if (entry !== undefined && entry.count >= units && burstCount >= units) add(entry, counter, -units);
    },
    async touch() {},
  };
};
