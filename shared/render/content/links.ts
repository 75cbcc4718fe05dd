// Where the links of a text stand in it. Links are searched for all at once, so that the work grows with the text and
// with the links, not with their product.

export interface LinkRange {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** A longer address is no link: X takes none, and each costs at most so much at every place where one may begin. */
const MAX_LINK_LENGTH = 4096;

const BEGINS_ADDRESS = /https?:\/\//gi;

/** What an address would not end before. */
export const CONTINUES_URL = /[\w/?#=&%-]/;

/** The first of those from `low` to `high` whose code unit at `depth` is at least `unit`. @param sorted by code units */
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

/** How many units two texts have in common. */
const commonLength = (a: string, b: string, from: number): number => {
  const most = Math.min(a.length, b.length);
  let length = from;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
};

/** The longest that stands at this place: those that differ from the text are left out of the range, unit by unit. */
const longestAt = (words: string, at: number, sorted: readonly string[]): string | undefined => {
  let low = 0;
  let high = sorted.length;
  let depth = 0;
  let longest: string | undefined;
  while (low < high) {
    const first = sorted[low] ?? '';
    // What the first and the last have in common all between them have.
    const common = commonLength(first, sorted[high - 1] ?? '', depth);
    for (; depth < common; depth += 1) if (words.charCodeAt(at + depth) !== first.charCodeAt(depth)) return longest;
    if (first.length === depth) {
      longest = first;
      low += 1;
      continue;
    }
    const unit = words.charCodeAt(at + depth);
    if (Number.isNaN(unit)) return longest;
    low = lowerBound(sorted, low, high, depth, unit);
    high = lowerBound(sorted, low, high, depth, unit + 1);
  }
  return longest;
};

/**
 * The places of known links in the order of the text: of two that begin at one place the longer one, and none that is
 * only the beginning of an address in the text.
 *
 * @param urls http(s) addresses
 */
export const linkPlaces = (words: string, urls: readonly string[]): LinkRange[] => {
  if (urls.length === 0) return [];
  const sorted = [...new Set(urls)].filter((url) => url.length <= MAX_LINK_LENGTH).sort();
  const places: LinkRange[] = [];
  BEGINS_ADDRESS.lastIndex = 0;
  for (let match = BEGINS_ADDRESS.exec(words); match !== null; match = BEGINS_ADDRESS.exec(words)) {
    const start = match.index;
    const url = longestAt(words, start, sorted);
    if (url === undefined || CONTINUES_URL.test(words.charAt(start + url.length))) continue;
    const end = start + url.length;
    places.push({ start, end, url });
    BEGINS_ADDRESS.lastIndex = end;
  }
  return places;
};
