// A circuit breaker per source or store, and instance: after a refusal or a row of failures it is left alone for a
// while, and then a single call finds out whether it is back.
import type { Clock } from './ports.ts';

const MAX_OPEN_MILLISECONDS = 300_000;

export interface Patience {
  /** So many in a row open it. */
  readonly failures: number;
  /** How long it is left alone: from half of this to all of it, at random. */
  readonly openMilliseconds: number;
}

/**
 * What a call says about its source.
 * - `well`: it answers, whatever it says
 * - `ill`: no answer, or a server error
 * - `closed`: it asks to be left alone
 * - `unclear`: the call was not given its time
 */
export type Health = 'well' | 'ill' | 'closed' | 'unclear';

export interface Permit {
  /**
   * Owed once for each permit, or a probe would count as under way for ever.
   * @param retryAfter the provider's own header: seconds or an HTTP-date
   */
  settle(health: Health, retryAfter?: string): void;
}

export interface Breaker {
  /** Leave for one call, or nothing while the source is left alone. */
  admit(): Permit | undefined;
}

const SECONDS = /^[0-9]+$/;
/** Any of the three forms of RFC 9110 section 5.6.7; Date.parse alone makes a year of anything. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [A-Za-z0-9 -]+ [0-9]{2}:[0-9]{2}:[0-9]{2}(?: GMT| [0-9]{4})$/;

const retryAfterMilliseconds = (field: string | undefined, now: number): number | undefined => {
  const value = field?.trim() ?? '';
  const wait = SECONDS.test(value) ? Number(value) * 1000 : HTTP_DATE.test(value) ? Date.parse(value) - now : 0;
  return wait > 0 ? Math.min(wait, MAX_OPEN_MILLISECONDS) : undefined;
};

export const createBreaker = (clock: Clock, random: () => number, patience: Patience): Breaker => {
  let failures = 0;
  /** Undefined: closed. In the past: waiting for the verdict of a probe. */
  let openUntil: number | undefined;
  let probing = false;

  const open = (milliseconds: number): void => {
    failures = 0;
    openUntil = Math.max(openUntil ?? 0, clock() + milliseconds);
  };
  // In part at random, so that instances do not come back together.
  const openForAWhile = (): void => open(patience.openMilliseconds * (0.5 + random() / 2));

  const settle = (health: Health, retryAfter: string | undefined, isProbe: boolean): void => {
    if (isProbe) probing = false;
    const asked = health === 'closed' || health === 'ill' ? retryAfterMilliseconds(retryAfter, clock()) : undefined;
    if (asked !== undefined) open(asked);
    else if (health === 'closed') openForAWhile();
    else if (health === 'ill') {
      failures += 1;
      if (isProbe || failures >= patience.failures) openForAWhile();
    } else if (health === 'well') {
      failures = 0;
      // A call sent before the source closed proves nothing about now.
      if (isProbe) openUntil = undefined;
    }
  };

  return {
    admit() {
      const isProbe = openUntil !== undefined;
      if (openUntil !== undefined && (clock() < openUntil || probing)) return undefined;
      if (isProbe) probing = true;
      return { settle: (health, retryAfter) => settle(health, retryAfter, isProbe) };
    },
  };
};
