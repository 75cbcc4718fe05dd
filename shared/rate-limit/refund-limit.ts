// Limits refunds of failed requests: once per 60 s for each partition and query, and per window at most as many as
// the allowance has units. Without a limit, a caller could repeat a failing provider call at no cost.
import type { Allowance } from '../contract/allowances.ts';
import { elapsed, later, type Monotonic, NEVER_BEFORE } from '../model/time.ts';
import type { Clock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const QUERY_MILLISECONDS = 60_000;
const MAX_QUERIES = 10_000;
const MAX_CALLERS = 10_000;

/**
 * Counts a refund and returns if it is allowed. Call it once per refund.
 *
 * @param partition partition key of the charged counter
 * @param queryKey the post, profile or query that failed; unset: the request was not valid
 */
export type AllowsRefund = (partition: string, allowance: Allowance, queryKey: string | undefined) => boolean;

export const createRefundLimit = (clock: Clock): AllowsRefund => {
  const refundedAt = createBoundedMap<Monotonic>(MAX_QUERIES);
  const windows = createBoundedMap<{ readonly endsAt: Monotonic; readonly refunds: number }>(MAX_CALLERS);

  return (partition, { count, seconds }, queryKey) => {
    const now = clock();
    const key = queryKey === undefined ? undefined : JSON.stringify([partition, queryKey]);
    const lastRefund = key === undefined ? undefined : refundedAt.get(key);
    if (elapsed(lastRefund ?? NEVER_BEFORE, now) < QUERY_MILLISECONDS) return false;
    const last = windows.get(partition);
    const window = last !== undefined && last.endsAt > now ? last : { endsAt: later(now, seconds * 1000), refunds: 0 };
    if (window.refunds >= count) return false;
    if (key !== undefined) refundedAt.set(key, now);
    windows.set(partition, { ...window, refunds: window.refunds + 1 });
    return true;
  };
};
