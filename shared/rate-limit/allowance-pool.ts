// An allowance that many share, as anonymous callers do a scarce provider: an instance takes several units at once and
// hands them out, so that the one counter of all is not written for every request. Never more than the allowance; at the
// end of a window each instance has at most the rest of a lease left over.
import type { Deadline } from '../ports/system.ts';
import type { AllowanceSubject, ChargeDecision, DeniedCharge, FixedWindowLimiter } from './fixed-window-limiter.ts';

const MAX_LEASE = 10;
/** A lease is this part of the allowance at most: many instances share it. */
const MIN_LEASES_PER_WINDOW = 20;

export interface AllowancePool {
  /** What a take would surely get, where that is a refusal. */
  knownDenial(spender: AllowanceSubject): DeniedCharge | undefined;
  /** Never rejects. */
  take(spender: AllowanceSubject, deadline: Deadline): Promise<ChargeDecision>;
}

interface Lease {
  left: number;
  readonly endsAt: number;
}

export const createAllowancePool = (
  limiter: Pick<FixedWindowLimiter, 'charge' | 'knownDenial'>,
  clock: () => number,
): AllowancePool => {
  const leases = new Map<string, Lease>();
  const pendingLeases = new Map<string, Promise<ChargeDecision>>();

  /** What of a lease is not handed out when its window ends is void. */
  const current = ({ partition }: AllowanceSubject): Lease | undefined => {
    const lease = leases.get(partition);
    return lease !== undefined && lease.endsAt > clock() && lease.left > 0 ? lease : undefined;
  };

  const spendFromLease = (spender: AllowanceSubject, lease: Lease): ChargeDecision => {
    lease.left -= 1;
    return {
      admitted: true,
      endsAt: lease.endsAt,
      refund: async () => {
        // Its lease may have been used up, and followed by another.
        const latest = leases.get(spender.partition);
        if (latest?.endsAt === lease.endsAt) latest.left += 1;
      },
    };
  };

  const lease = async (spender: AllowanceSubject, deadline: Deadline): Promise<ChargeDecision> => {
    const units = Math.min(MAX_LEASE, Math.max(1, Math.floor(spender.allowance.count / MIN_LEASES_PER_WINDOW)));
    const many = await limiter.charge(spender, deadline, units);
    const isMany = many.admitted || units === 1;
    // The last units of a window are fewer than a lease.
    const decision = isMany ? many : await limiter.charge(spender, deadline, 1);
    if (decision.admitted) {
      // The burst limit holds for when units are spent.
      const endsAt = decision.remaining?.burst?.endsAt ?? decision.endsAt;
      leases.set(spender.partition, { left: isMany ? units : 1, endsAt });
    }
    return decision;
  };

  /** One lease at a time: those who wait share it. */
  const leaseOnce = (spender: AllowanceSubject, deadline: Deadline): Promise<ChargeDecision> => {
    const { partition } = spender;
    const pending =
      pendingLeases.get(partition) ?? lease(spender, deadline).finally(() => pendingLeases.delete(partition));
    pendingLeases.set(partition, pending);
    return pending;
  };

  return {
    knownDenial: (spender) => (current(spender) === undefined ? limiter.knownDenial(spender) : undefined),

    async take(spender, deadline) {
      for (;;) {
        const held = current(spender);
        if (held !== undefined) return spendFromLease(spender, held);
        const decision = await leaseOnce(spender, deadline);
        if (!decision.admitted) return decision;
      }
    },
  };
};
