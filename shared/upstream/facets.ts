// Positions that providers give for links, mentions and hashtags. Their unit is code points of the escaped text on
// paper and UTF-16 units now and then, so a position is believed only when the slice is what it claims to be.
import { type RawRecord, text } from './wire.ts';

export interface Facet {
  readonly start: number;
  readonly end: number;
  /** What should stand there; a leading @, # or $ may be missing from it. */
  readonly original: string;
}

export interface Located {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Turns code points into UTF-16 offsets, going on from the last one: facets come in order. */
const offsetCounter = (text: string): ((point: number) => number) => {
  let points = 0;
  let units = 0;
  return (point) => {
    if (point < points) {
      points = 0;
      units = 0;
    }
    while (points < point && units < text.length) {
      const high = text.charCodeAt(units) & 0xfc00;
      units += high === 0xd800 && (text.charCodeAt(units + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
      points += 1;
    }
    return units + (point - points);
  };
};

const says = (text: string, start: number, end: number, original: string): boolean => {
  const marked = end - start === original.length + 1 ? 1 : 0;
  if (end - start - marked !== original.length) return false;
  if (text.startsWith(original, start + marked)) return true;
  return text.slice(start + marked, end).toLowerCase() === original.toLowerCase();
};

/**
 * Finds facets of one text by code points or UTF-16 units, whichever says what it should, else by looking for the
 * words. Units come first only because they are cheaper: both answers, if both fit, hold the same words.
 */
export const facetLocator = (text: string): ((facet: Facet) => Located | undefined) => {
  const offset = offsetCounter(text);
  return ({ start, end, original }) => {
    if (original === '') return undefined;
    if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start) {
      if (says(text, start, end, original)) return { start, end };
      const from = offset(start);
      const to = offset(end);
      if (says(text, from, to, original)) return { start: from, end: to };
    }
    const found = text.indexOf(original);
    return found === -1 ? undefined : { start: found, end: found + original.length };
  };
};

export interface Replacement extends Located {
  readonly by: string;
}

/**
 * A text with its replacements written out; of two that overlap the earlier one counts.
 *
 * @param kept what becomes of the words between them
 */
export const replaceLocated = (
  text: string,
  replacements: readonly Replacement[],
  kept: (words: string) => string = (words) => words,
): string => {
  let written = '';
  let position = 0;
  for (const { start, end, by } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < position) continue;
    written += kept(text.slice(position, start)) + by;
    position = end;
  }
  return written + kept(text.slice(position));
};

const NOWHERE = -1;

/** `indices` as providers write them: a pair of numbers, or anything else. */
export const facetAt = (indices: unknown, original: string): Facet => {
  const pair: readonly unknown[] = Array.isArray(indices) ? indices : [];
  const [start, end] = pair;
  return { start: typeof start === 'number' ? start : NOWHERE, end: typeof end === 'number' ? end : NOWHERE, original };
};

/**
 * Whether the words of a facet are in the text at all: enough where no position is used. The search begins where the
 * facet says, because units are never fewer than code points.
 */
export const standsIn = (text: string, indices: unknown, original: string): boolean => {
  const facet = facetAt(indices, original);
  return text.indexOf(original, facet.start) !== -1 || facetLocator(text)(facet) !== undefined;
};

const unique = (values: readonly string[]): string[] => (values.length < 2 ? [...values] : [...new Set(values)]);

/**
 * What facets name, each once: mentions, hashtags.
 *
 * @param member holds the name
 * @param stands whether the name is where its facet says
 */
export const namesIn = (
  facets: readonly RawRecord[],
  member: string,
  stands: (facet: RawRecord, name: string) => boolean,
): string[] =>
  unique(
    facets.flatMap((facet) => {
      const name = text(facet[member]);
      return name !== undefined && stands(facet, name) ? [name] : [];
    }),
  );
