// Where one request pays: of a caller with a key or without, from his own allowance and from what all without a key share.
import type { Allowance, AllowanceName, Allowances } from '../contract/allowances.ts';
import { problem } from '../contract/problems.ts';
import type { AllowanceState } from '../ports/access-control.ts';
import type { ApiKeyRecord } from '../ports/key-stores.ts';
import type { Clock, Deadline } from '../ports/system.ts';
import { createAllowancePool } from './allowance-pool.ts';
import type { AllowanceSubject, ChargeDecision, DeniedCharge, FixedWindowLimiter } from './fixed-window-limiter.ts';
import { type LimitPart, limitField, policyField } from './header-fields.ts';
import { createRefundLimit } from './refund-limit.ts';
import { secondsUntil } from './window.ts';

/** What one request has spent. */
export interface RequestCharges {
  /** The last decision, and what it was about. */
  decision?: ChargeDecision;
  isPool?: boolean;
  readonly refunds: (() => Promise<void>)[];
}

export interface AllowanceLimiter {
  /** @throws Problem `rate_limited` */
  chargeAddress(name: AllowanceName, identity: string, receipt: RequestCharges, deadline: Deadline): Promise<void>;
  /** The same. */
  chargeKey(name: AllowanceName, key: ApiKeyRecord, receipt: RequestCharges, deadline: Deadline): Promise<void>;
  /** Gives back what a read cost that failed, as often as that is allowed. @param key unset: without one */
  refund(charge: SpentCharge, key: ApiKeyRecord | undefined, identity: string, receipt: RequestCharges): Promise<void>;
  recordUse(key: ApiKeyRecord): Promise<void>;
  /** @param key unset: without one */
  allowanceState(
    name: AllowanceName,
    key: ApiKeyRecord | undefined,
    receipt: RequestCharges | undefined,
  ): AllowanceState;
}

interface SpentCharge {
  readonly name: AllowanceName;
  /** What could not be read; unset: there was nothing to read. */
  readonly subject: string | undefined;
}

export const createAllowanceLimiter = (
  allowances: Allowances,
  limiter: FixedWindowLimiter,
  clock: Clock,
): AllowanceLimiter => {
  const pool = createAllowancePool(limiter, clock);
  const refundLimit = createRefundLimit(clock);

  const allowanceOf = (name: AllowanceName, key: ApiKeyRecord | undefined): Allowance =>
    key === undefined ? allowances[name].anonymous : keyAllowance(name, key, allowances);

  const addressSpender = (name: AllowanceName, identity: string): AllowanceSubject => ({
    partition: `${name}#a:${identity}`,
    allowance: allowanceOf(name, undefined),
  });

  const keySpender = (name: AllowanceName, key: ApiKeyRecord): AllowanceSubject => ({
    partition: keyPartition(name, key.id),
    allowance: allowanceOf(name, key),
    isKeyed: true,
  });

  const poolSpender = (name: AllowanceName): AllowanceSubject | undefined => {
    const allowance = allowances[name].pool;
    return allowance && { partition: poolPartition(name), allowance };
  };

  const throwRateLimited = (
    name: AllowanceName,
    { allowance }: AllowanceSubject,
    { full, endsAt }: DeniedCharge,
    isPool: boolean,
  ): never => {
    const { count, seconds } = (full === 'burst' && allowance.burst) || allowance;
    const wait = secondsUntil(endsAt, clock());
    const whose = isPool ? 'that all callers without a key share' : 'of this caller';
    throw problem('rate_limited', {
      retryAfter: wait,
      detail: `The ${name} allowance ${whose}, ${count} in ${seconds} seconds, is spent for another ${wait} seconds.`,
    });
  };

  const applyDecision = (
    name: AllowanceName,
    spender: AllowanceSubject,
    decision: ChargeDecision,
    receipt: RequestCharges,
    isPool = false,
  ): void => {
    if (decision.admitted) receipt.refunds.push(decision.refund);
    // What all share is not this caller's to see, unless it is what refuses him.
    if (!isPool || !decision.admitted) Object.assign(receipt, { decision, isPool });
    if (!decision.admitted) throwRateLimited(name, spender, decision, isPool);
  };

  const refundAll = async (receipt: RequestCharges): Promise<void> => {
    const refunds = receipt.refunds.splice(0);
    if (receipt.decision?.admitted) delete receipt.decision;
    await Promise.all(refunds.map((refund) => refund()));
  };

  return {
    async chargeAddress(name, identity, receipt, deadline) {
      const shared = poolSpender(name);
      const spent = shared && pool.knownDenial(shared);
      if (shared && spent) applyDecision(name, shared, spent, receipt, true);
      const own = addressSpender(name, identity);
      applyDecision(name, own, await limiter.charge(own, deadline), receipt);
      if (shared === undefined) return;
      const decision = await pool.take(shared, deadline);
      if (!decision.admitted) await refundAll(receipt);
      applyDecision(name, shared, decision, receipt, true);
    },

    async chargeKey(name, key, receipt, deadline) {
      const spender = keySpender(name, key);
      applyDecision(name, spender, await limiter.charge(spender, deadline), receipt);
    },

    async refund({ name, subject }, key, identity, receipt) {
      if (receipt.refunds.length === 0) return;
      const { partition, allowance } = key === undefined ? addressSpender(name, identity) : keySpender(name, key);
      if (refundLimit.allows(partition, allowance, subject)) await refundAll(receipt);
    },

    recordUse: (key) => limiter.recordUse(keySpender('search', key)),

    allowanceState(name, key, receipt) {
      const { decision, isPool = false } = receipt ?? {};
      const part: LimitPart | undefined = isPool ? 'pool' : undefined;
      const limit = decision && limitField(name, decision, clock(), part);
      return {
        policy: policyField(name, allowanceOf(name, key), key === undefined ? allowances[name].pool : undefined),
        ...(limit !== undefined && { limit }),
      };
    },
  };
};

/** A key raises the search allowance only (spec 5.4). */
export const keyAllowance = (name: AllowanceName, { search }: ApiKeyRecord, allowances: Allowances): Allowance =>
  (name === 'search' ? search : undefined) ?? allowances[name].keyed;

/** Of the counters of a key, by which the operator's figures find them too. */
export const keyPartition = (name: AllowanceName, id: string): string => `${name}#k:${id}`;

export const poolPartition = (name: AllowanceName): string => `${name}#pool`;
