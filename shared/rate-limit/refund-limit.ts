// Limits the refunds of failed requests: once per 60 s for each partition and subject, and per window at most as many as
// the allowance has units. Without a limit, a caller could repeat a failing provider call at no cost.
import type { Allowance } from '../contract/allowances.ts';
import type { Clock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const SUBJECT_MILLISECONDS = 60_000;
const MAX_SUBJECTS = 10_000;
const MAX_CALLERS = 10_000;

export interface RefundLimit {
  /**
   * Counts a refund and returns if it is allowed. Call it once per refund.
   *
   * @param partition partition key of the charged counter
   * @param subject the post, profile or query that failed; unset: the request was not valid
   */
  allows(partition: string, allowance: Allowance, subject: string | undefined): boolean;
}

export const createRefundLimit = (clock: Clock): RefundLimit => {
  const refundedAt = createBoundedMap<number>(MAX_SUBJECTS);
  const windows = createBoundedMap<{ readonly endsAt: number; readonly refunds: number }>(MAX_CALLERS);

  return {
    allows(partition, { count, seconds }, subject) {
      const now = clock();
      const key = subject === undefined ? undefined : JSON.stringify([partition, subject]);
      const lastRefund = key === undefined ? undefined : refundedAt.get(key);
      if (lastRefund !== undefined && now - lastRefund < SUBJECT_MILLISECONDS) return false;
      const last = windows.get(partition);
      const window = last !== undefined && last.endsAt > now ? last : { endsAt: now + seconds * 1000, refunds: 0 };
      if (window.refunds >= count) return false;
      if (key !== undefined) refundedAt.set(key, now);
      windows.set(partition, { ...window, refunds: window.refunds + 1 });
      return true;
    },
  };
};
