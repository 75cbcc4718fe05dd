// An allowance that many share, as anonymous callers do a scarce provider: an instance takes several units at once and
// hands them out, so that the one counter of all is not written for every request. Never more than the allowance; at the
// end of a window each instance has at most the rest of a lease left over.
import type { Deadline } from '../ports.ts';
import type { Decision, Limiter, Refusal, Spender } from './limiter.ts';

const MAX_LEASE = 10;
/** A lease is this part of the allowance at most: many instances share it. */
const LEASES = 20;

export interface Pool {
  /** What a take would surely get, where that is a refusal. */
  refusal(spender: Spender): Refusal | undefined;
  /** Never rejects. */
  take(spender: Spender, deadline: Deadline): Promise<Decision>;
}

interface Lease {
  left: number;
  readonly endsAt: number;
}

export const createPool = (limiter: Pick<Limiter, 'charge' | 'refusal'>, clock: () => number): Pool => {
  const leases = new Map<string, Lease>();
  const underWay = new Map<string, Promise<Decision>>();

  /** What of a lease is not handed out when its window ends is void. */
  const current = ({ partition }: Spender): Lease | undefined => {
    const lease = leases.get(partition);
    return lease !== undefined && lease.endsAt > clock() && lease.left > 0 ? lease : undefined;
  };

  const handOut = (spender: Spender, lease: Lease): Decision => {
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

  const lease = async (spender: Spender, deadline: Deadline): Promise<Decision> => {
    const units = Math.min(MAX_LEASE, Math.max(1, Math.floor(spender.allowance.count / LEASES)));
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
  const leaseOnce = (spender: Spender, deadline: Deadline): Promise<Decision> => {
    const { partition } = spender;
    const pending = underWay.get(partition) ?? lease(spender, deadline).finally(() => underWay.delete(partition));
    underWay.set(partition, pending);
    return pending;
  };

  return {
    refusal: (spender) => (current(spender) === undefined ? limiter.refusal(spender) : undefined),

    async take(spender, deadline) {
      for (;;) {
        const held = current(spender);
        if (held !== undefined) return handOut(spender, held);
        const decision = await leaseOnce(spender, deadline);
        if (!decision.admitted) return decision;
      }
    },
  };
};
