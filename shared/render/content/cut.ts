// Cuts long texts for lists and quotes, and estimates how long a text takes to read.

const CHARACTERS = 500;
const LINES = 8;

/** The end may move back by this many characters to the end of a word. */
const WORD = 60;

const WORDS_PER_MINUTE = 230;
/** Chinese, Japanese and Korean do not separate words by spaces. */
const IDEOGRAPHS_PER_MINUTE = 500;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** @returns the offset of the line end after `count` lines; the length if there are fewer */
const endOfLines = (text: string, count: number): number => {
  let at = -1;
  for (let line = 0; line < count; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
};

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** @param mark matches one character @returns the end of the text before such characters; `end` if there are no others */
export const endBefore = (text: string, mark: RegExp, end = text.length): number => {
  let at = end;
  while (mark.test(text.charAt(at - 1))) at -= 1;
  return at === 0 ? end : at;
};

/** A cut is marked with `…`, which does not follow a full stop. */
const STOP = /[\s.…]/;

const beforeStop = (text: string, end: number): number => endBefore(text, STOP, end);

/** @returns the text with the mark of a cut at its end */
export const withCutMark = (text: string): string => `${text.slice(0, beforeStop(text, text.length))}…`;

/** @returns the UTF-16 offset at which a long text is cut, at the end of a word; undefined if the text is short enough */
export const cutOffset = (text: string, characters = CHARACTERS, lines = LINES): number | undefined => {
  const lineEnd = endOfLines(text, lines);
  // A cut that hides only a few words saves nothing.
  if (lineEnd === text.length && text.length <= characters + WORD) return undefined;
  let end = Math.min(lineEnd, characters);
  if (end === lineEnd) return text.slice(end).trim() === '' ? undefined : beforeStop(text, end);
  const beginning = text.slice(end - WORD, end + 1);
  const space = Math.max(...[' ', '\n', '\t'].map((character) => beginning.lastIndexOf(character)));
  if (space > 0) return beforeStop(text, end - WORD + space);
  if (isLowSurrogate(text.charCodeAt(end))) end -= 1;
  return beforeStop(text, end);
};

const EXCERPT_CHARACTERS = 280;

/** A cut moves back to the end of a word, by at most this number of characters. */
const EXCERPT_WORD = 40;

/** Cuts a text that is too long for the description of a page, at the end of a word, and marks the cut. */
export const cutExcerpt = (text: string): string => {
  // A character has at most 2 units. The bound keeps the work independent of the length of the text.
  const characters = Array.from(text.slice(0, 2 * EXCERPT_CHARACTERS + 2));
  if (characters.length <= EXCERPT_CHARACTERS) return text;
  const room = EXCERPT_CHARACTERS - 1; // the mark is a character
  const space = characters.slice(0, EXCERPT_CHARACTERS).findLastIndex((character) => /\s/.test(character));
  const end = space > room - EXCERPT_WORD ? space : room;
  return withCutMark(characters.slice(0, end).join(''));
};

/** @returns whole minutes, at least 1 */
export const readingMinutes = (text: string): number => {
  const ideographs = text.match(IDEOGRAPH)?.length ?? 0;
  const words = text.replace(IDEOGRAPH, ' ').match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + ideographs / IDEOGRAPHS_PER_MINUTE));
};
