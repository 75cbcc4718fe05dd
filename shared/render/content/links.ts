// Finds the links of a text. All URLs are searched for at once, so that the work grows with the length of the text plus
// the URLs, not with their product.

import { visibleUrl } from '../../model/visible-text.ts';

export interface LinkRange {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** X accepts no longer URL. The bound limits the comparison at each position. */
const MAX_LINK_LENGTH = 4096;

const URL_START = /https?:\/\//gi;

/** A URL ends before punctuation, which belongs to the sentence. */
const URL_IN_TEXT = /https?:\/\/[^\s<>"'()]*[^\s<>"'().,;:!?…。、]/gi;

/**
 * The URLs of a text in which the provider marks no links. A URL with an invisible character stays text: its link would show
 * another URL than its target.
 */
export const urlsIn = (text: string): readonly string[] =>
  (text.match(URL_IN_TEXT) ?? []).filter((url) => visibleUrl(url) === url);

/** A URL in a text does not end before one of these characters. */
export const CONTINUES_URL = /[\w/?#=&%-]/;

/** @returns the first index from `low` to `high` whose code unit at `depth` is at least `unit` */
const lowerBound = (sorted: readonly string[], low: number, high: number, depth: number, unit: number): number => {
  let first = low;
  let last = high;
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((sorted[middle]?.charCodeAt(depth) ?? 0) < unit) first = middle + 1;
    else last = middle;
  }
  return first;
};

/** @param start length of a known common prefix @returns the length of the longest common prefix in code units */
const commonLength = (a: string, b: string, start: number): number => {
  const end = Math.min(a.length, b.length);
  let length = start;
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
};

/** The longest URL at a position. The range of candidates shrinks with each code unit that is compared. */
const longestAt = (text: string, at: number, sorted: readonly string[]): string | undefined => {
  let low = 0;
  let high = sorted.length;
  let depth = 0;
  let longest: string | undefined;
  while (low < high) {
    const first = sorted[low] ?? '';
    // In sorted order, all candidates share the common prefix of the first and the last.
    const common = commonLength(first, sorted[high - 1] ?? '', depth);
    for (; depth < common; depth += 1) if (text.charCodeAt(at + depth) !== first.charCodeAt(depth)) return longest;
    if (first.length === depth) {
      longest = first;
      low += 1;
      continue;
    }
    const unit = text.charCodeAt(at + depth);
    if (Number.isNaN(unit)) return longest;
    low = lowerBound(sorted, low, high, depth, unit);
    high = lowerBound(sorted, low, high, depth, unit + 1);
  }
  return longest;
};

/**
 * The positions of links in the order of the text. If two URLs start at one position, the longer one counts. A URL that is
 * only the beginning of a URL in the text does not count.
 *
 * @param urls http or https
 */
export const linkPlaces = (text: string, urls: readonly string[]): LinkRange[] => {
  if (urls.length === 0) return [];
  const sorted = [...new Set(urls)].filter((url) => url.length <= MAX_LINK_LENGTH).sort();
  const places: LinkRange[] = [];
  URL_START.lastIndex = 0;
  for (let match = URL_START.exec(text); match !== null; match = URL_START.exec(text)) {
    const start = match.index;
    const url = longestAt(text, start, sorted);
    if (url === undefined || CONTINUES_URL.test(text.charAt(start + url.length))) continue;
    const end = start + url.length;
    places.push({ start, end, url });
    URL_START.lastIndex = end;
  }
  return places;
};
