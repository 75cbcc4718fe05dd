// Checks if a provider finds its canary. If not, "not found" answers of the provider are treated as an outage.
import type { Clock, Deadline } from '../ports/system.ts';
import type { Outcome } from '../ports/upstream.ts';
import { createAddressNotes } from './address-notes.ts';
import type { CallBudget } from './json-client.ts';

const CANARY_MILLISECONDS = 30_000;

/**
 * @param addresses the addresses of a pool that gave the answer in doubt; empty: the provider has one address
 * @returns true if the provider finds the canary, at one of these addresses
 */
export type Canary = (deadline: Deadline, addresses: readonly string[]) => Promise<boolean>;

export interface CanaryOptions {
  readonly clock: Clock;
  /** The maximum duration of a call. */
  readonly attemptMilliseconds: number;
  /** The time for which a positive result is valid, because a provider can fail at any time. @default 30 s */
  readonly foundMilliseconds?: number | undefined;
}

const createCanaryAt = (
  address: string | undefined,
  call: (budget: CallBudget) => Promise<Outcome<unknown>>,
  { clock, attemptMilliseconds, foundMilliseconds = CANARY_MILLISECONDS }: CanaryOptions,
): ((deadline: Deadline) => Promise<boolean>) => {
  let startedAt = Number.NEGATIVE_INFINITY;
  let pendingCheck: Promise<boolean> | undefined;
  let isFound: boolean | undefined;
  return async (deadline) => {
    const now = clock();
    const isOld = now - startedAt >= (isFound === true ? foundMilliseconds : CANARY_MILLISECONDS);
    if (!isOld && isFound !== undefined) return isFound;
    // A call with less than its full time could fail and give a wrong negative result.
    if (deadline - now < attemptMilliseconds) return false;
    if (isOld || pendingCheck === undefined) {
      startedAt = now;
      isFound = undefined;
      const addresses = address === undefined ? {} : { addresses: createAddressNotes(address) };
      pendingCheck = call({ deadline: now + attemptMilliseconds, retries: 0, ...addresses }).then(({ kind }) => {
        isFound = kind === 'found';
        return isFound;
      });
    }
    return pendingCheck;
  };
};

/**
 * Requests the canary only if a failed outcome needs it. A positive result is valid for `foundMilliseconds`, a negative
 * result for 30 s.
 *
 * @param call never rejects
 */
export const createCanary = (
  call: (budget: CallBudget) => Promise<Outcome<unknown>>,
  options: CanaryOptions,
): Canary => {
  const checks = new Map<string | undefined, (deadline: Deadline) => Promise<boolean>>();
  const checkOf = (address: string | undefined): ((deadline: Deadline) => Promise<boolean>) => {
    const check = checks.get(address) ?? createCanaryAt(address, call, options);
    checks.set(address, check);
    return check;
  };
  return async (deadline, addresses) => {
    for (const address of addresses.length === 0 ? [undefined] : addresses) {
      if (await checkOf(address)(deadline)) return true;
    }
    return false;
  };
};
