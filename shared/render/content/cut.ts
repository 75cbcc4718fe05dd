// Cuts plain texts, each marked with `…`. divideMarkdown cuts Markdown.
// - cutOffset: a text in a list or a quote, after some lines or characters, at the end of a word
// - cutExcerpt: the description of a page or of a feed item
// - cutPreview: the description of a link preview
// - cutTitle: the first words of a title
// - cutUnits: a member of JSON, after some code units
// - truncateText: the longest beginning that fits a space whose size the caller measures
// - cutBeyondReach: what no document can show, before it is rendered
import { findLargest } from '../../model/fit.ts';
import { graphemeEnds, graphemeStart } from '../../model/graphemes.ts';
import { isRecord } from '../../model/json.ts';
import { visibleText } from '../../model/visible-text.ts';
import { BYTES_PER_TOKEN } from './format.ts';

const CHARACTERS = 500;
const LINES = 8;

/** The end may move back by this many characters to the end of a word. */
const WORD = 60;

/** @returns the offset of the line end after `count` lines; the length if there are fewer */
const endOfLines = (text: string, count: number): number => {
  let at = -1;
  for (let line = 0; line < count; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
};

/** @param mark matches one character @returns the end of the text before such characters; `end` if there are no others */
const endBefore = (text: string, mark: RegExp, end = text.length): number => {
  let at = end;
  while (mark.test(text.charAt(at - 1))) at -= 1;
  return at === 0 ? end : at;
};

/** A cut is marked with `…`, which does not follow a full stop. */
const STOP = /[\s.…]/;

const beforeStop = (text: string, end: number): number => endBefore(text, STOP, end);

export const CUT_MARK = '…';

/** @returns the text with the mark of a cut at its end */
export const withCutMark = (text: string): string => text.slice(0, beforeStop(text, text.length)) + CUT_MARK;

/** @returns whole characters only, and the mark of a cut if the text is longer */
export const cutUnits = (text: string, codeUnits: number): string => {
  if (text.length <= codeUnits) return text;
  const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(codeUnits - 1));
  return text.slice(0, isWithinPair ? codeUnits - 1 : codeUnits) + CUT_MARK;
};

/** @returns the UTF-16 offset at which a long text is cut, at the end of a word; undefined if the text is short enough */
export const cutOffset = (text: string, characters = CHARACTERS, lines = LINES): number | undefined => {
  const lineEnd = endOfLines(text, lines);
  // A cut that hides only a few words saves nothing.
  if (lineEnd === text.length && text.length <= characters + WORD) return undefined;
  const end = Math.min(lineEnd, characters);
  if (end === lineEnd) return text.slice(end).trim() === '' ? undefined : beforeStop(text, end);
  const beginning = text.slice(end - WORD, end + 1);
  const space = Math.max(...[' ', '\n', '\t'].map((character) => beginning.lastIndexOf(character)));
  if (space > 0) return beforeStop(text, end - WORD + space);
  return beforeStop(text, graphemeStart(text, end));
};

const EXCERPT_CHARACTERS = 280;

/** No client shows more of a link preview. */
const PREVIEW_CHARACTERS = 4000;

/** A cut moves back to the end of a word, by at most this number of characters. */
const EXCERPT_WORD = 40;

/** The offset after a number of characters from an offset, or the length. A character has one or two units. */
const offsetAfter = (text: string, characters: number, from = 0): number => {
  let at = from;
  for (let left = characters; left > 0 && at < text.length; left -= 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
};

const BLANK = /\s/;

/** Cuts a text that is too long for the description of a page, at the end of a word, and marks the cut. */
export const cutExcerpt = (text: string, characters = EXCERPT_CHARACTERS): string => {
  if (text.length <= characters) return text;
  const room = characters - 1; // the mark is a character
  const firstEnd = offsetAfter(text, room - EXCERPT_WORD + 1);
  const end = offsetAfter(text, EXCERPT_WORD - 1, firstEnd);
  const last = offsetAfter(text, 1, end);
  if (last >= text.length) return text;
  let space = last - 1;
  while (space >= firstEnd && !BLANK.test(text.charAt(space))) space -= 1;
  return withCutMark(text.slice(0, space < firstEnd ? graphemeStart(text, end) : space));
};

/** Cuts a text that is too long for a link preview. */
export const cutPreview = (text: string): string => cutExcerpt(text, PREVIEW_CHARACTERS);

/** A title that ends at a word keeps at least this share of its length. */
const MIN_TITLE_FRACTION = 0.6;

const END_MARK = /[\s,;:–—-]/;

/** A title does not announce what follows it. A line of such marks only stays. */
export const withoutEndMarks = (line: string): string => line.slice(0, endBefore(line, END_MARK));

/** The first words of a title. @param characters the length of the result without the mark of the cut */
export const cutTitle = (line: string, characters: number): string => {
  const last = offsetAfter(line, characters);
  if (last >= line.length) return line;
  const cut = line.slice(0, graphemeStart(line, last));
  const space = cut.lastIndexOf(' ');
  const isWordEnd = line.charAt(cut.length) === ' ';
  const end = isWordEnd || space < cut.length * MIN_TITLE_FRACTION ? cut.length : space;
  return withCutMark(withoutEndMarks(cut.slice(0, end)));
};

/** Shorter texts are not worth a cut before rendering. */
const MIN_REACH = 20_000;
/** A shorter list of blocks or spans is not worth it either, unless one of them is long. */
const MIN_ITEMS = 1000;

const BLANKS = /\s+/g;

const shownCharacters = (text: string): number => visibleText(text).replace(BLANKS, '').length;

/** The text of a span or a block. */
const textIn = (part: unknown): string => {
  if (!isRecord(part)) return '';
  const { text, spans } = part;
  if (typeof text === 'string') return text;
  return Array.isArray(spans) ? spans.map(textIn).join('') : '';
};

/** The first of the spans or blocks that have more characters to show than the bound; all if they have no more. */
const itemsWithinReach = (items: readonly unknown[], characters: number): readonly unknown[] => {
  let shown = 0;
  const end = items.findIndex((item) => {
    shown += shownCharacters(textIn(item));
    return shown > characters;
  });
  return end === -1 ? items : items.slice(0, end + 1);
};

/** The beginning of a text with more characters to show than the bound; the whole text if it has no more. */
const withinReach = (text: string, characters: number): string => {
  // The names with which an answer begins can be hidden.
  if (text.startsWith('@')) return text;
  for (let end = 2 * characters; end < text.length; end *= 2) {
    const beginning = text.slice(0, end);
    if (shownCharacters(beginning) > characters) return beginning;
  }
  return text;
};

/**
 * Cuts texts that are by themselves longer than a document may be, before anything is rendered. It changes no document:
 * where such a text is shown, the document is too long in any case and is truncated.
 *
 * @param maxTokens of the document; undefined: no bound
 */
export const cutBeyondReach = <T>(value: T, maxTokens: number | undefined): T => {
  if (maxTokens === undefined) return value;
  const characters = Math.max(maxTokens * BYTES_PER_TOKEN, MIN_REACH);
  const isLong = (part: unknown): boolean => {
    if (typeof part === 'string') return part.length > 2 * characters;
    if (Array.isArray(part)) return part.length > MIN_ITEMS || part.some(isLong);
    return isRecord(part) && Object.values(part).some(isLong);
  };
  const cut = (part: unknown): unknown => {
    if (!isLong(part)) return part;
    if (typeof part === 'string') return withinReach(part, characters);
    if (Array.isArray(part)) return part.map(cut);
    if (!isRecord(part)) return part;
    const members = Object.entries(part).map(([name, member]) => {
      const isText = (name === 'blocks' || name === 'spans') && Array.isArray(member);
      return [name, cut(isText ? itemsWithinReach(member, characters) : member)];
    });
    return { ...part, ...Object.fromEntries(members) }; // with the places of its text
  };
  return cut(value) as T; // the same shape, with shorter texts
};

const BOUNDARIES: readonly RegExp[] = [
  /\n\s*\n/g, // paragraph
  /[.!?…。！？](?=[\s"'”’)]|$)|[。！？]/g, // sentence
  /\s+/g, // word
];

/** Offsets at which the text may end, read as far as they are needed: a long text has many more than fit. */
function* cutPoints(text: string, pattern: RegExp): Generator<number> {
  for (const match of text.matchAll(pattern)) {
    const at = match.index + (/\s/.test(match[0]) ? 0 : match[0].length);
    if (at > 0) yield at;
  }
}

/**
 * The last point that fits.
 *
 * @param ascending after a point that does not fit, no other fits
 */
const longestFitting = (ascending: Iterable<number>, fits: (at: number) => boolean): number | undefined => {
  const left = Iterator.from(ascending);
  const points: number[] = [];
  return findLargest(0, Number.POSITIVE_INFINITY, (index) => {
    while (points.length <= index) {
      const { value, done } = left.next();
      if (done) return undefined;
      points.push(value);
    }
    const at = points[index];
    return at !== undefined && fits(at) ? at : undefined;
  });
};

/** A better boundary wins if it keeps at least this share of the text that a worse one would keep. */
const MIN_KEPT_FRACTION = 0.5;

/**
 * The longest beginning that fits. It ends after a paragraph, else a sentence, else a word, else a character.
 *
 * @returns the beginning with the mark of the cut, and the UTF-16 offset of its end in the text
 */
export const truncateText = (
  text: string,
  fits: (shorter: string) => boolean,
): { readonly text: string; readonly end: number } | undefined => {
  const fitting = BOUNDARIES.map((pattern) =>
    longestFitting(cutPoints(text, pattern), (end) => fits(`${text.slice(0, end)} …`)),
  );
  const longest = Math.max(...fitting.map((end) => end ?? 0));
  const end = fitting.find((candidate) => candidate !== undefined && candidate >= longest * MIN_KEPT_FRACTION);
  if (end !== undefined) return { text: `${text.slice(0, end)} …`, end };
  const at = longestFitting(graphemeEnds(text), (end) => fits(`${text.slice(0, end)}…`));
  return at === undefined ? undefined : { text: `${text.slice(0, at)}…`, end: at };
};

const WORDS_PER_MINUTE = 230;
/** Chinese, Japanese and Korean do not separate words by spaces. */
const IDEOGRAPHS_PER_MINUTE = 500;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** @returns whole minutes, at least 1 */
export const readingMinutes = (text: string): number => {
  const ideographs = text.match(IDEOGRAPH)?.length ?? 0;
  const words = text.replace(IDEOGRAPH, ' ').match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + ideographs / IDEOGRAPHS_PER_MINUTE));
};
