// Third-party text -> Markdown that, parsed again, says these words and nothing else. Only what could be read as
// structure gets a backslash, so that ordinary posts carry almost none. CommonMark 0.31, GFM, and what Obsidian adds.
import { visibleAddress, visibleLine, visibleText } from '../../model/visible-text.ts';
import { linkPlaces } from '../content/links.ts';
import { fenceLanguage } from './fence-languages.ts';
import { isPlain, isPlainLine, splitAtLink } from './plain-text.ts';

export type Dialect = 'markdown' | 'obsidian';

/** Carried through one rendering. */
export interface MarkdownContext {
  readonly dialect: Dialect;
  /** Invisible characters left out so far. */
  removed: number;
  readonly onRemoved: () => void;
}

export const createMarkdownContext = (dialect: Dialect): MarkdownContext => {
  const ink: MarkdownContext = {
    dialect,
    removed: 0,
    onRemoved: () => {
      ink.removed += 1;
    },
  };
  return ink;
};

/** What of our own stands in the same block: it decides what the words could pair up with. */
export type InlineContext = 'nothing' | 'brackets' | 'marks';

/** Hold the places of our own marks while the words around them are escaped; visible text has no such characters. */
export const MARK = '\u0001';
/** The same for the bracket that opens a link, which must not follow a `!`. */
export const OPEN_LINK = '\u0002';
const PLACES = /[\u0001\u0002]/g;

const SPECIAL =
  /\\(?=[!-/:-@[-`{-~\u0001\u0002]|$)|`+|\*+|_+|~+|\[|\]|!(?=\u0002)|<(?=[a-z/!?]|[^\s<>]*@)|&(?=#?[a-z0-9]+;)/gim;
const PAIRED = '*_~`';
const HAS_SPECIAL = /[\\`*_~[\]<&]|!\u0002/;
const WORD = /[\p{L}\p{N}]/u;
const BLANK = /\s/;

const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character);
const isBlank = (character: string | undefined): boolean => character === undefined || BLANK.test(character);

/** `_` between letters is part of a word. */
const isWithinWord = (mark: string, before: string | undefined, after: string | undefined): boolean =>
  mark === '_' && isWord(before) && isWord(after);

/** Whether a run of this mark could open something, and a later one close it. */
const canPair = (words: string, mark: string): boolean => {
  let isOpen = false;
  let end = 0;
  for (let at = words.indexOf(mark); at !== -1; at = words.indexOf(mark, end)) {
    end = at + 1;
    while (words[end] === mark) end += 1;
    const before = words[at - 1];
    const after = words[end];
    if (isWithinWord(mark, before, after)) continue;
    if (isOpen && (mark === '`' || !isBlank(before))) return true;
    if (mark === '`' || !isBlank(after)) isOpen = true;
  }
  return false;
};

const isInert = (words: string, at: number, run: string, pairs: boolean): boolean => {
  const mark = run.charAt(0);
  const before = words[at - 1];
  const after = words[at + run.length];
  const startsLine = before === undefined || before === '\n';
  // A fence, a bullet, a rule.
  if (startsLine && (run.length > 2 || (mark !== '~' && isBlank(after)))) return false;
  if (!pairs || isWithinWord(mark, before, after)) return true;
  return mark !== '`' && before !== undefined && after !== undefined && BLANK.test(before) && BLANK.test(after);
};

const backslashEach = (run: string): string => (run.length === 1 ? `\\${run}` : `\\${run.split('').join('\\')}`);

const escapeInline = (words: string, within: InlineContext): string => {
  if (!HAS_SPECIAL.test(words)) return words;
  const pairs = new Map<string, boolean>();
  const pairsUp = (mark: string): boolean => {
    const known = pairs.get(mark) ?? (within === 'marks' || canPair(words, mark));
    pairs.set(mark, known);
    return known;
  };
  return words.replace(SPECIAL, (match, at: number) => {
    const mark = match.charAt(0);
    // With every [ escaped, ] closes nothing.
    if (mark === ']') return within === 'nothing' ? match : '\\]';
    if (!PAIRED.includes(mark)) return `\\${match}`;
    // Code is read before brackets are.
    if (mark === '`' && within === 'brackets') return backslashEach(match);
    return isInert(words, at, match, pairsUp(mark)) ? match : backslashEach(match);
  });
};

/** Comments, highlights, mathematics, tags and block ids. */
const OBSIDIAN_SPECIAL = /%{2,}|={2,}|\$|#(?=[^\s#])|\^(?=[\w-]+$)/gm;

// GFM readers make links of bare addresses before they look at backslashes or marks, which would become part of them.
const BARE_ADDRESS = /(?:https?:\/\/|www\.)[^\s<\u0001\u0002]*[\u0001\u0002]?/gi;
const HAS_BARE_ADDRESS = /:\/\/|www\./i;
const SPOILS_ADDRESS = /[\\\u0001\u0002]/;
const ADDRESS_START = /:(?=\/\/)|(?<=www)\./gi;

const escapeRun = (ink: MarkdownContext, words: string, within: InlineContext): string => {
  let escaped = escapeInline(words, within);
  if (ink.dialect === 'obsidian') escaped = escaped.replace(OBSIDIAN_SPECIAL, backslashEach);
  if (!HAS_BARE_ADDRESS.test(escaped)) return escaped;
  return escaped.replace(BARE_ADDRESS, (address) =>
    SPOILS_ADDRESS.test(address) ? address.replace(ADDRESS_START, '\\$&') : address,
  );
};

const LINE_START =
  /^(?:(#{1,6})(?=[ \t]|$)|(>)|([-+])(?=[ \t]|$)|(=+)(?=[ \t]*$)|(:{3})|([0-9]{1,9})([.)])(?=[ \t]|$))/gm;
/** A setext underline, a thematic break, or the delimiter row of a table. */
const RULE_LINE = /^(?:-|[|:](?=.*-))(?=[-|: \t]*$)/gm;
const MAY_START_BLOCK = /^[#>\-+=0-9|:]/m;

const escapeLineStarts = (words: string): string => {
  if (!MAY_START_BLOCK.test(words)) return words;
  return words.replace(RULE_LINE, '\\$&').replace(LINE_START, (match, ...groups: (string | undefined)[]) => {
    const [digits, mark] = groups.slice(5, 7);
    return digits === undefined ? `\\${match}` : `${digits}\\${mark}`;
  });
};

/** One line within a block of ours: a name, a label, a title. */
export const escapeSpan = (ink: MarkdownContext, words: string, within: InlineContext = 'marks'): string =>
  ink.dialect === 'markdown' && isPlainLine(words) ? words : escapeRun(ink, visibleLine(words, ink.onRemoved), within);

/** One line that begins a block and has it for itself. */
export const escapeLine = (ink: MarkdownContext, words: string): string =>
  escapeLineStarts(escapeSpan(ink, words, 'nothing'));

/** The words of a heading; `#` at the end would be taken for its closing. */
export const escapeHeading = (ink: MarkdownContext, words: string): string =>
  escapeSpan(ink, words, 'nothing').replace(/(?<!\S)#+$/, '\\$&');

const LINE_MARGINS = /^[ \t]+|(?<![ \t])[ \t]+$/gm;
const MANY_BREAKS = /\n{3,}/g;
const OUTER_BREAKS = /^\n+|(?<!\n)\n+$/g;
const HAS_LAYOUT = /[\n\t]|^ | $/;

const hardBreaks = (words: string): string =>
  words.includes('\n') ? words.replace(/([^\n])\n(?=[^\n])/g, '$1  \n') : words;

/**
 * A text of several lines and paragraphs with marks of ours in it. The author's line breaks stay hard breaks, written as
 * two spaces, which unlike a backslash do not disturb who reads the Markdown itself.
 *
 * @param words visible, with MARK or OPEN_LINK where a mark belongs
 * @param marks what to write there, in the same order
 */
export const markedParagraphs = (
  ink: MarkdownContext,
  words: string,
  marks: readonly string[],
  within: InlineContext,
): string => {
  const trimmed = HAS_LAYOUT.test(words)
    ? words.replace(LINE_MARGINS, '').replace(MANY_BREAKS, '\n\n').replace(OUTER_BREAKS, '')
    : words;
  let escaped = escapeLineStarts(escapeRun(ink, trimmed, within));
  escaped = hardBreaks(escaped);
  if (marks.length === 0) return escaped;
  let next = 0;
  return escaped.replace(PLACES, () => {
    next += 1;
    return marks[next - 1] ?? '';
  });
};

/** undefined: the text takes more than the short way. */
const plainParagraphs = (text: string, urls: readonly string[]): string | undefined => {
  if (urls.length > 1 || !isPlain(text)) return undefined;
  const [url] = urls;
  if (url === undefined) return hardBreaks(text);
  const pieces = splitAtLink(text, url);
  if (pieces === undefined) return undefined;
  const linked = pieces[0] + autolink(url) + pieces[1];
  return text.includes('\n') ? hardBreaks(linked) : linked;
};

/** @param urls addresses that the provider knows to be links: they become autolinks, nothing else does */
export const escapeParagraphs = (ink: MarkdownContext, text: string, urls: readonly string[]): string =>
  (ink.dialect === 'markdown' ? plainParagraphs(text, urls) : undefined) ?? escapedParagraphs(ink, text, urls);

/** The long way: every text. */
export const escapedParagraphs = (ink: MarkdownContext, text: string, urls: readonly string[]): string => {
  const words = visibleText(text, ink.onRemoved);
  if (urls.length === 0) return markedParagraphs(ink, words, [], 'nothing');
  const marks: string[] = [];
  let marked = '';
  let position = 0;
  for (const { start, end, url } of linkPlaces(words, urls)) {
    marked += words.slice(position, start) + MARK;
    marks.push(autolink(url));
    position = end;
  }
  return markedParagraphs(ink, marked + words.slice(position), marks, 'nothing');
};

/** CommonMark section 6.5. @param url http(s), without spaces and angle brackets */
export const autolink = (url: string): string => `<${visibleAddress(url)}>`;

const ENDS_DESTINATION = /[\s()<>[\]\\`]/g;

/** encodeURIComponent leaves brackets as they are. */
const percentEncoded = (character: string): string =>
  character < '\u0080'
    ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    : encodeURIComponent(character);

/** The destination of a link or image: what could end it is percent-encoded, entities are defused. */
export const destination = (url: string): string => {
  const address = visibleAddress(url);
  return NEEDS_ENCODING.test(address) ? encoded(address) : address;
};

const NEEDS_ENCODING = /[\s()<>[\]\\`&]/;

const encoded = (url: string): string =>
  url.replace(ENDS_DESTINATION, percentEncoded).replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');

/** A fence longer than any run of backticks in the code, with the language if it is a known and harmless one. */
export const fenced = (ink: MarkdownContext, code: string, language = ''): string => {
  const clean = visibleText(code, ink.onRemoved);
  let longest = 2;
  for (const [run] of clean.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${fenceLanguage(language)}\n${clean}\n${fence}`;
};

/** One line of code, between more backticks than any run of its own. CommonMark section 6.1. */
export const codeSpan = (ink: MarkdownContext, code: string): string => {
  const clean = visibleLine(code, ink.onRemoved);
  let longest = 0;
  for (const [run] of clean.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  const gap = longest > 0 ? ' ' : '';
  return `${mark}${gap}${clean}${gap}${mark}`;
};

/** Every line of a block, moved into a block quote. */
export const blockquote = (block: string): string =>
  `> ${block.replaceAll('\n', '\n> ')}`.replace(/\n> (?=\n)/g, '\n>');
