// How often a charge is given back for a read that failed: once a minute for each caller and subject, and in a window no
// more often than the allowance has reads. Without a bound, asking a provider for what fails would be free without end.

import type { Allowance } from '../contract/allowances.ts';
import type { Clock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const SUBJECT_MILLISECONDS = 60_000;
const MAX_SUBJECTS = 10_000;
const MAX_CALLERS = 10_000;

export interface RefundLimit {
  /**
   * Whether a charge may be given back; to be asked once for each.
   *
   * @param partition whose allowance was charged, and which
   * @param subject what failed; unset: the request was not valid, which is no subject's fault
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
      const last = key === undefined ? undefined : refundedAt.get(key);
      if (last !== undefined && now - last < SUBJECT_MILLISECONDS) return false;
      const known = windows.get(partition);
      const window = known !== undefined && known.endsAt > now ? known : { endsAt: now + seconds * 1000, refunds: 0 };
      if (window.refunds >= count) return false;
      if (key !== undefined) refundedAt.set(key, now);
      windows.set(partition, { ...window, refunds: window.refunds + 1 });
      return true;
    },
  };
};
