// Checks if a provider finds its canary. If not, "not found" answers of the provider are treated as an outage.
import type { Clock, Deadline } from '../ports/system.ts';
import type { Outcome } from '../ports/upstream.ts';
import type { CallBudget } from './json-client.ts';

const CANARY_MILLISECONDS = 30_000;

/**
 * @param baseUrl the one that gave the answer in doubt; unset: the provider has one base URL
 * @returns true if the provider finds the canary there
 */
export type Canary = (deadline: Deadline, baseUrl?: string) => Promise<boolean>;

export interface CanaryOptions {
  readonly clock: Clock;
  /** The maximum duration of a call. */
  readonly attemptMilliseconds: number;
  /** The time for which a positive result is valid, because a provider can fail at any time. @default 30 s */
  readonly foundMilliseconds?: number | undefined;
}

const createCanaryAt = (
  baseUrl: string | undefined,
  call: (budget: CallBudget) => Promise<Outcome<unknown>>,
  { clock, attemptMilliseconds, foundMilliseconds = CANARY_MILLISECONDS }: CanaryOptions,
): Canary => {
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
      const only = baseUrl === undefined ? {} : { onlyBaseUrl: baseUrl };
      pendingCheck = call({ deadline: now + attemptMilliseconds, retries: 0, ...only }).then(({ kind }) => {
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
  const checks = new Map<string | undefined, Canary>();
  return (deadline, baseUrl) => {
    const check = checks.get(baseUrl) ?? createCanaryAt(baseUrl, call, options);
    checks.set(baseUrl, check);
    return check(deadline);
  };
};
