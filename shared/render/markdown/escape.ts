// Escapes third-party text, so that Markdown parsers show exactly that text. Only characters that could be read as structure
// get a backslash, so ordinary posts have almost none. Covers CommonMark 0.31, GFM and the syntax that Obsidian adds.
import type { TextRange } from '../../model/text-places.ts';
import { visibleLine, visibleOffsets, visibleText, visibleUrl } from '../../model/visible-text.ts';
import { unbreakable } from '../content/format.ts';
import type { MarkdownContext } from './context.ts';
import { isPlain, isPlainLine } from './plain-text.ts';

/** The syntax around a text in the same block. It decides which marks of the text could pair up. */
export type InlineContext = 'nothing' | 'brackets' | 'marks';

/** A placeholder of a mark while the text around it is escaped. Visible text contains no such character. */
export const MARK = '\u0001';
/** A placeholder of the bracket that opens a link, which must not follow a `!`. */
export const OPEN_LINK = '\u0002';
const PLACEHOLDERS = /[\u0001\u0002]/g;

const SPECIAL =
  /\\(?=[!-/:-@[-`{-~\u0001\u0002]|$)|`+|\*+|_+|~+|\[|\]|!(?=\u0002)|<(?=[a-z/!?]|[^\s<>]*@)|&(?=#?[a-z0-9]+;)/gim;
const PAIRED = '*_~`';
const HAS_SPECIAL = /[\\`*_~[\]<&]|!\u0002/;
const WORD = /[\p{L}\p{N}]/u;
const BLANK = /\s/;

const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character);
const isBlank = (character: string | undefined): boolean => character === undefined || BLANK.test(character);

/** `_` between letters or digits is part of a word. */
const isWithinWord = (mark: string, before: string | undefined, after: string | undefined): boolean =>
  mark === '_' && isWord(before) && isWord(after);

/** True if a run of the mark could open a span and a later run could close it. */
const canPair = (text: string, mark: string): boolean => {
  let isOpen = false;
  let end = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, end)) {
    end = at + 1;
    while (text[end] === mark) end += 1;
    const before = text[at - 1];
    const after = text[end];
    if (isWithinWord(mark, before, after)) continue;
    if (isOpen && (mark === '`' || !isBlank(before))) return true;
    if (mark === '`' || !isBlank(after)) isOpen = true;
  }
  return false;
};

const isInert = (text: string, at: number, run: string, pairs: boolean): boolean => {
  const mark = run.charAt(0);
  const before = text[at - 1];
  const after = text[at + run.length];
  const startsLine = before === undefined || before === '\n';
  // A fence, a list marker or a thematic break.
  if (startsLine && (run.length > 2 || (mark !== '~' && isBlank(after)))) return false;
  if (!pairs || isWithinWord(mark, before, after)) return true;
  return mark !== '`' && before !== undefined && after !== undefined && BLANK.test(before) && BLANK.test(after);
};

const backslashEach = (run: string): string => (run.length === 1 ? `\\${run}` : `\\${run.split('').join('\\')}`);

const escapeInline = (text: string, within: InlineContext): string => {
  if (!HAS_SPECIAL.test(text)) return text;
  const pairs = new Map<string, boolean>();
  const pairsUp = (mark: string): boolean => {
    const cached = pairs.get(mark) ?? (within === 'marks' || canPair(text, mark));
    pairs.set(mark, cached);
    return cached;
  };
  return text.replace(SPECIAL, (match, at: number) => {
    const mark = match.charAt(0);
    // Every [ is escaped, so a ] closes nothing.
    if (mark === ']') return within === 'nothing' ? match : '\\]';
    if (!PAIRED.includes(mark)) return `\\${match}`;
    // Parsers read code spans before brackets.
    if (mark === '`' && within === 'brackets') return backslashEach(match);
    return isInert(text, at, match, pairsUp(mark)) ? match : backslashEach(match);
  });
};

/** Comments, highlights, formulas, tags and block ids. */
const OBSIDIAN_SPECIAL = /%{2,}|={2,}|\$|#(?=[^\s#])|\^(?=[\w-]+$)/gm;

// GFM parsers turn bare URLs into links before they process backslashes and marks. These would become part of the URL.
const BARE_URL = /(?:https?:\/\/|www\.)[^\s<\u0001\u0002]*[\u0001\u0002]?/gi;
const HAS_BARE_URL = /:\/\/|www\./i;
const SPOILS_URL = /[\\\u0001\u0002]/;
const URL_START = /:(?=\/\/)|(?<=www)\./gi;

const escapeRun = (context: MarkdownContext, text: string, within: InlineContext): string => {
  let escaped = escapeInline(text, within);
  if (context.dialect === 'obsidian') escaped = escaped.replace(OBSIDIAN_SPECIAL, backslashEach);
  if (!HAS_BARE_URL.test(escaped)) return escaped;
  return escaped.replace(BARE_URL, (url) => (SPOILS_URL.test(url) ? url.replace(URL_START, '\\$&') : url));
};

const LINE_START =
  /^(?:(#{1,6})(?=[ \t]|$)|(>)|([-+])(?=[ \t]|$)|(=+)(?=[ \t]*$)|(:{3})|([0-9]{1,9})([.)])(?=[ \t]|$))/gm;
/** A setext underline, a thematic break, or the delimiter row of a table. */
const RULE_LINE = /^(?:-|[|:](?=.*-))(?=[-|: \t]*$)/gm;
const MAY_START_BLOCK = /^[#>\-+=0-9|:]/m;

const escapeLineStarts = (text: string): string => {
  if (!MAY_START_BLOCK.test(text)) return text;
  return text.replace(RULE_LINE, '\\$&').replace(LINE_START, (match, ...groups: (string | undefined)[]) => {
    const [digits, mark] = groups.slice(5, 7);
    return digits === undefined ? `\\${match}` : `${digits}\\${mark}`;
  });
};

/** One line within a block, such as a name, a label or a title. */
export const escapeSpan = (context: MarkdownContext, text: string, within: InlineContext = 'marks'): string =>
  context.dialect === 'markdown' && isPlainLine(text)
    ? text
    : escapeRun(context, visibleLine(text, context.onRemoved), within);

/** One line that is a block of its own. */
export const escapeLine = (context: MarkdownContext, text: string): string =>
  escapeLineStarts(escapeSpan(context, text, 'nothing'));

/** The text of a heading. Parsers take `#` at the end for the closing sequence. */
export const escapeHeading = (context: MarkdownContext, text: string): string =>
  escapeSpan(context, text, 'nothing').replace(/(?<!\S)#+$/, '\\$&');

const INDENTATION = /^[ \t]+(?=[^ \t\n])/gm;
const LINE_ENDS = /(?<![ \t])[ \t]+$/gm;
const MANY_BREAKS = /\n{3,}/g;
const OUTER_BREAKS = /^\n+|(?<!\n)\n+$/g;
const HAS_LAYOUT = /[\n\t]|^ | $/;

const hardBreaks = (text: string): string =>
  text.includes('\n') ? text.replace(/([^\n])\n(?=[^\n])/g, '$1  \n') : text;

/**
 * A text of several lines and paragraphs with placeholders of marks. The author's line breaks become hard breaks, written
 * as two spaces: a backslash would disturb people who read the Markdown source.
 *
 * @param text visible text, with MARK or OPEN_LINK at the position of each mark
 * @param marks in the order of their placeholders
 */
export const markedParagraphs = (
  context: MarkdownContext,
  text: string,
  marks: readonly string[],
  within: InlineContext,
): string => {
  const trimmed = HAS_LAYOUT.test(text)
    ? text
        .replace(LINE_ENDS, '')
        // Parsers remove spaces at the start of a line or take them for code.
        .replace(INDENTATION, unbreakable)
        .replace(MANY_BREAKS, '\n\n')
        .replace(OUTER_BREAKS, '')
    : text;
  let escaped = escapeLineStarts(escapeRun(context, trimmed, within));
  escaped = hardBreaks(escaped);
  if (marks.length === 0) return escaped;
  let next = 0;
  return escaped.replace(PLACEHOLDERS, () => {
    next += 1;
    return marks[next - 1] ?? '';
  });
};

/** @returns undefined: the text needs the complete escaping */
const plainParagraphs = (text: string, links: readonly TextRange[]): string | undefined => {
  if (links.length > 1 || !isPlain(text)) return undefined;
  const [link] = links;
  if (link === undefined) return hardBreaks(text);
  const { start, end } = link;
  // Parsers read a bare URL before the link as a part of it.
  if (!isBlank(text[start - 1])) return undefined;
  const linked = text.slice(0, start) + autolink(text.slice(start, end)) + text.slice(end);
  return text.includes('\n') ? hardBreaks(linked) : linked;
};

/** @param links only these become autolinks: the provider marks them as links */
export const escapeParagraphs = (context: MarkdownContext, text: string, links: readonly TextRange[]): string =>
  (context.dialect === 'markdown' ? plainParagraphs(text, links) : undefined) ??
  escapedParagraphs(context, text, links);

interface VisibleLink extends TextRange {
  readonly url: string;
}

/** @param links of the text, in its order @returns the links at their places in the visible text */
export const visibleLinks = (text: string, visible: string, links: readonly TextRange[]): readonly VisibleLink[] => {
  const offsets = visibleOffsets(
    text.toWellFormed(),
    visible,
    links.flatMap(({ start, end }) => [start, end]),
  );
  return links.map(({ start, end }, index) => ({
    start: offsets[2 * index] ?? visible.length,
    end: offsets[2 * index + 1] ?? visible.length,
    url: text.slice(start, end),
  }));
};

/** The complete escaping of any text. */
export const escapedParagraphs = (context: MarkdownContext, text: string, links: readonly TextRange[]): string => {
  const visible = visibleText(text, context.onRemoved);
  if (links.length === 0) return markedParagraphs(context, visible, [], 'nothing');
  const marks: string[] = [];
  let marked = '';
  let position = 0;
  for (const { start, end, url } of visibleLinks(text, visible, links)) {
    marked += visible.slice(position, start) + MARK;
    marks.push(autolink(url));
    position = end;
  }
  return markedParagraphs(context, marked + visible.slice(position), marks, 'nothing');
};

/** Visible ASCII without a character that ends a destination or starts an entity. One test replaces three. */
const PLAIN_URL = /^[!#-%*-;=?@A-Z^_a-z{-~]*$/;

/** CommonMark 0.31 section 6.5. @param url http or https, without spaces and angle brackets */
export const autolink = (url: string): string => `<${PLAIN_URL.test(url) ? url : visibleUrl(url)}>`;

const ENDS_DESTINATION = /[\s()<>[\]\\`]/g;

/** encodeURIComponent does not encode parentheses. */
const percentEncoded = (character: string): string =>
  character < '\u0080'
    ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    : encodeURIComponent(character);

/** The destination of a link or image. Characters that could end it are percent-encoded, entities are escaped. */
export const destination = (url: string): string => {
  if (PLAIN_URL.test(url)) return url;
  const visible = visibleUrl(url);
  return NEEDS_ENCODING.test(visible) ? encoded(visible) : visible;
};

const NEEDS_ENCODING = /[\s()<>[\]\\`&]/;

const encoded = (url: string): string =>
  url.replace(ENDS_DESTINATION, percentEncoded).replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');

/** Puts every line of a block into a block quote. A blank line between two lines gets no space. */
export const blockquote = (block: string): string => {
  let quoted = '> ';
  let start = 0;
  for (let end = block.indexOf('\n'); end !== -1; end = block.indexOf('\n', start)) {
    quoted += block.slice(start, end + 1) + (block.charAt(end + 1) === '\n' ? '>' : '> ');
    start = end + 1;
  }
  return quoted + block.slice(start);
};
