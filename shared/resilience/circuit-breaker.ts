// Stops calls to a provider or store that fails, and finds out when it answers again.
//
// Architecture. A breaker belongs to one function instance and one provider and kind of query, or one store. It calls
// nothing: a caller acquires a permit, makes the call and reports the result. The caller decides what a failure proves
// (upstream/fault-attribution.ts, stores/store-guard.ts).
//
// States and transitions.
//   closed      `acquire` grants every permit. It opens after `failureThreshold` consecutive failures or one `throttled`.
//   open        `acquire` grants no permit until the open time ends.
//   half-open   The open time has ended. One request at a time gets permits, for all the calls that it needs: the probe.
//               A success of the probe closes the breaker; a failure opens it again; an inconclusive result changes
//               nothing, and the next request is the probe.
//
// Open time, in milliseconds. Half to all of `openMilliseconds`, at random, so that instances do not probe together. A
// Retry-After field of the provider replaces it: up to 300 s with `throttled`, up to 30 s with `failure`. An open time is
// never shortened.
//
// Failure. No operation waits or throws. A permit that is never reported keeps a half-open breaker from granting another.
import { later, laterOf, type Monotonic, NEVER, NEVER_BEFORE } from '../model/time.ts';
import type { Clock } from '../ports/system.ts';

/** Upper bound of Retry-After with `throttled`. */
export const MAX_REFUSED_MILLISECONDS = 300_000;
/** Upper bound of Retry-After with `failure`: the Retry-After of our own 503 (requirements: outages). */
const MAX_FAILED_MILLISECONDS = 30_000;

export interface BreakerOptions {
  /** Consecutive failures that open the breaker. */
  readonly failureThreshold: number;
  /** Longest open time without Retry-After; the shortest is half of it. */
  readonly openMilliseconds: number;
  /** Called when the breaker stops or resumes calls. A failed probe opens it again. @default not called */
  readonly onChange?: (change: BreakerChange) => void;
}

export type BreakerChange =
  | { readonly state: 'open'; readonly why: 'failures' | 'throttled' | 'probe_failed' }
  | { readonly state: 'closed'; readonly why: 'probe_succeeded' };

/**
 * The result of a call as evidence about its provider or store.
 * - `success`: it answered, with any content
 * - `failure`: it did not answer, or answered with a server error
 * - `throttled`: it rejected the call because of too many calls (429)
 * - `inconclusive`: the call had less than its full timeout, or its own subject may have caused the failure
 */
export type CallResult = 'success' | 'failure' | 'throttled' | 'inconclusive';

export interface Permit {
  /**
   * Call it exactly once per permit, or a probe stays pending forever.
   *
   * @param retryAfter milliseconds for which the provider asks to be left alone
   */
  report(result: CallResult, retryAfter?: number): void;
}

export interface CircuitBreaker {
  /**
   * @param request identifies the request that makes the call; unset: the call is a request of its own
   * @returns the permit for one call; undefined: the breaker is open, or half-open with the probe of another request
   */
  acquire(request?: object): Permit | undefined;
  isClosed(): boolean;
  /** Reports evidence from a call without a permit, such as a canary. */
  record(result: CallResult, retryAfter?: number): void;
}

/** The request that probes a half-open breaker, and the number of its pending calls. */
interface Probe {
  readonly request: object;
  calls: number;
}

export const createCircuitBreaker = (clock: Clock, random: () => number, options: BreakerOptions): CircuitBreaker => {
  let failures = 0;
  /** Undefined: closed. In the past: half-open. */
  let openUntil: Monotonic | undefined;
  let probe: Probe | undefined;

  const open = (milliseconds: number, isThrottled: boolean): void => {
    const isOpen = openUntil !== undefined && clock() < openUntil;
    const why = openUntil === undefined ? 'failures' : 'probe_failed';
    failures = 0;
    openUntil = laterOf(openUntil ?? NEVER_BEFORE, later(clock(), milliseconds));
    if (!isOpen) options.onChange?.({ state: 'open', why: isThrottled ? 'throttled' : why });
  };
  const openFor = (retryAfter: number | undefined, maxMilliseconds: number, isThrottled = false): void =>
    open(Math.min(retryAfter ?? options.openMilliseconds * (0.5 + random() / 2), maxMilliseconds), isThrottled);

  const settle = (result: CallResult, retryAfter: number | undefined, isProbe: boolean): void => {
    if (result === 'throttled') openFor(retryAfter, MAX_REFUSED_MILLISECONDS, true);
    else if (result === 'failure') {
      failures += 1;
      if ((isProbe && openUntil !== undefined) || failures >= options.failureThreshold) {
        openFor(retryAfter, MAX_FAILED_MILLISECONDS);
      }
    } else if (result === 'success') {
      failures = 0;
      // A call that started before the breaker opened does not prove that the provider answers now.
      if (!isProbe || openUntil === undefined) return;
      openUntil = undefined;
      options.onChange?.({ state: 'closed', why: 'probe_succeeded' });
    }
  };

  const probePermit = (ownProbe: Probe): Permit => {
    ownProbe.calls += 1;
    return {
      report(result, retryAfter) {
        ownProbe.calls -= 1;
        if (ownProbe.calls === 0 && probe === ownProbe) probe = undefined;
        settle(result, retryAfter, true);
      },
    };
  };

  const admits = (request: object): boolean =>
    openUntil === undefined || (clock() >= openUntil && (probe === undefined || probe.request === request));

  return {
    isClosed: () => openUntil === undefined,
    acquire(request = {}) {
      if (openUntil === undefined) return { report: (result, retryAfter) => settle(result, retryAfter, false) };
      if (!admits(request)) return undefined;
      probe ??= { request, calls: 0 };
      return probePermit(probe);
    },
    record: (result, retryAfter) => settle(result, retryAfter, clock() >= (openUntil ?? NEVER)),
  };
};
