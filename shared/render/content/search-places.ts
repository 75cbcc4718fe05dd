// Searches a text whose provider names no places, such as a translation, by the rules with which X searches a new post:
// those of its library `twitter-text`, whose conformance files are tests of this search. It differs where a link needs a
// scheme here, and where the library has a list of top-level domains, which is too large for the functions and too old.
//
// One pass from sign to sign: an entity ends before the next one is searched, so each character is read a bounded number of
// times.
import type { TextPlace } from '../../model/text-places.ts';
import { characterBefore, visibleUrl } from '../../model/visible-text.ts';

/** The start of an address with a scheme, the end of the host of one without, or the sign of another entity. */
const CANDIDATE = /(https?:\/\/)|\.[a-z]{2,24}(?::[0-9]{1,5})?\/|[@＠#＃$]/gi;

const LATIN =
  '\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0253\\u0254\\u0256\\u0257\\u0259\\u025b\\u0263\\u0268\\u026f\\u0272\\u0289\\u028b\\u02bb\\u0300-\\u036f\\u1e00-\\u1eff';
const CYRILLIC = '\\u0400-\\u04ff';

/** After one of these characters an address is part of a word or of another entity. */
const WITHIN_ADDRESS = /[A-Za-z0-9@＠$#＃]/;

/** Letters, digits and symbols. Of ASCII, only letters and digits. */
const IN_LABEL = '(?:[a-z0-9]|[^\\p{ASCII}\\p{P}\\p{C}\\p{Z}])';
/**
 * The last label is of one script, so that a word in another script may follow it. Only the labels before the domain have
 * underscores.
 */
const HOST = new RegExp(
  `(?!xn--[^\\p{ASCII}])(?:${IN_LABEL}(?:(?:${IN_LABEL}|[_-]){0,61}${IN_LABEL})?\\.){0,30}` +
    `${IN_LABEL}(?:(?:${IN_LABEL}|-){0,61}${IN_LABEL})?\\.` +
    '(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63}(?![a-z0-9@+_-])|(?![\\p{ASCII}])[\\p{L}\\p{M}]{2,63})(?::[0-9]{1,5})?',
  'iuy',
);
/** X makes these. Nothing but letters and digits is of their path. */
const SHORT_LINK = /t\.co\/[a-z0-9]+/iy;
const LONGEST_SHORT_LINK = 't.co/'.length + 40;

const PATH = `a-z0-9${CYRILLIC}!*';:=+,.$/%#[\\]\\-\\u2013_~@|&${LATIN}`;
const IN_PATH = new RegExp(`[${PATH}]+`, 'iy');
/** Parentheses in pairs, also one pair within another. */
const IN_PARENTHESES = new RegExp(`\\([${PATH}]*(?:\\([${PATH}]+\\)[${PATH}]*)?\\)`, 'iy');
const ENDS_PATH = new RegExp(`[a-z0-9${CYRILLIC}=_#/+\\-${LATIN}]`, 'i');
const IN_QUERY = /[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]+/iy;
const ENDS_QUERY = /[a-z0-9\-_&=#/]/i;

/** @returns the offset after the match of a sticky pattern; `at` if it does not match there */
const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/** @returns the offset after the last character of a range that a pattern matches; `start` if there is none */
const lastEnd = (text: string, start: number, end: number, pattern: RegExp): number => {
  let last = end;
  while (last > start && !pattern.test(text.charAt(last - 1))) last -= 1;
  return last;
};

/** @param start of the slash */
const pathEnd = (text: string, start: number): number => {
  let end = start + 1;
  let position = end;
  for (;;) {
    const run = endOf(IN_PATH, text, position);
    const last = lastEnd(text, position, run, ENDS_PATH);
    if (last > position) end = last;
    const closed = text.charAt(run) === '(' ? endOf(IN_PARENTHESES, text, run) : run;
    if (closed === run) return end;
    // Empty parentheses are no part of an address.
    if (closed === run + 2) return end;
    position = closed;
    // Behind a mark that ends no path, parentheses are part of it only if it goes on.
    if (end === run) end = closed;
  }
};

const queryEnd = (text: string, start: number): number => {
  if (text.charAt(start) !== '?') return start;
  const end = lastEnd(text, start + 1, endOf(IN_QUERY, text, start + 1), ENDS_QUERY);
  return end === start + 1 ? start : end;
};

/** X accepts no longer address. The bound limits what is read at each candidate. */
const LONGEST_ADDRESS = 4096;

const LONGEST_HOST = 300;

/** @param start after the scheme @returns the length of the address after it; 0 if it is none */
const addressLength = (text: string, start: number): number => {
  const head = text.slice(start, start + LONGEST_HOST);
  const short = endOf(SHORT_LINK, head, 0);
  if (short > LONGEST_SHORT_LINK) return 0;
  const host = short || endOf(HOST, head, 0);
  if (host === 0) return 0;
  const rest = text.slice(start, start + LONGEST_ADDRESS);
  return queryEnd(rest, short === 0 && rest.charAt(host) === '/' ? pathEnd(rest, host) : host);
};

/** No post has a longer one. The bound limits what is read at each sign. */
const LONGEST_WORD = 300;

const HANDLE = /[a-z0-9_]{1,20}/iy;
const LIST_NAME = /\/[a-z][a-z0-9_-]{0,24}/iy;
const BEFORE_NO_MENTION = /[a-z0-9_!#$%&*@＠]/i;
/** Before an old repost, the sign may follow a letter. */
const REPOST = /(?:^|[^a-z0-9_+~.-])rt:?$/i;
const REPOST_CHARACTERS = 4;
const ENDS_NO_MENTION = new RegExp(`[@＠${LATIN}]`, 'i');

/** @returns the length of the mention at an offset; 0 if there is none */
const mentionLength = (text: string, at: number): number => {
  const before = text.slice(Math.max(0, at - REPOST_CHARACTERS), at);
  if (BEFORE_NO_MENTION.test(before.slice(-1)) && !REPOST.test(before)) return 0;
  const rest = text.slice(at, at + LONGEST_WORD);
  const end = endOf(HANDLE, rest, 1);
  const after = endOf(LIST_NAME, rest, end);
  return end === 1 || ENDS_NO_MENTION.test(rest.charAt(after)) || rest.startsWith('://', after) ? 0 : end;
};

const IN_TAG =
  /(?:[\p{L}\p{M}\p{Nd}_\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7]|\u200c|\u200d)+/uy;
const LETTER = /[\p{L}\p{M}]/u;
const VARIATION = /[\ufe0e\ufe0f]$/;
/** A keycap, such as that of the number sign. */
const KEYCAP = /[\ufe0f\u20e3]/;

/** @returns the length of the tag at an offset; 0 if there is none */
const tagLength = (text: string, at: number): number => {
  const before = characterBefore(text, at);
  const isWithinWord = before === '&' || (!VARIATION.test(before) && before !== '' && endOf(IN_TAG, before, 0) > 0);
  if (isWithinWord || KEYCAP.test(text.charAt(at + 1))) return 0;
  const rest = text.slice(at, at + LONGEST_WORD);
  const end = endOf(IN_TAG, rest, 1);
  const isWhole = end < LONGEST_WORD && !/[#＃]/.test(rest.charAt(end)) && !rest.startsWith('://', end);
  return isWhole && LETTER.test(rest.slice(1, end)) ? end : 0;
};

const CASHTAG = /[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\\\-./:;<=>?@[\]^_{|}~$])/iy;
const BEFORE_CASHTAG = /^$|\s/;

/** @returns the length of the cashtag at an offset; 0 if there is none */
const cashtagLength = (text: string, at: number): number => {
  if (!BEFORE_CASHTAG.test(text.charAt(at - 1))) return 0;
  const end = endOf(CASHTAG, text.slice(at, at + LONGEST_WORD), 1);
  return end === 1 ? 0 : end;
};

const ENTITIES: readonly {
  readonly signs: string;
  readonly type: TextPlace['type'];
  readonly lengthAt: (text: string, at: number) => number;
}[] = [
  { signs: '@＠', type: 'mention', lengthAt: mentionLength },
  { signs: '#＃', type: 'hashtag', lengthAt: tagLength },
  { signs: '$', type: 'cashtag', lengthAt: cashtagLength },
];

/** @returns the offset after the longest known address at an offset; the offset itself if there is none */
export type FindKnown = (text: string, at: number) => number;

/** An address with an invisible character would show another one than its target. */
const isShownWhole = (url: string): boolean => visibleUrl(url) === url;

/**
 * @param knownEnd the addresses that the text has, as far as they are known: of a translation those of the original. The
 * rules of X would divide those that it expanded.
 */
export const searchPlaces = (text: string, knownEnd: FindKnown = (_, at) => at): readonly TextPlace[] => {
  const places: TextPlace[] = [];
  const candidates = new RegExp(CANDIDATE);
  for (let match = candidates.exec(text); match !== null; match = candidates.exec(text)) {
    const [found, scheme] = match;
    const { index: start } = match;
    const sign = found.charAt(0);
    if (sign === '.') {
      const isHost = /[\p{L}\p{N}]/u.test(text.charAt(start - 1));
      const rest = text.slice(start, start + LONGEST_ADDRESS);
      if (isHost) candidates.lastIndex = start + queryEnd(rest, pathEnd(rest, found.length - 1));
      continue;
    }
    if (scheme !== undefined) {
      if (WITHIN_ADDRESS.test(text.charAt(start - 1))) {
        // Nor is its host an address without a scheme.
        candidates.lastIndex += endOf(HOST, text.slice(candidates.lastIndex, candidates.lastIndex + LONGEST_HOST), 0);
        continue;
      }
      const length = addressLength(text, start + scheme.length);
      const known = knownEnd(text, start);
      const end = Math.max(length === 0 ? start : start + scheme.length + length, known);
      const isLink = end === known || isShownWhole(text.slice(start, end));
      if (isLink && end > start && end < start + LONGEST_ADDRESS) places.push({ type: 'link', start, end });
      candidates.lastIndex = Math.max(end, candidates.lastIndex);
      continue;
    }
    const entity = ENTITIES.find(({ signs }) => signs.includes(sign));
    const length = entity?.lengthAt(text, start) ?? 0;
    if (entity === undefined || length === 0) continue;
    places.push({ type: entity.type, start, end: start + length });
    candidates.lastIndex = start + length;
  }
  return places;
};
