// Locates the facets of a text: links, mentions and hashtags with their positions, and decodes its HTML entities.
//
// Positions are documented as code points of the escaped text, but sometimes they are UTF-16 units. A position is used only
// if the text there is the text of the facet. Otherwise the text of the facet is searched. The work for all facets of a
// text is bounded, because positions and texts come from third parties.
import type { TextRange } from '../model/text-places.ts';

const characters: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#34;', '"'],
  ['&#39;', "'"],
]);

/** Matches each entity that a provider writes. */
export const HTML_ENTITY = /&(?:amp|lt|gt|quot|#34|#39);/g;

/** @param entity such as `&amp;` */
export const characterOf = (entity: string): string => characters.get(entity) ?? entity;

export interface Facet {
  readonly start: number;
  readonly end: number;
  /** The text of the facet, with or without a leading @, # or $. */
  readonly original: string;
  /** The sign with which it begins; empty: it begins with none. */
  readonly sign: string;
}

const SURROGATE = /[\ud800-\udfff]/;
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/** @returns the code point positions of the characters that take two units */
const pairsIn = (text: string): readonly number[] => {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(PAIRS)) pairs.push(index - pairs.length);
  return pairs;
};

/** Converts code point positions to UTF-16 offsets. Beyond the end of the text each code point counts as one unit. */
export const offsetCounter = (text: string): ((point: number) => number) => {
  if (!SURROGATE.test(text)) return (point) => point;
  const pairs = pairsIn(text);
  return (point) => {
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[middle] ?? 0) < point) low = middle + 1;
      else high = middle;
    }
    return point + low;
  };
};

const MARKS = '@#$＠＃';

/** @returns the offset of the facet's own text in its range, after a leading mark; undefined if neither fits */
const textStart = (text: string, start: number, end: number, original: string): number | undefined => {
  const marks = end - start - original.length;
  if (marks === 0) return start;
  // Another character before the text belongs to the sentence.
  return marks === 1 && start < text.length && MARKS.includes(text.charAt(start)) ? start + 1 : undefined;
};

/** @returns true if the range is the text of the facet, with or without a leading mark */
const matchesAt = (text: string, start: number, end: number, original: string): boolean => {
  const at = textStart(text, start, end, original);
  return at !== undefined && text.startsWith(original, at);
};

/** Does the same without regard to letter case. */
const matchesIgnoringCase = (text: string, start: number, end: number, original: string): boolean => {
  const at = textStart(text, start, end, original);
  return at !== undefined && text.slice(at, end).toLowerCase() === original.toLowerCase();
};

/** The bound on searching, as a multiple of the length of the text. */
const MAX_PASSES = 64;

/**
 * Searches after the previous result first, then from the start. Facets are in the order of the text, so all searches
 * together usually read the text once. The function returns -1 if it finds nothing.
 */
const createSearch = (text: string): ((searched: string) => number) => {
  let last = 0;
  let left = MAX_PASSES * text.length;
  const indexFrom = (searched: string, start: number): number => {
    const index = text.indexOf(searched, start);
    left -= (index === -1 ? text.length : index) - start;
    return index;
  };
  return (searched) => {
    if (left < 0) return -1;
    const next = indexFrom(searched, last);
    const index = next === -1 ? indexFrom(searched, 0) : next;
    if (index !== -1) last = index + searched.length;
    return index;
  };
};

/** @returns the range of a facet; undefined if the text does not have it */
export type Locate = (facet: Facet) => TextRange | undefined;

/**
 * Creates a function that locates facets of one text, by code points, by UTF-16 units, or by search. The time of all calls
 * together is linear in the text and the number of facets.
 */
export const facetLocator = (text: string): Locate => {
  let search: ReturnType<typeof createSearch> | undefined;
  let offset: ReturnType<typeof offsetCounter> | undefined;
  /** Where a text repeats a tag after an emoji, both units can name one: X counts code points. */
  const hasPairs = SURROGATE.test(text);
  return ({ start, end, original, sign }) => {
    if (original === '') return undefined;
    if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start) {
      if (hasPairs) offset ??= offsetCounter(text);
      const ranges = [...(offset ? [{ start: offset(start), end: offset(end) }] : []), { start, end }];
      const range =
        ranges.find((candidate) => matchesAt(text, candidate.start, candidate.end, original)) ??
        ranges.find((candidate) => matchesIgnoringCase(text, candidate.start, candidate.end, original));
      if (range !== undefined) return range;
    }
    search ??= createSearch(text);
    for (const searched of new Set([sign + original, original])) {
      const index = search(searched);
      if (index !== -1) return { start: index, end: index + searched.length };
    }
    return undefined;
  };
};

const NOWHERE = -1;

const positionOf = (value: unknown): number => (typeof value === 'number' ? value : NOWHERE);

/** @param indices a pair of numbers; for any other value the facet has no position */
export const facetAt = (indices: unknown, original: string, sign = ''): Facet => {
  const pair: readonly unknown[] = Array.isArray(indices) ? indices : [];
  return { start: positionOf(pair[0]), end: positionOf(pair[1]), original, sign };
};

const BLANK = /\s/;

/** @returns the end of the text before `before`, without white space */
export const endOfText = (text: string, before: number): number => {
  let end = before;
  while (end > 0 && BLANK.test(text.charAt(end - 1))) end -= 1;
  return end;
};

const SHORT_LINK_AT_END = /https?:\/\/t\.co\/\w{1,15}$/;
const MAX_SHORT_LINK_CHARACTERS = 40;

/** @returns the start of the short link that ends at `end`; undefined if there is none */
export const shortLinkBefore = (text: string, end: number): number | undefined => {
  const searchStart = Math.max(0, end - MAX_SHORT_LINK_CHARACTERS);
  const found = SHORT_LINK_AT_END.exec(text.slice(searchStart, end));
  return found === null ? undefined : searchStart + found.index;
};
