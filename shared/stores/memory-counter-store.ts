// Counters in memory: what an instance counts by while the store does not answer.

import type { Counter, CounterResult, CounterStore } from '../ports/counter-stores.ts';
import type { Clock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const MAX_COUNTERS = 10_000;

interface CounterEntry {
  count: number;
  readonly bursts: Map<number, number>;
  readonly expiresAt: number;
}

/** The same promises as those of the table, within one process. */
export const createMemoryCounterStore = (clock: Clock, maxCounters: number = MAX_COUNTERS): CounterStore => {
  const items = createBoundedMap<CounterEntry>(maxCounters, ({ expiresAt }) => expiresAt * 1000 <= clock());

  const keyOf = ({ partition, startsAt }: Counter): string => `${partition} ${startsAt}`;

  const itemOf = (counter: Counter): CounterEntry => {
    const known = items.get(keyOf(counter));
    if (known !== undefined) return known;
    const item: CounterEntry = { count: 0, bursts: new Map(), expiresAt: counter.expiresAt };
    items.set(keyOf(counter), item);
    return item;
  };

  const add = (item: CounterEntry, { burst }: Counter, units: number): void => {
    item.count += units;
    if (burst !== undefined) item.bursts.set(burst.index, (item.bursts.get(burst.index) ?? 0) + units);
  };

  return {
    async charge(counter, units): Promise<CounterResult> {
      const item = itemOf(counter);
      const { limit, burst } = counter;
      if (item.count > limit - units) return { admitted: false, full: 'window' };
      const burstCount = burst === undefined ? 0 : (item.bursts.get(burst.index) ?? 0);
      if (burst !== undefined && burstCount > burst.limit - units) return { admitted: false, full: 'burst' };
      add(item, counter, units);
      return { admitted: true, count: item.count, ...(burst && { burstCount: burstCount + units }) };
    },
    async refund(counter, units) {
      const item = items.get(keyOf(counter));
      const { burst } = counter;
      const burstCount = burst === undefined ? units : (item?.bursts.get(burst.index) ?? 0);
      if (item !== undefined && item.count >= units && burstCount >= units) add(item, counter, -units);
    },
    async touch() {},
  };
};
