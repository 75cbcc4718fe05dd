// Declares the ports that authenticate a caller and charge an allowance (spec 5 and 8).
import type { AllowanceName } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import type { RequestOutcome } from '../contract/problems.ts';
import type { Requester } from './upstream.ts';

/** The bound of reads that spend no allowance. */
export interface FairUse {
  /**
   * Who asks, for the time of one read; `admit` rejects with the Problem `rate_limited` beyond the bound.
   *
   * @param address as the edge saw it
   */
  requesterAt(address: string | undefined): Requester;
}

export interface FairUsePorts {
  readonly fairUse: FairUse;
}

/** Where a caller stands: only what is certain. */
export interface AllowanceState {
  /** The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly policy: string;
  readonly limit?: string;
}

/** Who asks, for the time of one request. */
export interface Caller {
  /** Equal for all requests from one client network; not readable as an address. */
  readonly identity: string;
  /** What the key step found out, or will; never rejects. */
  readonly status: KeyStatus | Promise<KeyStatus>;
  /**
   * Rejects with the Problem `invalid_key` or `rate_limited`. Further calls repeat the first answer.
   *
   * @param subject what is read: a charge for it is given back once a minute
   */
  chargeAllowance(name: AllowanceName, subject: string): Promise<void>;
  allowanceState(name: AllowanceName): AllowanceState;
  /** Once the answer is known: gives back what was spent for nothing, and notes that a key was used. Never rejects. */
  settle(outcome: RequestOutcome): Promise<void>;
  /** The same caller for another read of the same request, with charges of its own: the key is not read again. */
  forAnotherRead(): Caller;
}

/** What is known of a caller from outside; the address is the one that the edge saw. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly address: string | undefined;
}

/** Keys and allowances (spec 5 and 8). */
export interface AccessControl {
  identify(presented: Credentials): Caller;
  /** What holds without a key. */
  anonymousPolicy(name: AllowanceName): string;
}

export interface AccessControlPorts {
  readonly accessControl: AccessControl;
}
