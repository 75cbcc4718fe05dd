// Renders the text of a post: links, mentions, hashtags and cashtags become links, everything else is text.
import { isLanguageTag, renamedTags } from '../../model/languages.ts';
import type { Post, TextDecoration } from '../../model/post.ts';
import type { PlacedText, PlaceType } from '../../model/text-places.ts';
import { placesOf } from '../content/links.ts';
import { leadingMentions } from '../content/repeats.ts';
import { styledRanges, styleRuns } from '../content/style-runs.ts';
import { anyLinkHtml, innerLinkHtml } from './elements.ts';
import { escaped, type Html, html, trustedHtml } from './html.ts';
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
): ((from: number, to: number, render: (text: string) => Html) => Html) => {
  const runs = styleRuns(text, ranges);
  let next = 0;
  return (from, to, render) => {
    const parts: Html[] = [];
    for (let run = runs[next]; run !== undefined && run.start < to; run = runs[next]) {
      const [start, end] = [Math.max(from, run.start), Math.min(to, run.end)];
      if (start < end) {
        let part = render(text.slice(start, end));
        if (run.styles.strikethrough) part = html`<s>${part}</s>`;
        if (run.styles.underline) part = html`<u>${part}</u>`;
        if (run.styles.italic) part = html`<em>${part}</em>`;
        if (run.styles.bold) part = html`<strong>${part}</strong>`;
        parts.push(part);
      }
      if (run.end > to) break;
      next += 1;
    }
    const [only, ...others] = parts;
    return only !== undefined && others.length === 0 ? only : html`${parts}`;
  };
};

/** A text of X and what is known about it. */
export type SourceText = PlacedText &
  Partial<Pick<Post, 'styles' | 'decorations' | 'lang' | 'links' | 'mentions' | 'in_reply_to'>>;

export interface TextOptions {
  /** Writes text that is not a link. @default escaped */
  readonly plain?: ((text: string) => Html) | undefined;
  /** UTF-16 offset at which the text is cut; the cut is marked. */
  readonly end?: number | undefined;
}

/** @returns the offset after the mentions that X hides at the start of a reply */
const hiddenEnd = ({ text, in_reply_to, mentions = [] }: SourceText): number =>
  text.slice(0, leadingMentions({ text, in_reply_to, mentions }).end).trimEnd().length;

/** Characters of the scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface Surroundings {
  /** X hides the mention. */
  readonly isHidden: boolean;
  readonly isRightToLeft: boolean;
}

/** @param content the words at the place */
const placeHtml = (type: PlaceType, words: string, content: Html, { isHidden, isRightToLeft }: Surroundings): Html => {
  switch (type) {
    case 'link':
      // Beside letters written from right to left, the browser would show the parts of the URL in another order.
      return anyLinkHtml(words, content, isRightToLeft ? html` dir="ltr"` : undefined);
    case 'hashtag':
    case 'cashtag':
      return innerLinkHtml(searchPath(words.replace('＃', '#')), content);
    case 'mention': {
      const link = innerLinkHtml(profilePath(words.slice(1)), content);
      return isHidden ? link : html`<bdi>${link}</bdi>`;
    }
    default:
      return type satisfies never;
  }
};

/** The content of a text, without its element. */
export const inlineHtml = (source: SourceText, { plain = escaped, end }: TextOptions = {}): Html => {
  const { text } = source;
  const last = Math.min(end ?? text.length, text.length);
  const write = styledWriter(text, styledRanges(source));
  const leading = hiddenEnd(source);
  const hidden = leading <= last ? leading : 0;
  const isRightToLeft = RIGHT_TO_LEFT.test(text);
  const parts: Html[] = hidden > 0 ? [html`<bdi class="hid">`] : [];
  let isOpen = hidden > 0;
  let at = 0;
  const writeUntil = (to: number): void => {
    if (isOpen && to >= hidden) {
      parts.push(write(at, hidden, plain), html`</bdi>`);
      at = Math.max(at, hidden);
      isOpen = false;
    }
    parts.push(write(at, to, plain));
    at = to;
  };
  for (const { type, start, end: placeEnd } of placesOf(source)) {
    if (placeEnd > last) break;
    writeUntil(start);
    const surroundings = { isHidden: start < hidden, isRightToLeft };
    parts.push(placeHtml(type, text.slice(start, placeEnd), write(start, placeEnd, escaped), surroundings));
    at = placeEnd;
  }
  writeUntil(last);
  const written = html`${parts}`;
  return last < text.length ? trustedHtml(`${String(written).trimEnd()}…`) : written;
};

const currentTags: ReadonlyMap<string, string> = new Map(renamedTags);

/** @returns the tag that has the place of an old one; undefined if X names no language */
export const currentTag = (lang: string | undefined): string | undefined =>
  lang !== undefined && isLanguageTag(lang) ? (currentTags.get(lang) ?? lang) : undefined;

/** Without it, a text would have the language of the page. */
const UNKNOWN = html` lang=""`;

/** X writes this tag where it knows no language. HTML has an empty one. */
const UNDETERMINED = 'und';

export const langAttribute = (lang: string | undefined): Html => {
  const tag = currentTag(lang);
  return tag === undefined || tag === UNDETERMINED ? UNKNOWN : html` lang="${tag}"`;
};

/** The browser chooses the writing direction by the text. @param classes in addition to `text` @returns undefined: the text is blank */
export const textHtml = (
  source: SourceText,
  { classes = '', ...options }: TextOptions & { classes?: string } = {},
): Html | undefined =>
  source.text.trim() === ''
    ? undefined
    : html`<p class="text${classes}"${langAttribute(source.lang)} dir="auto">${inlineHtml(source, options)}</p>`;
