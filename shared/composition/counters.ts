// Chooses by COUNTER_STORE where allowances are counted.
import { paidRowsPartition } from '../contract/providers.ts';
import type { CounterStore, ProcessCounters, UsageReader } from '../ports/stores.ts';
import type { WallClock } from '../ports/system.ts';
import { counterStore } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { countInProcess, createProcessCounters, PROCESS_COUNTERS } from '../stores/process-counters.ts';
import { type Environment, parseVariable } from './environment.ts';

/** @returns undefined: the table counts */
const processCounters = (environment: Environment, wall: WallClock): ProcessCounters | undefined => {
  if (parseVariable(environment, env.counterStore, counterStore) !== 'memory') return undefined;
  const shared: ProcessCounters | undefined = Reflect.get(process, PROCESS_COUNTERS);
  // A function alone in its process shares with none.
  return shared ?? createProcessCounters(wall);
};

/** Reads the windows of allowances where they are counted, and all else from the table. */
const usageIn = (counters: ProcessCounters, stored: UsageReader): UsageReader => ({
  spentSince: (partition, since) => (partition === paidRowsPartition ? stored : counters).spentSince(partition, since),
  latest: stored.latest,
});

export interface Counters {
  readonly store: CounterStore;
  usageReader(stored: UsageReader): UsageReader;
}

/** @param stored the counters table @throws Error if the setting is invalid */
export const countersFromEnvironment = (environment: Environment, stored: CounterStore, wall: WallClock): Counters => {
  const counters = processCounters(environment, wall);
  return counters === undefined
    ? { store: stored, usageReader: (reader) => reader }
    : { store: countInProcess(counters, stored), usageReader: (reader) => usageIn(counters, reader) };
};
