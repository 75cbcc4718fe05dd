// Chooses a format by Accept (RFC 9110 section 12.5.1). The edge function bundles this file, and its runtime knows little
// beyond ES5: no for-of, destructuring, spread, Map or Set. The build of the edge function rejects them.

import { mediaTypes, type NegotiableFormat, type Negotiation } from '../contract/media-types.ts';

interface Range {
  readonly type: string;
  readonly q: number;
}

const RANGE = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)\s*((?:;.*)?)$/;
const WEIGHT = /;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*(?:;|$)/;

/** @param parameters of a member, from its first semicolon on @returns 1 if they contain no weight */
export const weightIn = (parameters: string): number => {
  const weight = WEIGHT.exec(parameters);
  return weight === null ? 1 : Math.min(1, Number(weight[1]));
};

const parseRange = (part: string): Range | undefined => {
  const match = RANGE.exec(part);
  if (match === null) return undefined;
  return { type: match[1] || '', q: weightIn(match[2] || '') };
};

/** The rest of a longer field is ignored. No client names more ranges, and the edge function has little time. */
const MAX_RANGES = 100;

const parseAccept = (accept: string): readonly Range[] =>
  accept
    .toLowerCase()
    .split(',', MAX_RANGES)
    .map(parseRange)
    .filter((range) => range !== undefined);

const weightOf = (ranges: readonly Range[], type: string): number | undefined =>
  ranges.find((range) => range.type === type)?.q;

interface Match {
  readonly q: number;
  readonly isExplicit: boolean;
}

/** The most specific range that covers the offer decides. If Markdown is not named, text/plain counts as Markdown, also with weight 0. */
const matchOf = (ranges: readonly Range[], offer: NegotiableFormat): Match | undefined => {
  const type = mediaTypes[offer];
  const exact = weightOf(ranges, type);
  if (exact !== undefined) return { q: exact, isExplicit: true };
  const plain = offer === 'markdown' ? weightOf(ranges, 'text/plain') : undefined;
  if (plain !== undefined) return { q: plain, isExplicit: false };
  const group = weightOf(ranges, `${type.slice(0, type.indexOf('/'))}/*`);
  const q = group === undefined ? weightOf(ranges, '*/*') : group;
  return q === undefined ? undefined : { q, isExplicit: false };
};

interface BestMatch extends Match {
  readonly offer: NegotiableFormat;
}

export const offersOf = (negotiation: Negotiation): readonly NegotiableFormat[] =>
  negotiation.byRange.concat(negotiation.byName);

/**
 * @param accept the Accept field; absent, empty or malformed: any format is acceptable
 * @returns undefined: no offer is acceptable (406)
 */
export const negotiateFormat = (accept: string | undefined, negotiation: Negotiation): NegotiableFormat | undefined => {
  const ranges = parseAccept(accept || '');
  if (ranges.length === 0) return negotiation.byRange[0];
  const best = offersOf(negotiation).reduce<BestMatch | undefined>((soFar, offer) => {
    const match = matchOf(ranges, offer);
    if (match === undefined || match.q === 0) return soFar;
    if (!match.isExplicit && negotiation.byName.includes(offer)) return soFar;
    const beats =
      soFar === undefined || match.q > soFar.q || (match.q === soFar.q && match.isExplicit && !soFar.isExplicit);
    return beats ? { q: match.q, isExplicit: match.isExplicit, offer } : soFar;
  }, undefined);
  return best?.offer;
};
