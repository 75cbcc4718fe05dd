// Finds the places at which a text can be cut: between graphemes, which readers take for one character (Unicode UAX 29). A flag
// is two code points, a family up to eleven, and a letter can have marks.

/** Units before this one are characters of their own, beside another such unit. */
const FIRST_MARK = 0x300;

/** In UTF-16 units. A longer grapheme, such as a letter with many marks, is cut within. */
const LONGEST = 64;

/** Whether a flag begins at a unit depends on all flags before it, so they are read as far as this. In UTF-16 units. */
const REACH = 1024;

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const isSimple = (text: string, at: number): boolean => text.charCodeAt(at) < FIRST_MARK;

/** @returns the offset itself, or the one before it if it is within a surrogate pair */
const pairStart = (text: string, at: number): number =>
  isLowSurrogate(text.charCodeAt(at)) ? Math.max(0, at - 1) : at;

let segmenter: Intl.Segmenter | undefined;

const segmentsOf = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
};

/**
 * The last offset up to `at` that is not within a grapheme; within the first one, where nothing would be left, that of a code point.
 * The work does not depend on the length of the text.
 */
export const graphemeStart = (text: string, at: number): number => {
  if (at <= 0 || at >= text.length || (isSimple(text, at - 1) && isSimple(text, at))) return at;
  let from = at - 1;
  while (from > 0 && from > at - REACH && !isSimple(text, from)) from -= 1;
  from = pairStart(text, from);
  const index = segmentsOf(text.slice(from, at + LONGEST)).containing(at - from)?.index ?? 0;
  const start = from + index;
  return start === 0 || at - start > LONGEST ? pairStart(text, at) : start;
};

/** The offsets after the graphemes of a text, read as far as they are needed; within one that is too long, those after its characters. */
export function* graphemeEnds(text: string): Generator<number> {
  let end = 0;
  for (const { segment } of segmentsOf(text)) {
    for (const part of segment.length > LONGEST ? segment : [segment]) {
      end += part.length;
      yield end;
    }
  }
}
