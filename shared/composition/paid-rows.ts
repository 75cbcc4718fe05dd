// Builds the ceiling of billed rows from the environment.

import { paidRowsSetting } from '../contract/providers.ts';
import { tables } from '../contract/tables.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { PaidRowStore, PaidRows } from '../ports/stores.ts';
import { createPaidRows } from '../rate-limit/paid-rows.ts';
import { paidRowCeiling } from '../settings/feature-parsers.ts';
import { createStoreConnection, createStoreGuard } from '../stores/store-guard.ts';
import { type Environment, parseVariable, readVariable } from './environment.ts';

const lazyStore = (environment: Environment): PaidRowStore => {
  let loading: Promise<PaidRowStore> | undefined;
  const load = (): Promise<PaidRowStore> => {
    loading ??= import('./paid-row-store.ts').then((module) => module.paidRowStoreFromEnvironment(environment));
    return loading;
  };
  return {
    reserve: async (...reservation) => (await load()).reserve(...reservation),
    correct: async (...correction) => (await load()).correct(...correction),
  };
};

/** @returns 0: no ceiling @throws Error if the setting is invalid */
export const readPaidRowCeiling = (environment: Environment): number =>
  parseVariable(environment, paidRowsSetting.variable, paidRowCeiling) ?? Number(paidRowsSetting.preset);

/**
 * A process without the counters table, such as `npm run read`, counts in its memory.
 *
 * @returns undefined: no ceiling @throws Error if a setting is invalid
 */
export const paidRowsFromEnvironment = (
  environment: Environment,
  { clock, wall, log }: HttpPorts,
): PaidRows | undefined => {
  const ceiling = readPaidRowCeiling(environment);
  if (ceiling === 0) return undefined;
  const hasTable = readVariable(environment, tables.counters.variable) !== undefined;
  const connection = createStoreConnection(clock);
  return createPaidRows({
    store: hasTable ? lazyStore(environment) : undefined,
    guard: createStoreGuard('paid_rows', { clock, log, random: Math.random, connection }),
    ceiling,
    clock,
    wall,
    log,
  });
};
