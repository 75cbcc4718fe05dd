// Computes the window of a partition at an instant. Windows have a fixed length and an offset per partition, so that
// waiting clients do not all return in the same second. Pure functions over milliseconds since the epoch.
import { hash } from 'node:crypto';
import type { Allowance } from '../contract/allowances.ts';
import type { Instant } from '../model/time.ts';

export interface RateLimitWindow {
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  /** The current burst part: its number from 0 within the window, and its end. */
  readonly burst?: { readonly index: number; readonly endsAt: Instant };
}

/** Equal on every instance, because it depends only on the partition. @returns milliseconds, less than the length */
export const windowOffset = (partition: string, milliseconds: number): number =>
  Number.parseInt(hash('sha256', `phase:${partition}`, 'hex').slice(0, 8), 16) % milliseconds;

export const windowAt = (now: Instant, { seconds, burst }: Allowance, partition: string): RateLimitWindow => {
  const length = seconds * 1000;
  const offset = windowOffset(partition, length);
  const elapsed = (now + offset) % length;
  const startsAt = now - elapsed;
  const window = { startsAt, endsAt: startsAt + length };
  if (burst === undefined) return window;
  const partLength = burst.seconds * 1000;
  const index = Math.floor(elapsed / partLength);
  return { ...window, burst: { index, endsAt: startsAt + (index + 1) * partLength } };
};

/** Clocks of instances usually differ by less than this. */
const MARGIN_MILLISECONDS = 100;

/** Retry-After (RFC 9110 section 10.2.3): the fewest whole seconds after which `milliseconds` have passed on every instance. */
export const waitSeconds = (milliseconds: number): number =>
  Math.max(1, Math.ceil((milliseconds + MARGIN_MILLISECONDS) / 1000));

export const secondsUntil = (endsAt: Instant, now: Instant): number => waitSeconds(endsAt - now);
