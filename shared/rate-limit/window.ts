// Windows of an allowance: fixed, and shifted for each caller, so that those who wait do not all come back in the same
// second. Pure arithmetic over milliseconds since the epoch.
import { hash } from 'node:crypto';
import type { Allowance } from '../contract/allowances.ts';

export interface RateLimitWindow {
  readonly startsAt: number;
  readonly endsAt: number;
  /** The part of it that the burst limit looks at. */
  readonly burst?: { readonly index: number; readonly endsAt: number };
}

/** By how much a caller's windows are shifted: the same on every instance. @param partition whose allowance */
export const windowOffset = (partition: string, milliseconds: number): number =>
  Number.parseInt(hash('sha256', `phase:${partition}`, 'hex').slice(0, 8), 16) % milliseconds;

export const windowAt = (now: number, { seconds, burst }: Allowance, partition: string): RateLimitWindow => {
  const length = seconds * 1000;
  const phase = windowOffset(partition, length);
  const elapsed = (now + phase) % length;
  const startsAt = now - elapsed;
  const window = { startsAt, endsAt: startsAt + length };
  if (burst === undefined) return window;
  const part = burst.seconds * 1000;
  const index = Math.floor(elapsed / part);
  return { ...window, burst: { index, endsAt: startsAt + (index + 1) * part } };
};

/** Clocks of instances differ; by less than this as a rule. */
const MARGIN_MILLISECONDS = 100;

/** RFC 9110 section 10.2.3: waiting exactly so many seconds is enough, and no more than is needed. */
export const secondsUntil = (endsAt: number, now: number): number =>
  Math.max(1, Math.ceil((endsAt - now + MARGIN_MILLISECONDS) / 1000));
