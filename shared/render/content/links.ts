// Finds the places of a text: those that its provider names, or those that a search finds. All known links are compared at
// once, so that the work grows with the length of the text plus the links, not with their product.
import type { Post } from '../../model/post.ts';
import { PLACES, type PlacedText, type TextPlace, validPlaces } from '../../model/text-places.ts';
import type { User } from '../../model/user.ts';
import { type FindKnown, searchPlaces } from './search-places.ts';

/** X accepts no longer URL. The bound limits the comparison at each position. */
const MAX_LINK_LENGTH = 4096;

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

const findAmong = (urls: readonly string[]): FindKnown | undefined => {
  if (urls.length === 0) return undefined;
  const sorted = [...new Set(urls)].filter((url) => url.length <= MAX_LINK_LENGTH).sort();
  return (text, at) => at + (longestAt(text, at, sorted)?.length ?? 0);
};

/** A text whose links are known, if not their places. */
export type LinkedText = PlacedText & Partial<Pick<Post, 'links'>>;

/** @returns the places in the order of the text; none overlap */
export const placesOf = (source: LinkedText): readonly TextPlace[] => {
  const { text, links = [], [PLACES]: named } = source;
  return named === undefined ? searchPlaces(text, findAmong(links.map(({ url }) => url))) : validPlaces(text, named);
};

/** The places of links only. Markdown leaves the others as they are: a mention is read as well without its address. */
export const linkPlacesOf = (source: LinkedText): readonly TextPlace[] =>
  placesOf(source).filter(({ type }) => type === 'link');

/**
 * The biography of an account as a text. Providers name its links, and seldom its mentions and tags, all of which X links.
 * What the provider does not name is searched.
 */
export const bioText = ({ bio = '', [PLACES]: named }: Pick<User, 'bio' | typeof PLACES>): PlacedText => {
  // A link that ends at the mark of a cut is divided.
  const found = searchPlaces(bio).filter(({ type, end }) => type !== 'link' || bio.charAt(end) !== '…');
  if (named === undefined) return { text: bio, [PLACES]: found };
  const hasLinks = named.some(({ type }) => type === 'link');
  const hasOthers = named.some(({ type }) => type !== 'link');
  const added = found.filter(({ type }) => !(type === 'link' ? hasLinks : hasOthers));
  return { text: bio, [PLACES]: [...named, ...added] };
};
