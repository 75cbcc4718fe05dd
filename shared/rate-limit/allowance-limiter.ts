// Charges one request to the caller's allowance and, if they have no valid API key, to the shared pool of that allowance.
//
// The order is: a known denial of the pool, the caller's charge, the pool's charge. If the pool denies, the caller's
// charge is refunded. The pool shows in RateLimit only if it denies, because its state belongs to no single caller.
// Refunds of failed requests are limited by refund-limit.ts. Store failures: fixed-window-limiter.ts.
import type { Allowance, AllowanceName, Allowances } from '../contract/allowances.ts';
import { problem } from '../contract/problems.ts';
import type { AllowanceState, ChargeResult } from '../ports/access-control.ts';
import type { ApiKeyRecord } from '../ports/stores.ts';
import type { Clock, Deadline, WallClock } from '../ports/system.ts';
import { createAllowancePool } from './allowance-pool.ts';
import type { AllowanceSubject, ChargeDecision, DeniedCharge, FixedWindowLimiter } from './fixed-window-limiter.ts';
import { type LimitPart, limitField, policyField } from './header-fields.ts';
import { createRefundLimit } from './refund-limit.ts';
import { secondsUntil } from './window.ts';

/** The charges of one request. The limiter writes to it. */
export interface RequestCharges {
  /** The decision that RateLimit shows. */
  decision?: ChargeDecision;
  /** The decision is about the pool. */
  isPool?: boolean;
  /** Stays after a refund. */
  result?: ChargeResult;
  readonly refunds: (() => Promise<void>)[];
  /** The units that were charged. @default 0 */
  units?: number;
}

export interface AllowanceLimiter {
  /**
   * @param key unset: the caller has no valid key, so the shared pool is charged, too
   * @param units of the request; those beyond the whole allowance are not charged @default 1
   * @throws Problem `rate_limited`
   */
  charge(
    name: AllowanceName,
    key: ApiKeyRecord | undefined,
    identity: string,
    charges: RequestCharges,
    deadline: Deadline,
    units?: number,
  ): Promise<void>;
  /** Refunds all charges of a failed request, unless the refund limit is reached. @param key unset: no valid key */
  refund(
    charge: ChargedRequest,
    key: ApiKeyRecord | undefined,
    identity: string,
    charges: RequestCharges,
  ): Promise<void>;
  /** Records the day of use of the key, unless a charge of the request has done so. Never rejects. */
  recordUse(key: ApiKeyRecord, charges: RequestCharges): Promise<void>;
  /** @param key unset: no valid key @param charges unset: the policy only */
  allowanceState(
    name: AllowanceName,
    key: ApiKeyRecord | undefined,
    charges: RequestCharges | undefined,
  ): AllowanceState;
}

interface ChargedRequest {
  readonly name: AllowanceName;
  /** The post, profile or query that failed; unset: the request was not valid. */
  readonly queryKey: string | undefined;
}

export const createAllowanceLimiter = (
  allowances: Allowances,
  limiter: FixedWindowLimiter,
  clock: Clock,
  wall: WallClock,
): AllowanceLimiter => {
  const pool = createAllowancePool(limiter, clock, wall);
  const allowsRefund = createRefundLimit(clock);

  const allowanceOf = (name: AllowanceName, key: ApiKeyRecord | undefined): Allowance =>
    key === undefined ? allowances[name].anonymous : keyAllowance(name, key, allowances);

  const allowanceSubjectOf = (
    name: AllowanceName,
    key: ApiKeyRecord | undefined,
    identity: string,
  ): AllowanceSubject => ({
    partition: key === undefined ? `${name}#a:${identity}` : keyPartition(name, key.id),
    allowance: allowanceOf(name, key),
    isKeyed: key !== undefined,
  });

  const poolSubject = (name: AllowanceName): AllowanceSubject | undefined => {
    const allowance = allowances[name].pool;
    return allowance && { partition: poolPartition(name), allowance, isShared: true };
  };

  const throwRateLimited = (
    name: AllowanceName,
    { allowance }: AllowanceSubject,
    { full, endsAt }: DeniedCharge,
    isPool: boolean,
  ): never => {
    const { count, seconds } = (full === 'burst' && allowance.burst) || allowance;
    const wait = secondsUntil(endsAt, wall.now());
    const pool = isPool ? ' that all callers without an API key share' : '';
    throw problem('rate_limited', {
      retryAfter: wait,
      detail: `The ${name} allowance${pool} is ${count} requests per ${seconds} seconds. Retry in ${wait} seconds.`,
    });
  };

  const applyDecision = (
    name: AllowanceName,
    subject: AllowanceSubject,
    decision: ChargeDecision,
    charges: RequestCharges,
    isPool = false,
  ): void => {
    if (decision.admitted) charges.refunds.push(decision.refund);
    // RateLimit shows the pool only if the pool denies.
    if (!isPool || !decision.admitted) {
      Object.assign(charges, { decision, isPool, result: { decision: decisionName(decision), isRefunded: false } });
    }
    if (!decision.admitted) throwRateLimited(name, subject, decision, isPool);
  };

  const chargeSubject = async (
    name: AllowanceName,
    subject: AllowanceSubject,
    charges: RequestCharges,
    deadline: Deadline,
    units = 1,
  ): Promise<void> => {
    const { count, burst } = subject.allowance;
    const { units: before = 0 } = charges;
    const more = Math.min(units, (burst?.count ?? count) - before);
    if (more <= 0) return;
    applyDecision(name, subject, await limiter.charge(subject, deadline, more), charges);
    charges.units = before + more;
  };

  const refundAll = async (charges: RequestCharges): Promise<void> => {
    const refunds = charges.refunds.splice(0);
    if (charges.decision?.admitted) delete charges.decision;
    await Promise.all(refunds.map((refund) => refund()));
  };

  return {
    async charge(name, key, identity, charges, deadline, units) {
      const shared = key === undefined ? poolSubject(name) : undefined;
      const denial = shared && pool.knownDenial(shared);
      if (shared && denial) applyDecision(name, shared, denial, charges, true);
      await chargeSubject(name, allowanceSubjectOf(name, key, identity), charges, deadline, units);
      if (shared === undefined) return;
      const decision = await pool.take(shared, deadline);
      if (!decision.admitted) await refundAll(charges);
      applyDecision(name, shared, decision, charges, true);
    },

    async refund({ name, queryKey }, key, identity, charges) {
      if (charges.refunds.length === 0) return;
      const { partition, allowance } = allowanceSubjectOf(name, key, identity);
      if (!allowsRefund(partition, allowance, queryKey)) return;
      await refundAll(charges);
      if (charges.result !== undefined) charges.result = { ...charges.result, isRefunded: true };
    },

    async recordUse(key, charges) {
      if (charges.result !== undefined && limiter.recordsUse) return;
      await limiter.recordUse(allowanceSubjectOf('search', key, ''));
    },

    allowanceState(name, key, charges) {
      const { decision, isPool = false } = charges ?? {};
      const part: LimitPart | undefined = isPool ? 'pool' : undefined;
      const limit = decision && limitField(name, decision, wall.now(), part);
      return {
        policy: policyField(name, allowanceOf(name, key), key === undefined ? allowances[name].pool : undefined),
        ...(limit !== undefined && { limit }),
      };
    },
  };
};

const decisionName = (decision: ChargeDecision): ChargeResult['decision'] => {
  if (!decision.admitted) return 'refused';
  return decision.remaining === undefined ? 'memory' : 'admitted';
};

/** A key raises the search allowance only (requirements: keys). */
export const keyAllowance = (name: AllowanceName, { search }: ApiKeyRecord, allowances: Allowances): Allowance =>
  (name === 'search' ? search : undefined) ?? allowances[name].keyed;

/** Partition of the counters of an API key; the usage figures of the admin page read it as well. */
export const keyPartition = (name: AllowanceName, id: string): string => `${name}#k:${id}`;

export const poolPartition = (name: AllowanceName): string => `${name}#pool`;
