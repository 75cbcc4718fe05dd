// Renders the text of a post: links, mentions and tags become links, everything else is text.
import { isLanguageTag, renamedTags } from '../../model/languages.ts';
import type { Post, TextDecoration } from '../../model/post.ts';
import { linkPlaces } from '../content/links.ts';
import { leadingMentions } from '../content/repeats.ts';
import { styledRanges, styleRuns } from '../content/style-runs.ts';
import { anyLinkHtml, innerLinkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';
import { profilePath, searchPath } from './inner-links.ts';

// Writes the styled ranges of a text.

/**
 * Reads the runs of the text once, so its ranges must be written in their order.
 *
 * @returns a function that writes a range; `render` turns text of one style into HTML
 */
export const styledWriter = (
  text: string,
  ranges: readonly TextDecoration[],
): ((from: number, to: number, render: (text: string) => string) => string) => {
  const runs = styleRuns(text, ranges);
  let next = 0;
  return (from, to, render) => {
    let html = '';
    for (let run = runs[next]; run !== undefined && run.start < to; run = runs[next]) {
      const [start, end] = [Math.max(from, run.start), Math.min(to, run.end)];
      if (start < end) {
        let part = render(text.slice(start, end));
        if (run.styles.strikethrough) part = `<s>${part}</s>`;
        if (run.styles.underline) part = `<u>${part}</u>`;
        if (run.styles.italic) part = `<em>${part}</em>`;
        if (run.styles.bold) part = `<strong>${part}</strong>`;
        html += part;
      }
      if (run.end > to) break;
      next += 1;
    }
    return html;
  };
};

/** A text of X and the entities in it. Without `cashtags`, each cashtag is one by its form. */
export type SourceText = Pick<Post, 'text'> &
  Partial<
    Pick<Post, 'styles' | 'decorations' | 'lang' | 'links' | 'mentions' | 'hashtags' | 'cashtags' | 'in_reply_to'>
  >;

export interface TextOptions {
  /** Writes text that is not a link. @default escapeHtml */
  readonly plain?: ((text: string) => string) | undefined;
  /** UTF-16 offset at which the text is cut; the cut is marked. */
  readonly end?: number | undefined;
}

type TokenType = 'link' | 'mention' | 'tag';

interface Token {
  readonly type: TokenType;
  readonly start: number;
  readonly end: number;
}

const SIGN = /[@＠#＃$]/g;

/** A sign after one of these characters is part of a word, a URL or an e-mail address. */
const WITHIN_WORD = /[\w@＠#＃$&/.-]/;

const HANDLE = /^\w{1,30}(?![\w@＠])/;
const TAG = /^(?:[\p{L}\p{M}\p{N}_\u30fb\u00b7]|\u200c|\u200d)+/u;
/** The form of the cashtags that X links, for texts whose cashtags are not listed. */
const CASHTAG = /^[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?(?![\w$])/;

/** A post that has a longer tag does not exist. */
const LONGEST_TOKEN = 300;

const matchAt = (pattern: RegExp, text: string, at: number): string =>
  pattern.exec(text.slice(at, at + LONGEST_TOKEN))?.[0] ?? '';

interface Entities {
  readonly mentions: ReadonlySet<string>;
  readonly hashtags: ReadonlySet<string>;
  readonly cashtags: ReadonlySet<string> | undefined;
}

const lowered = (values: readonly string[]): ReadonlySet<string> => new Set(values.map((value) => value.toLowerCase()));

/** @returns the token at a sign, or the offset after the characters that were read */
const tokenAt = (text: string, at: number, { mentions, hashtags, cashtags }: Entities): Token | number => {
  const sign = text.charAt(at);
  const start = at + 1;
  if (at > 0 && WITHIN_WORD.test(text.charAt(at - 1))) return start;
  if (sign === '@' || sign === '＠') {
    const handle = matchAt(HANDLE, text, start);
    const end = start + handle.length;
    return handle !== '' && mentions.has(handle.toLowerCase()) ? { type: 'mention', start: at, end } : end;
  }
  const isCashtag = sign === '$';
  const tag = matchAt(isCashtag ? CASHTAG : TAG, text, start);
  const end = start + tag.length;
  const listed = isCashtag ? cashtags : hashtags;
  return tag !== '' && listed?.has(tag.toLowerCase()) !== false ? { type: 'tag', start: at, end } : end;
};

/** The links, mentions and tags in the order of the text. Each character is read a bounded number of times. */
const tokensOf = (source: SourceText): Token[] => {
  const { text, links = [], mentions = [], hashtags = [], cashtags, in_reply_to: answered } = source;
  const entities = {
    mentions: lowered([...mentions, answered?.handle ?? '']),
    hashtags: lowered(hashtags),
    cashtags: cashtags && lowered(cashtags),
  };
  const tokens: Token[] = [];
  const signFrom = (offset: number): number => {
    SIGN.lastIndex = offset;
    return SIGN.exec(text)?.index ?? text.length;
  };
  let sign = signFrom(0);
  const readSigns = (end: number): void => {
    while (sign < end) {
      const token = tokenAt(text, sign, entities);
      if (typeof token !== 'number' && token.end <= end) tokens.push(token);
      sign = signFrom(typeof token === 'number' ? token : token.end);
    }
  };
  const urls = links.map(({ url }) => url);
  for (const { start, end } of linkPlaces(text, urls)) {
    readSigns(start);
    tokens.push({ type: 'link', start, end });
    if (sign < end) sign = signFrom(end);
  }
  readSigns(text.length);
  return tokens;
};

/** @returns the offset after the mentions that X hides at the start of a reply */
const hiddenEnd = ({ text, in_reply_to, mentions = [] }: SourceText, tokens: readonly Token[]): number => {
  const { handles } = leadingMentions({ text, in_reply_to, mentions });
  const last = tokens[handles.length - 1];
  return last?.type === 'mention' ? last.end : 0;
};

/** Characters of the scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface TokenPlace {
  /** X hides the mention. */
  readonly isHidden: boolean;
  readonly isRightToLeft: boolean;
}

/** @param html the words of the token */
const tokenHtml = (type: TokenType, words: string, html: string, { isHidden, isRightToLeft }: TokenPlace): string => {
  // Beside letters written from right to left, the browser would show the parts of the URL in another order.
  if (type === 'link') return anyLinkHtml(words, html, isRightToLeft ? ' dir="ltr"' : '');
  if (type === 'tag') return innerLinkHtml(searchPath(words.replace('＃', '#')), html);
  const link = innerLinkHtml(profilePath(words.slice(1)), html);
  return isHidden ? link : `<bdi>${link}</bdi>`;
};

/** The content of a text, without its element. */
export const inlineHtml = (source: SourceText, { plain = escapeHtml, end }: TextOptions = {}): string => {
  const { text } = source;
  const last = Math.min(end ?? text.length, text.length);
  const tokens = tokensOf(source);
  const write = styledWriter(text, styledRanges(source));
  const hidden = hiddenEnd(source, tokens);
  const hasHidden = hidden > 0 && hidden <= last;
  const isRightToLeft = RIGHT_TO_LEFT.test(text);
  let html = hasHidden ? '<bdi class="hid">' : '';
  let at = 0;
  for (const { type, start, end: tokenEnd } of tokens) {
    if (tokenEnd > last) break;
    const words = text.slice(start, tokenEnd);
    html += write(at, start, plain);
    const place = { isHidden: hasHidden && start < hidden, isRightToLeft };
    html += tokenHtml(type, words, write(start, tokenEnd, escapeHtml), place);
    at = tokenEnd;
    if (hasHidden && at === hidden) html += '</bdi>';
  }
  html += write(at, last, plain);
  return last < text.length ? `${html.trimEnd()}…` : html;
};

const currentTags: ReadonlyMap<string, string> = new Map(renamedTags);

/** @returns the tag that has the place of an old one; undefined if X names no language */
export const currentTag = (lang: string | undefined): string | undefined =>
  lang !== undefined && isLanguageTag(lang) ? (currentTags.get(lang) ?? lang) : undefined;

/** @returns an attribute with a space before it; empty if X names no language */
export const langAttribute = (lang: string | undefined): string => {
  const tag = currentTag(lang);
  return tag === undefined ? '' : ` lang="${escapeHtml(tag)}"`;
};

/** The browser chooses the writing direction by the text. @param classes in addition to `text` */
export const textHtml = (
  source: SourceText,
  { classes = '', ...options }: TextOptions & { classes?: string } = {},
): string =>
  source.text.trim() === ''
    ? ''
    : `<p class="text${classes}"${langAttribute(source.lang)} dir="auto">${inlineHtml(source, options)}</p>`;
