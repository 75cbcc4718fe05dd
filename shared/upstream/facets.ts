// Positions that providers give for links, mentions and hashtags. Their unit is code points of the escaped text on
// paper and UTF-16 units now and then, so a position is believed only when the slice is what it claims to be.
import type { JsonRecord } from '../model/json.ts';
import { asText } from './json-readers.ts';

export interface Facet {
  readonly start: number;
  readonly end: number;
  /** What should stand there; a leading @, # or $ may be missing from it. */
  readonly original: string;
}

export interface TextRange {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

const SURROGATE = /[\ud800-\udfff]/;
/** Code points between two known offsets: fewer take more memory, more take longer to count from one. */
const STRIDE = 256;

/** UTF-16 offsets of every STRIDE-th code point; a text beyond its end goes on in single units. */
const offsetsIn = (text: string): { readonly known: readonly number[]; readonly points: number } => {
  const known: number[] = [];
  let points = 0;
  for (let units = 0; units < text.length; points += 1) {
    if (points % STRIDE === 0) known.push(units);
    units += unitsAt(text, units);
  }
  return { known, points };
};

const unitsAt = (text: string, at: number): 1 | 2 => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** Turns code points into UTF-16 offsets, in any order, without counting from the beginning each time. */
const offsetCounter = (text: string): ((point: number) => number) => {
  if (!SURROGATE.test(text)) return (point) => point;
  const { known, points } = offsetsIn(text);
  return (point) => {
    if (point >= points) return text.length + (point - points);
    let units = known[Math.floor(point / STRIDE)] ?? 0;
    for (let left = point % STRIDE; left > 0; left -= 1) units += unitsAt(text, units);
    return units;
  };
};

/** The words themselves, with or without the mark before them. */
const matchesAt = (text: string, start: number, end: number, original: string): boolean => {
  const marks = end - start - original.length;
  return (marks === 0 || marks === 1) && text.startsWith(original, start + marks);
};

/** The same in another letter case. */
const saysAlike = (text: string, start: number, end: number, original: string): boolean => {
  const marks = end - start - original.length;
  if (marks !== 0 && marks !== 1) return false;
  return text.slice(start + marks, end).toLowerCase() === original.toLowerCase();
};

/** How many times over a text is searched at most: facets that are not in it cost no more, however many there are. */
const MAX_PASSES = 64;

/**
 * Looks for words after those that were found before them, else from the beginning. Facets come in the order of the
 * text, so that all searches together mostly read it once.
 */
const searcher = (text: string): ((words: string) => TextRange | undefined) => {
  let last = 0;
  let left = MAX_PASSES * text.length;
  const indexFrom = (words: string, from: number): number => {
    const at = text.indexOf(words, from);
    left -= (at === -1 ? text.length : at) - from;
    return at;
  };
  return (words) => {
    if (left < 0) return undefined;
    const after = indexFrom(words, last);
    const at = after === -1 ? indexFrom(words, 0) : after;
    if (at === -1) return undefined;
    last = at + words.length;
    return { start: at, end: last };
  };
};

/**
 * Finds facets of one text by code points or UTF-16 units, whichever says what it should, else by looking for the
 * words. The work of all calls together grows with the text and the facets, whatever positions they claim.
 */
export const facetLocator = (text: string): ((facet: Facet) => TextRange | undefined) => {
  let search: ReturnType<typeof searcher> | undefined;
  let offset: ReturnType<typeof offsetCounter> | undefined;
  return ({ start, end, original }) => {
    if (original === '') return undefined;
    if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start) {
      // Units come first only because they are cheaper: both answers, if both fit, hold the same words.
      if (matchesAt(text, start, end, original)) return { start, end };
      offset ??= offsetCounter(text);
      const from = offset(start);
      const to = offset(end);
      if (matchesAt(text, from, to, original)) return { start: from, end: to };
      if (saysAlike(text, start, end, original)) return { start, end };
      if (saysAlike(text, from, to, original)) return { start: from, end: to };
    }
    search ??= searcher(text);
    return search(original);
  };
};

export interface Replacement extends TextRange {
  readonly by: string;
}

/**
 * A text with its replacements written out; of two that overlap the earlier one counts.
 *
 * @param kept what becomes of the words between them
 */
export const replaceRanges = (
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
 * Whether the words of a facet are in the text: enough where no position is used, and cheaper, since no code points are
 * counted unless the words stand nowhere as they are written.
 */
export const facetChecker = (text: string): ((facet: Facet) => boolean) => {
  let search: ReturnType<typeof searcher> | undefined;
  let locate: ReturnType<typeof facetLocator> | undefined;
  return (facet) => {
    const { start, end, original } = facet;
    if (original === '') return false;
    if (matchesAt(text, start, end, original)) return true;
    search ??= searcher(text);
    if (search(original) !== undefined) return true;
    locate ??= facetLocator(text);
    return locate(facet) !== undefined;
  };
};

const BLANK = /\s/;

/** Where a text ends without the blanks before a place in it. */
export const endOfWords = (text: string, before: number): number => {
  let end = before;
  while (end > 0 && BLANK.test(text.charAt(end - 1))) end -= 1;
  return end;
};

const SHORT_LINK_AT_END = /https?:\/\/t\.co\/\w{1,15}$/;
const LONGEST_SHORT_LINK = 40;

/** Where the short link begins that ends a text at this place, if there is one. */
export const shortLinkBefore = (text: string, end: number): number | undefined => {
  const from = Math.max(0, end - LONGEST_SHORT_LINK);
  const found = SHORT_LINK_AT_END.exec(text.slice(from, end));
  return found === null ? undefined : from + found.index;
};

/** Each once, in the order of their first. */
export const unique = (values: string[]): string[] => (values.length < 2 ? values : [...new Set(values)]);

/**
 * What facets name, each once: mentions, hashtags.
 *
 * @param member holds the name
 * @param stands whether the name is where its facet says
 */
export const namesIn = (
  facets: readonly JsonRecord[],
  member: string,
  stands: (facet: JsonRecord, name: string) => boolean,
): string[] =>
  unique(
    facets.flatMap((facet) => {
      const name = asText(facet[member]);
      return name !== undefined && stands(facet, name) ? [name] : [];
    }),
  );
