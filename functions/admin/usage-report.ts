// Reports the usage of every key, of the allowance pool and of the rows that X bills, the version, and the state of the
// store and of the providers.

import { type Allowance, type Allowances, formatAllowance } from '../../shared/contract/allowances.ts';
import { paidRowsDay, paidRowsPartition } from '../../shared/contract/providers.ts';
import { DAY_MILLISECONDS } from '../../shared/model/instant-text.ts';
import type { ApiKeyRecord, ApiKeyStore, UsageReader, WindowUsage } from '../../shared/ports/stores.ts';
import type { WallClock } from '../../shared/ports/system.ts';
import { keyAllowance, keyPartition, poolPartition } from '../../shared/rate-limit/allowance-limiter.ts';
import { secondsUntil, windowAt } from '../../shared/rate-limit/window.ts';
import type { ProviderState } from '../../shared/upstream/health-check.ts';
import { inGroups } from './key-management.ts';

export interface UsageReportPorts {
  /** The release of the service. */
  readonly version: string;
  readonly keys: ApiKeyStore;
  readonly usage: UsageReader;
  readonly allowances: Allowances;
  /** Rows of the official API per day (UTC); 0: they are not counted. */
  readonly paidRowCeiling: number;
  readonly probe: () => Promise<readonly ProviderState[]>;
  readonly wall: WallClock;
}

export interface WindowUsageView {
  readonly limit: number;
  readonly seconds: number;
  readonly used: number;
  /** Seconds. */
  readonly resets_in: number;
}

/** `pool` and `paid_rows` are null if they are not counted. `defaults` are the allowances of keys that have none of their own. */
export type UsageReport = Awaited<ReturnType<ReturnType<typeof createUsageReport>>>;

const sum = (windows: readonly WindowUsage[]): number => windows.reduce((total, { count }) => total + count, 0);

export const createUsageReport = ({
  version,
  keys,
  usage,
  allowances,
  paidRowCeiling,
  probe,
  wall,
}: UsageReportPorts) => {
  const windowUsage = (windows: readonly WindowUsage[], allowance: Allowance, partition: string): WindowUsageView => {
    const now = wall.now();
    const { startsAt, endsAt } = windowAt(now, allowance, partition);
    const used = windows.find((window) => window.startsAt === startsAt)?.count ?? 0;
    return { limit: allowance.count, seconds: allowance.seconds, used, resets_in: secondsUntil(endsAt, now) };
  };

  const keyUsage = async (key: ApiKeyRecord) => {
    const since = wall.now() - DAY_MILLISECONDS;
    const [search, browse] = await Promise.all([
      usage.spentSince(keyPartition('search', key.id), since),
      usage.spentSince(keyPartition('browse', key.id), since),
    ]);
    return {
      id: key.id,
      search: windowUsage(search, keyAllowance('search', key, allowances), keyPartition('search', key.id)),
      last_24_hours: { search: sum(search), browse: sum(browse) },
    };
  };

  const poolUsage = async (): Promise<WindowUsageView | null> => {
    const { pool } = allowances.search;
    if (pool === undefined) return null;
    const partition = poolPartition('search');
    const windows = await usage.spentSince(partition, windowAt(wall.now(), pool, partition).startsAt);
    return windowUsage(windows, pool, partition);
  };

  const paidRows = async (): Promise<WindowUsageView | null> => {
    if (paidRowCeiling === 0) return null;
    const now = wall.now();
    const { startsAt, endsAt } = paidRowsDay(now);
    const used = sum(await usage.spentSince(paidRowsPartition, startsAt));
    const resetsIn = secondsUntil(endsAt, now);
    return { limit: paidRowCeiling, seconds: DAY_MILLISECONDS / 1000, used, resets_in: resetsIn };
  };

  const readFigures = async () => {
    const rows = await inGroups(await keys.list(), keyUsage);
    return { keys: rows, pool: await poolUsage(), paid_rows: await paidRows(), store: { state: 'up' } };
  };

  /** While the store does not answer, the report says so and has no figures. */
  const storeFigures = () =>
    readFigures().catch(() => ({ keys: [], pool: null, paid_rows: null, store: { state: 'down' } }));

  return async () => {
    const [figures, providers] = await Promise.all([storeFigures(), probe()]);
    const defaults = { search: formatAllowance(allowances.search.keyed) };
    return { version, generated_at: new Date(wall.now()).toISOString(), ...figures, defaults, providers };
  };
};
