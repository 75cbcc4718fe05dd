// Charges an allowance that all anonymous callers share. An instance leases several units in one write and spends them in
// memory, so that the single counter of the pool is not written for every request.
//
// A lease is 1/20 of the allowance, at least 1 and at most 10 units. It ends with the window, or with the burst part if
// there is one. The pool never admits more than the allowance; an instance loses at most 9 units at the end of a window.
// If a lease of several units is denied, the instance tries a lease of 1 unit. One lease is pending at a time; concurrent
// charges wait for it. Store failures: fixed-window-limiter.ts.
import { later, type Monotonic } from '../model/time.ts';
import type { Clock, Deadline, WallClock } from '../ports/system.ts';
import type { AllowanceSubject, ChargeDecision, DeniedCharge, FixedWindowLimiter } from './fixed-window-limiter.ts';

const MAX_LEASE = 10;
/** A lease is at most the allowance divided by this number, because all instances share the pool. */
const MIN_LEASES_PER_WINDOW = 20;

export interface AllowancePool {
  /** @returns the denial that `take` would return; undefined: `take` may admit */
  knownDenial(subject: AllowanceSubject): DeniedCharge | undefined;
  /** Charges 1 unit. Never rejects. */
  take(subject: AllowanceSubject, deadline: Deadline): Promise<ChargeDecision>;
}

interface Lease {
  left: number;
  /** Milliseconds since the epoch, as all instances count. */
  readonly endsAt: number;
  /** The same on the clock of durations. */
  readonly until: Monotonic;
}

export const createAllowancePool = (
  limiter: Pick<FixedWindowLimiter, 'charge' | 'knownDenial'>,
  clock: Clock,
  wall: WallClock,
): AllowancePool => {
  const leases = new Map<string, Lease>();
  const pendingLeases = new Map<string, Promise<ChargeDecision>>();

  /** A lease expires with its window; the units that are left expire with it. */
  const currentLease = ({ partition }: AllowanceSubject): Lease | undefined => {
    const lease = leases.get(partition);
    return lease !== undefined && lease.until > clock() && lease.left > 0 ? lease : undefined;
  };

  const spendFromLease = (subject: AllowanceSubject, lease: Lease): ChargeDecision => {
    lease.left -= 1;
    return {
      admitted: true,
      endsAt: lease.endsAt,
      refund: async () => {
        // A newer lease of the same window may have replaced the lease that was charged.
        const latest = leases.get(subject.partition);
        if (latest?.endsAt === lease.endsAt) latest.left += 1;
      },
    };
  };

  const takeLease = async (subject: AllowanceSubject, deadline: Deadline): Promise<ChargeDecision> => {
    const units = Math.min(MAX_LEASE, Math.max(1, Math.floor(subject.allowance.count / MIN_LEASES_PER_WINDOW)));
    const first = await limiter.charge(subject, deadline, units);
    const isWhole = first.admitted || units === 1;
    // The last units of a window may be fewer than a lease.
    const decision = isWhole ? first : await limiter.charge(subject, deadline, 1);
    if (decision.admitted) {
      // The store checked the burst limit of this part only, so the units must be spent within it.
      const endsAt = decision.remaining?.burst?.endsAt ?? decision.endsAt;
      leases.set(subject.partition, { left: isWhole ? units : 1, endsAt, until: later(clock(), endsAt - wall.now()) });
    }
    return decision;
  };

  /** Concurrent calls for a partition share one pending lease. */
  const leaseOnce = (subject: AllowanceSubject, deadline: Deadline): Promise<ChargeDecision> => {
    const { partition } = subject;
    const pending =
      pendingLeases.get(partition) ?? takeLease(subject, deadline).finally(() => pendingLeases.delete(partition));
    pendingLeases.set(partition, pending);
    return pending;
  };

  return {
    knownDenial: (subject) => (currentLease(subject) === undefined ? limiter.knownDenial(subject) : undefined),

    async take(subject, deadline) {
      for (;;) {
        const lease = currentLease(subject);
        if (lease !== undefined) return spendFromLease(subject, lease);
        const decision = await leaseOnce(subject, deadline);
        if (!decision.admitted) return decision;
      }
    },
  };
};
