// Writes RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), lists of strings (RFC 9651).
import type { Allowance, AllowanceName } from '../contract/allowances.ts';
import type { ChargeDecision } from './fixed-window-limiter.ts';
import { secondsUntil } from './window.ts';

/** A limit of an allowance. Each limit is a policy of its own. */
export type LimitPart = 'window' | 'burst' | 'pool';

const policyName = (name: AllowanceName, part: LimitPart): string =>
  part === 'window' ? `"${name}"` : `"${name}-${part}"`;

/** Writes RateLimit-Policy: limits and lengths in seconds, equal in every answer. */
export const policyField = (name: AllowanceName, { count, seconds, burst }: Allowance, pool?: Allowance): string =>
  [
    `${policyName(name, 'window')};q=${count};w=${seconds}`,
    ...(burst ? [`${policyName(name, 'burst')};q=${burst.count};w=${burst.seconds}`] : []),
    ...(pool ? [`${policyName(name, 'pool')};q=${pool.count};w=${pool.seconds}`] : []),
  ].join(', ');

/**
 * Writes RateLimit: the units left and the seconds until the window ends.
 *
 * @param part the limit that denied, if it is not the one that the decision names
 * @returns undefined if only memory counted, because the store may have counted more
 */
export const limitField = (
  name: AllowanceName,
  decision: ChargeDecision,
  now: number,
  part?: LimitPart,
): string | undefined => {
  const item = (limitPart: LimitPart, count: number, endsAt: number): string =>
    `${policyName(name, limitPart)};r=${count};t=${secondsUntil(endsAt, now)}`;
  if (!decision.admitted) return decision.isCertain ? item(part ?? decision.full, 0, decision.endsAt) : undefined;
  if (decision.remaining === undefined) return undefined;
  const { count, burst } = decision.remaining;
  return [item('window', count, decision.endsAt), ...(burst ? [item('burst', burst.count, burst.endsAt)] : [])].join(
    ', ',
  );
};
