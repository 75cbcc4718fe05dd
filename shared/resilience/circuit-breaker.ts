// A circuit breaker: after a refusal or a row of failures a source or store is left alone for a while, and then a single
// request at a time finds out whether it is back. What a failure proves is for its user to judge: upstream/fault-attribution.ts.
import type { Clock } from '../ports/system.ts';

/** After a refusal: as long as the source asks for, within bounds. */
const MAX_REFUSED_MILLISECONDS = 300_000;
/** After failures: no longer than callers are told to wait (decision 5). */
const MAX_FAILED_MILLISECONDS = 30_000;

export interface BreakerOptions {
  /** So many in a row open it. */
  readonly failureThreshold: number;
  /** How long it is left alone: from half of this to all of it, at random. */
  readonly openMilliseconds: number;
}

/**
 * What a call says about its source.
 * - `success`: it answers, whatever it says
 * - `failure`: it does not answer, or answers with errors
 * - `throttled`: it asks to be left alone
 * - `inconclusive`: nothing, because the call was not given its time or may have failed for reasons of its own
 */
export type CallResult = 'success' | 'failure' | 'throttled' | 'inconclusive';

export interface Permit {
  /**
   * To be called once for each permit, or a probe would count as under way for ever.
   * @param retryAfter the provider's own header: seconds or an HTTP-date
   */
  report(health: CallResult, retryAfter?: string): void;
}

export interface CircuitBreaker {
  /**
   * Leave for one call, or nothing while the source is left alone.
   *
   * @param request on whose behalf: while it is half-open, one request passes with all the calls that it needs. Unset: a
   *   request of this call alone
   */
  acquire(request?: object): Permit | undefined;
  /** What was found out about the source in another way than by a call that it admitted. */
  record(health: CallResult, retryAfter?: string): void;
}

const SECONDS = /^[0-9]+$/;
/** Any of the three forms of RFC 9110 section 5.6.7; Date.parse alone makes a year of anything. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [A-Za-z0-9 -]+ [0-9]{2}:[0-9]{2}:[0-9]{2}(?: GMT| [0-9]{4})$/;

const retryAfterMilliseconds = (field: string | undefined, now: number, most: number): number | undefined => {
  const value = field?.trim() ?? '';
  const wait = SECONDS.test(value) ? Number(value) * 1000 : HTTP_DATE.test(value) ? Date.parse(value) - now : 0;
  return wait > 0 ? Math.min(wait, most) : undefined;
};

/** The request that finds out, and how many of its calls are under way. */
interface Probe {
  readonly request: object;
  calls: number;
}

export const createCircuitBreaker = (clock: Clock, random: () => number, patience: BreakerOptions): CircuitBreaker => {
  let failures = 0;
  /** Undefined: closed. In the past: half-open. */
  let openUntil: number | undefined;
  let probe: Probe | undefined;

  const open = (milliseconds: number): void => {
    failures = 0;
    openUntil = Math.max(openUntil ?? 0, clock() + milliseconds);
  };
  /** @param asked by the source; else in part at random, so that instances do not come back together */
  const openFor = (asked: number | undefined): void => open(asked ?? patience.openMilliseconds * (0.5 + random() / 2));

  const settle = (health: CallResult, retryAfter: string | undefined, isProbe: boolean): void => {
    if (health === 'throttled') openFor(retryAfterMilliseconds(retryAfter, clock(), MAX_REFUSED_MILLISECONDS));
    else if (health === 'failure') {
      failures += 1;
      if ((isProbe && openUntil !== undefined) || failures >= patience.failureThreshold) {
        openFor(retryAfterMilliseconds(retryAfter, clock(), MAX_FAILED_MILLISECONDS));
      }
    } else if (health === 'success') {
      failures = 0;
      // A call sent before the source closed proves nothing about now.
      if (isProbe) openUntil = undefined;
    }
  };

  const probePermit = (own: Probe): Permit => {
    own.calls += 1;
    return {
      report(health, retryAfter) {
        own.calls -= 1;
        if (own.calls === 0 && probe === own) probe = undefined;
        settle(health, retryAfter, true);
      },
    };
  };

  return {
    acquire(request = {}) {
      if (openUntil === undefined) return { report: (health, retryAfter) => settle(health, retryAfter, false) };
      if (clock() < openUntil || (probe !== undefined && probe.request !== request)) return undefined;
      probe ??= { request, calls: 0 };
      return probePermit(probe);
    },
    record: (health, retryAfter) => settle(health, retryAfter, openUntil !== undefined && clock() >= openUntil),
  };
};
