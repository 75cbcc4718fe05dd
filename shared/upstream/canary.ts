// Something that is known to exist: while a source does not find it, what else it does not find means nothing.
import type { Clock, Deadline } from '../ports/system.ts';
import type { Outcome } from '../ports/upstream.ts';
import type { CallBudget } from './json-client.ts';

const CANARY_MILLISECONDS = 30_000;

/** Whether the source finds it. */
export type Canary = (deadline: Deadline) => Promise<boolean>;

export interface CanaryOptions {
  readonly clock: Clock;
  /** What a call may take at most. */
  readonly attemptMilliseconds: number;
  /** For how long it is believed that it was found: a source may fail a moment later. @default 30 s */
  readonly foundMilliseconds?: number | undefined;
}

/**
 * Asks for it at most every 30 s, or as often as its being found is believed, and only when a miss needs it.
 *
 * @param ask never throws
 */
export const createCanary = (
  ask: (budget: CallBudget) => Promise<Outcome<unknown>>,
  { clock, attemptMilliseconds, foundMilliseconds = CANARY_MILLISECONDS }: CanaryOptions,
): Canary => {
  let askedAt = Number.NEGATIVE_INFINITY;
  let pendingCheck: Promise<boolean> | undefined;
  let known: boolean | undefined;
  return async (deadline) => {
    const now = clock();
    const isOld = now - askedAt >= (known === true ? foundMilliseconds : CANARY_MILLISECONDS);
    if (!isOld && known !== undefined) return known;
    // Silence for lack of a caller's time would be remembered against the source.
    if (deadline - now < attemptMilliseconds) return false;
    if (isOld || pendingCheck === undefined) {
      askedAt = now;
      known = undefined;
      pendingCheck = ask({ deadline: now + attemptMilliseconds, retries: 0 }).then(({ kind }) => {
        known = kind === 'found';
        return known;
      });
    }
    return pendingCheck;
  };
};
