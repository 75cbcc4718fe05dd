// Positions that providers give for links, mentions and hashtags. Their unit is code points of the escaped text on
// paper and UTF-16 units now and then, so a position is believed only when the slice is what it claims to be.

export interface Facet {
  readonly start: number;
  readonly end: number;
  /** What should stand there, without @, # or $. */
  readonly original: string;
}

const says = (slice: string, original: string): boolean => {
  if (slice.length === original.length) return slice === original || slice.toLowerCase() === original.toLowerCase();
  return slice.length === original.length + 1 && slice.slice(1).toLowerCase() === original.toLowerCase();
};

const ASTRAL = /[\ud800-\udfff]/;

export interface Located {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Finds facets of one text; splitting it into code points once, and only if that can matter. */
export const facetLocator = (text: string): ((facet: Facet) => Located | undefined) => {
  const points = ASTRAL.test(text) ? Array.from(text) : undefined;
  const offset = (index: number): number =>
    points === undefined ? index : points.slice(0, index).reduce((sum, point) => sum + point.length, 0);
  return ({ start, end, original }) => {
    if (original === '') return undefined;
    if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start) {
      const byCodePoint = { start: offset(start), end: offset(end) };
      if (says(text.slice(byCodePoint.start, byCodePoint.end), original)) return byCodePoint;
      if (says(text.slice(start, end), original)) return { start, end };
    }
    const found = text.indexOf(original);
    return found === -1 ? undefined : { start: found, end: found + original.length };
  };
};
