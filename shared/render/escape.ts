// Third-party text -> Markdown that, parsed again, says these words and nothing else. Only what could be read as
// structure gets a backslash, so that ordinary posts carry almost none. CommonMark 0.31, GFM, and what Obsidian adds.

export type Dialect = 'markdown' | 'obsidian';

/** Carried through one rendering. */
export interface Ink {
  readonly dialect: Dialect;
  /** Invisible characters left out so far. */
  removed: number;
}

export const createInk = (dialect: Dialect): Ink => ({ dialect, removed: 0 });

// Emoji need ZWJ and variation selectors, Persian ZWNJ, Hebrew and Arabic the directional marks: these stay.
// The flags of England, Scotland and Wales are the only honest use of tag characters.
const FLAGS = '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}';
const INVISIBLE = '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u00ad\\u200b\\u2060-\\u2064\\u202a-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\u{E0000}-\\u{E007F}]';
const FLAG_OR_INVISIBLE = new RegExp(`(${FLAGS})|${INVISIBLE}`, 'gu');
const HAS_INVISIBLE = new RegExp(INVISIBLE, 'u');
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const HAS_LINE_ENDS = /[\r\u0085\u2028\u2029]/;

/** Words without the characters that nobody sees; line ends as \n; well-formed UTF-16. */
export const visible = (ink: Ink, words: string): string => {
  let clean = words.isWellFormed() ? words : words.toWellFormed();
  if (HAS_LINE_ENDS.test(clean)) clean = clean.replace(LINE_ENDS, '\n');
  if (!HAS_INVISIBLE.test(clean)) return clean;
  return clean.replace(FLAG_OR_INVISIBLE, (_, flag: string | undefined) => {
    if (flag !== undefined) return flag;
    ink.removed += 1;
    return '';
  });
};

const SPECIAL = /\\(?=[!-/:-@[-`{-~]|$)|`+|\*+|_+|~+|\[|\]|<(?=[a-z/!?])|&(?=#?[a-z0-9]+;)/gim;
const HAS_SPECIAL = /[\\`*_~[\]<&]/;
/** Obsidian: comments, highlights, mathematics, tags and block ids. */
const OBSIDIAN_SPECIAL = /%+|=+|\$|#(?=[^\s#])|\^(?=[\w-]+$)/gm;
const HAS_OBSIDIAN_SPECIAL = /[%=$#^]/;
const WORD = /[\p{L}\p{N}]/u;
const BLANK = /\s/;

const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character);
const isBlank = (character: string | undefined): boolean => character === undefined || BLANK.test(character);

const backslashEach = (run: string): string => `\\${run.split('').join('\\')}`;

/** Whether a run of * _ ~ can neither open nor close anything where it stands. */
const isInert = (whole: string, at: number, run: string, sole: boolean): boolean => {
  const before = whole[at - 1];
  const after = whole[at + run.length];
  const startsLine = before === undefined || before === '\n';
  if (startsLine) return sole && run.length < 3 && !isBlank(after);
  if (isBlank(before) && isBlank(after)) return true;
  if (run[0] === '_' && isWord(before) && isWord(after)) return true;
  return sole && run.length < 3;
};

/** @param alone no other delimiter is written into the same block, so a single one cannot find a partner */
const escapeInline = (words: string, alone: boolean): string => {
  if (!HAS_SPECIAL.test(words)) return words;
  return words.replace(SPECIAL, (match, at: number) => {
    const [mark] = match;
    if (mark === ']' && alone) return match; // closes nothing: every [ of a text is escaped
    if (mark === '*' || mark === '_' || mark === '~') {
      const sole = alone && words.indexOf(mark) === at && words.lastIndexOf(mark) === at + match.length - 1;
      if (isInert(words, at, match, sole)) return match;
    }
    return backslashEach(match);
  });
};

const escapeObsidian = (words: string): string => {
  if (!HAS_OBSIDIAN_SPECIAL.test(words)) return words;
  return words.replace(OBSIDIAN_SPECIAL, (match) => ((match[0] === '=' || match[0] === '%') && match.length < 2 ? match : backslashEach(match)));
};

const LINE_START = /^(?:(#{1,6})(?=[ \t]|$)|(>)|([-+])(?=[ \t]|$)|(=+)(?=[ \t]*$)|([0-9]{1,9})([.)])(?=[ \t]|$))/gm;
/** A setext underline, a thematic break, or the delimiter row of a table. */
const RULE_LINE = /^[-|:](?=[-|: \t]*$)(?=.*-)/gm;
const MAY_START_BLOCK = /^[#>\-+=0-9|:]/m;

const escapeLineStarts = (words: string): string => {
  if (!MAY_START_BLOCK.test(words)) return words;
  return words
    .replace(RULE_LINE, '\\$&')
    .replace(LINE_START, (match, _hashes, _quote, _bullet, _rule, digits?: string, mark?: string) =>
      digits === undefined ? `\\${match}` : `${digits}\\${mark}`,
    );
};

const escape = (ink: Ink, words: string, alone: boolean): string => {
  const escaped = escapeInline(words, alone);
  return ink.dialect === 'obsidian' ? escapeObsidian(escaped) : escaped;
};

/** One line within a block that holds our own marks too: a name, a label, a title. */
export const inline = (ink: Ink, words: string): string =>
  escape(ink, visible(ink, words).replace(/\s+/g, ' ').trim(), false);

/** One line that begins a block. */
export const line = (ink: Ink, words: string): string => escapeLineStarts(inline(ink, words));

const LINE_MARGINS = /^[ \t]+|[ \t]+$/gm;
const MANY_BREAKS = /\n{3,}/g;
/** Cannot occur in visible text, so it can hold the place of a link. */
const PLACE = '\u0001';
const PLACES = /\u0001([0-9]+)\u0001/g;
const FOR_REGEXP = /[.*+?^${}()|[\]\\/-]/g;

const linkPattern = (urls: readonly string[]): RegExp =>
  new RegExp(
    [...urls].sort((a, b) => b.length - a.length).map((url) => `${url.replace(FOR_REGEXP, '\\$&')}(?![\\w/?#=&%-])`).join('|'),
    'g',
  );

/**
 * A text of several lines and paragraphs. The author's line breaks stay hard breaks, written as two spaces, which
 * unlike a backslash do not disturb who reads the Markdown itself.
 *
 * @param urls addresses that the provider knows to be links: they become autolinks, nothing else does
 */
export const paragraphs = (ink: Ink, words: string, urls: readonly string[]): string => {
  let clean = visible(ink, words);
  if (clean.includes('\n') || clean.startsWith(' ') || clean.endsWith(' ') || clean.includes('\t')) {
    clean = clean.replace(LINE_MARGINS, '').replace(MANY_BREAKS, '\n\n').replace(/^\n+|\n+$/g, '');
  }
  if (urls.length > 0) {
    clean = clean.replace(linkPattern(urls), (url) => `${PLACE}${urls.indexOf(url)}${PLACE}`);
  }
  let escaped = escapeLineStarts(escape(ink, clean, true));
  if (urls.length > 0) escaped = escaped.replace(PLACES, (_, index: string) => autolink(urls[Number(index)] ?? ''));
  return escaped.includes('\n') ? escaped.replace(/([^\n])\n(?=[^\n])/g, '$1  \n') : escaped;
};

/** CommonMark section 6.5. @param url http(s), without spaces and angle brackets */
export const autolink = (url: string): string => `<${url}>`;

/** The destination of a link or image: what could end it is percent-encoded, entities are defused. */
export const destination = (url: string): string =>
  url.replace(/[()\\*_[\]~`]/g, (character) => (character === '_' || character === '~' || character === '*' ? character : `%${character.charCodeAt(0).toString(16).toUpperCase()}`))
    .replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');

/** A fence longer than any run of backticks in the code. */
export const fenced = (ink: Ink, code: string, language = ''): string => {
  const clean = visible(ink, code);
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const label = language.replace(/[^A-Za-z0-9+#.-]/g, '').slice(0, 30);
  return `${fence}${label}\n${clean}\n${fence}`;
};

/** Every line of a block, moved into a block quote. */
export const quoted = (block: string): string => `> ${block.replaceAll('\n', '\n> ')}`.replace(/^> $/gm, '>');
