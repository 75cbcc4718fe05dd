// The short way for ordinary texts: a few cheap looks tell whether anything needs escaping, trimming or leaving out.
// Most posts need nothing of it. What the short way lets through, escape.ts would have left as it is; a property test
// holds the two together.
import { MAYBE_UNSEEN } from '../../model/visible-text.ts';
import { CONTINUES_URL } from '../content/links.ts';

/** Marks that may need a backslash, tabs and line ends that are not `\n`, what visible.ts may leave out. */
const SPECIAL = new RegExp(`[\\\\\`*~[<&\\t\\r\\u0085\\u2028\\u2029${MAYBE_UNSEEN.common}]`);
const HAS_RARE = new RegExp(`[${MAYBE_UNSEEN.rare}]`);
/** Line starts that may begin a block, blanks that would be trimmed, line ends that would be folded. */
const LINES_NEED_WORK = /\n[ #>+=0-9|:-]|\n{3}| \n|\n$/;
const STARTS_BLOCK = /^[ \n#>+=0-9|:-]/;

const hasPlainLayout = (words: string): boolean =>
  !STARTS_BLOCK.test(words) && !words.endsWith(' ') && (!words.includes('\n') || !LINES_NEED_WORK.test(words));

const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** `_` between letters or digits is part of a word and stays as it is. */
const hasLooseUnderscore = (words: string): boolean => {
  for (let at = words.indexOf('_'); at !== -1; at = words.indexOf('_', at + 1)) {
    if (!isWord(words.charCodeAt(at - 1)) || !isWord(words.charCodeAt(at + 1))) return true;
  }
  return false;
};

/** One line or several that Markdown reads as these words and nothing else, as they are. */
export const isPlain = (words: string): boolean =>
  !SPECIAL.test(words) &&
  !HAS_RARE.test(words) &&
  hasPlainLayout(words) &&
  !hasLooseUnderscore(words) &&
  words.isWellFormed();

/** What a single line loses or what closes a bracket. */
const LINE_NEEDS_WORK = /[^\S ]| {2}|\]/;

/** The same for a line within other marks. */
export const isPlainLine = (words: string): boolean => isPlain(words) && !LINE_NEEDS_WORK.test(words);

const BLANK = /\s/;

/**
 * Splits a text at the one place where its one link stands.
 *
 * @returns undefined when it takes more than that
 */
export const splitAtLink = (words: string, url: string): readonly [before: string, after: string] | undefined => {
  const at = words.indexOf(url);
  const end = at + url.length;
  // What touches the link may be an address itself, which takes more care.
  if (
    at === -1 ||
    (at > 0 && !BLANK.test(words.charAt(at - 1))) ||
    CONTINUES_URL.test(words.charAt(end)) ||
    words.indexOf(url, end) !== -1
  )
    return undefined;
  return [words.slice(0, at), words.slice(end)];
};
