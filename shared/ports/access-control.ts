// Declares the ports that authenticate a caller and charge an allowance (requirements: keys and allowances).
import type { AllowanceName } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import type { RequestOutcome } from '../contract/problems.ts';
import type { Requester } from './upstream.ts';

/** Bounds the use cases that spend no allowance. */
export interface FairUse {
  /**
   * Returns the requester of one request; `admit` rejects with the Problem `rate_limited` beyond the bound.
   *
   * @param ip IP address of the client as the edge function saw it
   * @param reads what the request counts @default 1
   */
  requesterAt(ip: string | undefined, reads?: number): Requester;
}

export interface FairUsePorts {
  readonly fairUse: FairUse;
}

/** The rate-limit fields of a response. */
export interface AllowanceState {
  /** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly policy: string;
  /** `RateLimit`; unset if the remaining units are not certain. */
  readonly limit?: string;
}

/**
 * The result of a charge. `memory`: admitted by the count in memory, because the store did not answer. `isRefunded`: the
 * units were given back.
 */
export interface ChargeResult {
  readonly decision: 'admitted' | 'refused' | 'memory';
  readonly isRefunded: boolean;
}

/**
 * `unread` is `unverified` for the caller: the key was not read, because their network had presented too many unknown keys.
 * It is separate for the operator, because a caller can cause it.
 */
export type KeyResult = KeyStatus | 'unread';

/** The caller of one request. */
export interface Caller {
  /** The client network: equal for all requests from it. Never stored or logged. */
  readonly network: string;
  /** The result of the key check; a promise while the key store is read. Never rejects. */
  readonly status: KeyResult | Promise<KeyResult>;
  /**
   * Charges the request once; repeated calls return the first result. Rejects with the Problem `invalid_key` or
   * `rate_limited`.
   *
   * @param queryKey names the post, profile or query; failed requests for one are refunded once a minute
   */
  chargeAllowance(name: AllowanceName, queryKey: string): Promise<void>;
  /**
   * As chargeAllowance, but each call charges one more unit for each of `count` reads, together or not at all. In all, the
   * request is charged at most the whole allowance.
   */
  chargeReads(name: AllowanceName, queryKey: string, count: number): Promise<void>;
  allowanceState(name: AllowanceName): AllowanceState;
  /** @returns undefined: nothing was charged */
  chargeResult(): ChargeResult | undefined;
  /**
   * Call it when the outcome is known: refunds a failed request and records the use of a key. A charge is refunded once: a
   * tool call and its request both settle the same caller, in any order. Never rejects.
   */
  settle(outcome: RequestOutcome): Promise<void>;
  /** Returns the same caller with charges of its own, for another use case of the request. The key is not read again. */
  forAnotherRead(): Caller;
}

/** The Authorization field, and the IP address of the client as the edge function saw it. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly ip: string | undefined;
}

export interface AccessControl {
  identify(credentials: Credentials): Caller;
  /** `RateLimit-Policy` of a caller without an API key. */
  anonymousPolicy(name: AllowanceName): string;
}

export interface AccessControlPorts {
  readonly accessControl: AccessControl;
}
