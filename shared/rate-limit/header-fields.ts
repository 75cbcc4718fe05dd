// RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10): structured fields, lists of strings.
import type { Allowance, AllowanceName } from '../contract/allowances.ts';
import type { ChargeDecision } from './fixed-window-limiter.ts';
import { secondsUntil } from './window.ts';

/** Which of an allowance's limits. */
export type LimitPart = 'window' | 'burst' | 'pool';

const policyName = (name: AllowanceName, part: LimitPart): string =>
  part === 'window' ? `"${name}"` : `"${name}-${part}"`;

/** What an allowance is: the same in every answer. */
export const policyField = (name: AllowanceName, { count, seconds, burst }: Allowance, pool?: Allowance): string =>
  [
    `${policyName(name, 'window')};q=${count};w=${seconds}`,
    ...(burst ? [`${policyName(name, 'burst')};q=${burst.count};w=${burst.seconds}`] : []),
    ...(pool ? [`${policyName(name, 'pool')};q=${pool.count};w=${pool.seconds}`] : []),
  ].join(', ');

/** What is left of it; undefined where that is not known for certain. @param part which limit refuses, if not the decision's own */
export const limitField = (
  name: AllowanceName,
  decision: ChargeDecision,
  now: number,
  part?: LimitPart,
): string | undefined => {
  const item = (of: LimitPart, count: number, endsAt: number): string =>
    `${policyName(name, of)};r=${count};t=${secondsUntil(endsAt, now)}`;
  if (!decision.admitted) return decision.isCertain ? item(part ?? decision.full, 0, decision.endsAt) : undefined;
  if (decision.remaining === undefined) return undefined;
  const { count, burst } = decision.remaining;
  return [item('window', count, decision.endsAt), ...(burst ? [item('burst', burst.count, burst.endsAt)] : [])].join(
    ', ',
  );
};
