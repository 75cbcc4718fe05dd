// Keeps offsets of a text at the ends of its characters.

const LOW_SURROGATE = /[\udc00-\udfff]/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

const isInsideSurrogatePair = (text: string, offset: number): boolean =>
  LOW_SURROGATE.test(text.charAt(offset)) && HIGH_SURROGATE.test(text.charAt(offset - 1));

/** Moves a UTF-16 offset that would split a surrogate pair, and bounds it by the length. */
export const validOffset = (text: string, offset: number): number =>
  Math.min(isInsideSurrogatePair(text, offset) ? offset + 1 : offset, text.length);
