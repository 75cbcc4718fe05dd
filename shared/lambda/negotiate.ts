// Chooses a representation by Accept (RFC 9110 section 12.5.1, decisions 4). Also bundled into the edge function,
// whose runtime knows little beyond ES5: plain strings, arrays and regular expressions only.

import type { Negotiable, Negotiation } from '../contract/media-types.ts';

export const mediaTypes: Readonly<Record<Negotiable, string>> = {
  markdown: 'text/markdown',
  json: 'application/json',
  html: 'text/html',
};

interface Range {
  readonly type: string;
  readonly q: number;
}

const RANGE = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)\s*((?:;.*)?)$/;
const WEIGHT = /;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*(?:;|$)/;

const parseAccept = (accept: string): Range[] => {
  const ranges: Range[] = [];
  for (const part of accept.toLowerCase().split(',')) {
    const match = RANGE.exec(part);
    if (match === null) continue;
    const weight = WEIGHT.exec(match[2] || '');
    ranges.push({ type: match[1] || '', q: weight === null ? 1 : Math.min(1, Number(weight[1])) });
  }
  return ranges;
};

const weightOf = (ranges: readonly Range[], type: string): number | undefined => {
  for (const range of ranges) if (range.type === type) return range.q;
  return undefined;
};

interface Match {
  readonly q: number;
  readonly named: boolean;
}

/** The most specific range that covers the offer decides; text/plain stands in for Markdown where that is not named. */
const matchOf = (ranges: readonly Range[], offer: Negotiable): Match | undefined => {
  const type = mediaTypes[offer];
  const exact = weightOf(ranges, type);
  if (exact !== undefined) return { q: exact, named: true };
  const plain = offer === 'markdown' ? weightOf(ranges, 'text/plain') : undefined;
  if (plain !== undefined && plain > 0) return { q: plain, named: false };
  const group = weightOf(ranges, `${type.slice(0, type.indexOf('/'))}/*`);
  const q = group === undefined ? weightOf(ranges, '*/*') : group;
  return q === undefined ? undefined : { q, named: false };
};

/**
 * @param accept the Accept header; absent, empty or unreadable means anything
 * @returns undefined when nothing is acceptable (406)
 */
export const chooseRepresentation = (
  accept: string | undefined,
  { offers, onlyIfNamed }: Negotiation,
): Negotiable | undefined => {
  const ranges = parseAccept(accept || '');
  if (ranges.length === 0) return offers[0];
  let best: (Match & { readonly offer: Negotiable }) | undefined;
  for (const offer of offers) {
    const match = matchOf(ranges, offer);
    if (match === undefined || match.q === 0 || (!match.named && onlyIfNamed.indexOf(offer) !== -1)) continue;
    if (best === undefined || match.q > best.q || (match.q === best.q && match.named && !best.named)) {
      best = { q: match.q, named: match.named, offer };
    }
  }
  return best === undefined ? undefined : best.offer;
};
