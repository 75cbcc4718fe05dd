// Finds the parts of a text that a document shows elsewhere: the mentions with which X begins an answer, and the URL of
// the quoted post at the end.
import type { Post, TextDecoration } from '../../model/post.ts';
import { movedPlaces, PLACES, type TextPlace } from '../../model/text-places.ts';
import { parsePostUrl } from '../../model/x-urls.ts';

const MENTION = /@([A-Za-z0-9_]{1,30})(?:\s+|$)/y;

interface LeadingMentions {
  /** Each handle once, as the text has it. */
  readonly handles: readonly string[];
  /** The offset of the text after the mentions. */
  readonly end: number;
}

const NONE: LeadingMentions = { handles: [], end: 0 };

/**
 * X puts the handles of the accounts that a post answers before its text, and does not show them. A repeated handle was
 * written by the author.
 */
export const leadingMentions = ({
  text,
  in_reply_to: parent,
  mentions,
}: Pick<Post, 'text' | 'in_reply_to' | 'mentions'>): LeadingMentions => {
  if (parent === undefined || !text.startsWith('@')) return NONE;
  const answered = new Set([...mentions, parent.handle ?? ''].map((handle) => handle.toLowerCase()));
  const handles: string[] = [];
  let end = 0;
  MENTION.lastIndex = 0;
  for (let match = MENTION.exec(text); match !== null; match = MENTION.exec(text)) {
    const [, handle = ''] = match;
    if (!answered.delete(handle.toLowerCase())) break;
    handles.push(handle);
    end = MENTION.lastIndex;
  }
  return { handles, end };
};

/** Replaces the start of a text by mentions and moves its styles and places. */
const withMentions = (post: Post, end: number, handles: readonly string[]): Post => {
  const start = handles.map((handle) => `@${handle} `).join('');
  const move = (offset: number): number => Math.max(start.length, offset - end + start.length);
  const moved = <Range extends TextDecoration>(range: Range): Range => ({
    ...range,
    start: move(range.start),
    end: move(range.end),
  });
  const styles = post.styles?.map(moved);
  const decorations = post.decorations?.map(moved);
  const places = movedPlaces(post[PLACES], (offset) => (offset < end ? 0 : offset - end + start.length));
  let at = 0;
  const mentions = handles.map(({ length }): TextPlace => {
    const place = { type: 'mention', start: at, end: at + length + 1 } as const;
    at += length + 2;
    return place;
  });
  return {
    ...post,
    text: start + post.text.slice(end),
    ...(places && { [PLACES]: [...mentions, ...places] }),
    ...(styles && { styles }),
    ...(decorations && { decorations }),
  };
};

/** Leaves out the leading mentions of accounts that the document names. @param isNamed gets a handle in lower case */
export const withoutLeadingMentions = (post: Post, isNamed: (handle: string) => boolean): Post => {
  const { handles, end } = leadingMentions(post);
  if (end === 0) return post;
  const kept = handles.filter((handle) => !isNamed(handle.toLowerCase()));
  return kept.length === handles.length ? post : withMentions(post, end, kept);
};

const MAX_URL_CHARACTERS = 2048;

/** @returns the start of the last word that ends at `end`; undefined if it is longer than any URL */
const startOfLastWord = (text: string, end: number): number | undefined => {
  for (let start = end; start > end - MAX_URL_CHARACTERS; start -= 1) {
    if (start === 0 || /\s/.test(text.charAt(start - 1))) return start;
  }
  return undefined;
};

/** Leaves out the URL of the quoted post at the end of the text. */
export const withoutQuoteUrl = (post: Post): Post => {
  const { text, quote } = post;
  if (quote === undefined || !('id' in quote) || !text.includes(quote.id)) return post;
  const end = text.trimEnd().length;
  const start = startOfLastWord(text, end);
  const ref = start === undefined ? undefined : parsePostUrl(text.slice(start, end));
  const isQuote = ref !== undefined && 'id' in ref && ref.id === quote.id;
  return isQuote ? { ...post, text: text.slice(0, start).trimEnd() } : post;
};
