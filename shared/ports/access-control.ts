// Declares the ports that authenticate a caller and charge an allowance (requirements: keys and allowances).
import type { AllowanceName } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import type { Problem, RequestOutcome } from '../contract/problems.ts';
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

/** Undefined: the key was not checked, because the client network has presented too many unknown keys. */
export type KeyResult = KeyStatus | undefined;

/** The caller of one request. */
export interface Caller {
  /** The client network: equal for all requests from it. Never stored or logged. */
  readonly network: string;
  /** The result of the key check; a promise while the key store is read. Never rejects. */
  readonly status: KeyResult | Promise<KeyResult>;
  /**
   * The Problem that ends every request of this caller, whatever they ask for: `invalid_key`, or `rate_limited` if the key was
   * not checked. A promise while the key store is read. Never rejects.
   */
  readonly refusal: Problem | undefined | Promise<Problem | undefined>;
  /**
   * Charges the request once; repeated calls return the first result. Rejects with the refusal, or with the Problem
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
