// Counts in the memory of the one process of a local service. Its functions have a module instance each, and share one of
// these stores (infra/local/function-host.ts).
//
//   counters   units by partition and window, until the window ends: at most 50,000
//   usage      the windows of the last 24 hours of API keys and pools, for the dashboard. Those that are over are kept by the
//              quarter of an hour, so that a partition has at most about a hundred; at most 10,000 partitions
//   days       the last day of use that was recorded of an API key, so that all functions record it once
import { DAY_MILLISECONDS } from '../model/instant-text.ts';
import type { Counter, CounterStore, ProcessCounters, WindowUsage } from '../ports/stores.ts';
import type { WallClock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';
import { createMemoryCounterStore } from './memory-counter-store.ts';

/**
 * The member of the process object of a function in which the local service hands over the counters that its functions share.
 * It is a registered symbol, because each function has its own instance of this module.
 */
export const PROCESS_COUNTERS = Symbol.for('postern.process-counters');

const MAX_COUNTERS = 50_000;
const MAX_PARTITIONS = 10_000;
const QUARTER_MILLISECONDS = 900_000;

interface Spent {
  readonly startsAt: number;
  count: number;
}

const quarterOf = ({ startsAt }: Spent): number => Math.floor(startsAt / QUARTER_MILLISECONDS);

export const createProcessCounters = (wall: WallClock): ProcessCounters => {
  const counters = createMemoryCounterStore(() => wall.now(), MAX_COUNTERS);
  /** The windows of a partition, oldest first. */
  const usage = createBoundedMap<Spent[]>(MAX_PARTITIONS);
  const days = createBoundedMap<string>(MAX_PARTITIONS);

  const windowsOf = (partition: string): Spent[] => {
    const existing = usage.get(partition);
    if (existing !== undefined) return existing;
    const windows: Spent[] = [];
    usage.set(partition, windows);
    return windows;
  };

  /** The last window is over. */
  const mergeLast = (windows: Spent[]): void => {
    const [before, last] = windows.slice(-2);
    if (before === undefined || last === undefined || quarterOf(before) !== quarterOf(last)) return;
    before.count += last.count;
    windows.pop();
  };

  const report = ({ partition, startsAt, isReported }: Counter, units: number): void => {
    if (!isReported) return;
    const windows = windowsOf(partition);
    const current = windows.findLast((window) => window.startsAt <= startsAt);
    // A refund after the end of its window finds the quarter of an hour that has it.
    if (current !== undefined && (current.startsAt === startsAt || units < 0)) {
      current.count += units;
      return;
    }
    if (units < 0) return;
    mergeLast(windows);
    windows.push({ startsAt, count: units });
    while (windows[0] !== undefined && windows[0].startsAt < wall.now() - DAY_MILLISECONDS - QUARTER_MILLISECONDS)
      windows.shift();
  };

  return {
    async charge(counter, units) {
      const result = await counters.charge(counter, units);
      if (result.admitted) report(counter, units);
      return result;
    },

    async refund(counter, units) {
      await counters.refund(counter, units);
      report(counter, -units);
    },

    async spentSince(partition, since) {
      const windows: readonly WindowUsage[] = usage.get(partition) ?? [];
      return windows.filter(({ startsAt }) => startsAt >= since).map((window) => ({ ...window }));
    },

    recordDay(partition, day) {
      if (days.get(partition) === day) return false;
      days.set(partition, day);
      return true;
    },

    forgetDay: days.delete,
  };
};

/**
 * A counter store whose counters are in this process. The days of use stay in the table, in which they outlive the process:
 * one write per key and day, for which no request waits.
 */
export const countInProcess = (process: ProcessCounters, stored: CounterStore): CounterStore => ({
  isInProcess: true,
  charge: process.charge,
  refund: process.refund,
  async touch(counter) {
    const { partition, usedOn } = counter;
    if (usedOn === undefined || !process.recordDay(partition, usedOn)) return;
    // The next request with the key tries again.
    stored.touch(counter).catch(() => process.forgetDay(partition));
  },
});
