// Renders a list as Markdown within a token budget (`max_tokens`): a head, the items, and last lines that say what was
// omitted and how to continue. The list is cut between items. If not even the first item fits, the item is shortened.
import { warning } from '../../contract/warnings.ts';
import type { Warning } from '../../model/resources.ts';
import { BYTES_PER_TOKEN, byteLength, formatCount } from '../content/format.ts';
import type { MarkdownBlock, MarkdownDocument } from './context.ts';
import { autolink } from './escape.ts';
import { divideMarkdown } from './parts.ts';

export interface ListDocument {
  readonly head: MarkdownBlock;
  /** Unset: the head is always short. */
  readonly shortHead?: {
    /** The subject of "… was cut short". */
    readonly subject: string;
    /** @param maxBytes at least MIN_HEAD_BYTES, which any title fits into */
    within(maxBytes: number): MarkdownBlock;
  };
  /** The heading above the items. @default none */
  readonly section?: string;
  readonly items: readonly MarkdownBlock[];
  readonly item: 'post' | 'account';
  readonly between: string;
  /** Shown if the list is empty. */
  readonly none: string;
  /** Asks for fewer items, in words. @default a smaller limit */
  readonly narrower?: string;
}

export interface ListPages {
  /** @returns the cursor of the page after a number of items; undefined: the list ends there, or it has no pages */
  findNext(shown: number): string | undefined;
  /** Unset: the document names no other page. */
  readonly urlOf?: ((cursor: string) => string) | undefined;
  /** The URL is that of the whole list on X. @default false */
  readonly isOnX?: boolean;
}

const GAP = '\n\n';

const documentOf = (blocks: readonly string[]): string => `${blocks.filter((block) => block !== '').join(GAP)}\n`;

/** The size that a block adds to a document. */
const blockBytes = (block: string): number => (block === '' ? 0 : byteLength(block) + GAP.length);

const URL_OMITTED = 'Next page: the Link header has its URL.';
/** The largest share of the budget that the URL of the next page may take. */
const MAX_URL_SHARE = 1 / 3;

const nextLine = ({ urlOf, isOnX = false }: ListPages, cursor: string | undefined): string =>
  cursor === undefined || urlOf === undefined ? '' : `${isOnX ? 'More on X' : 'Next page'}: ${autolink(urlOf(cursor))}`;

const isShort = (line: string, maxBytes: number): boolean => blockBytes(line) <= maxBytes * MAX_URL_SHARE;

const nextLineOfCut = (pages: ListPages, cursor: string | undefined, maxBytes: number): string => {
  const line = nextLine(pages, cursor);
  return isShort(line, maxBytes) ? line : URL_OMITTED;
};

const MIN_HEAD_BYTES = 80;

/** @param narrower another way to the items that are left out, in words; empty: none is left out */
const howToGetMore = (narrower: string): string =>
  `Ask again with a larger max_tokens${narrower === '' ? '' : ` or ${narrower}`} for the rest.`;

const noticeOf = (omission: string, advice: string): string => `*Truncated: ${omission}. ${advice}*`;

const truncation = (omission: string, advice: string): Warning =>
  warning('truncated', `The Markdown was cut to fit max_tokens: ${omission}. ${advice}`);

interface Truncations {
  readonly head: boolean;
  readonly first: boolean;
  readonly leftOut: number;
}

const describe = ({ shortHead, item }: ListDocument, { head, first, leftOut }: Truncations): string => {
  const facts = [
    head && shortHead !== undefined ? `${shortHead.subject} was cut short` : '',
    first ? `the first ${item} was cut short` : '',
    leftOut > 0 ? `${formatCount(leftOut, item)} left out` : '',
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? 'a note about the source left out' : facts.join(', ');
};

const joined = (blocks: readonly MarkdownBlock[], between: string): string =>
  blocks.map(({ markdown }) => markdown).join(between);

const removedFrom = (blocks: readonly MarkdownBlock[]): number => blocks.reduce((sum, { removed }) => sum + removed, 0);

const keepWhole = ({ items, between }: ListDocument, maxBytes: number): readonly MarkdownBlock[] => {
  let used = GAP.length;
  const end = items.findIndex(({ markdown }, index) => {
    used += byteLength(markdown) + (index === 0 ? 0 : byteLength(between));
    return used > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
};

const CUT_MARK = ' …';

/** A shorter beginning of an item is not informative. */
const MIN_ITEM_BYTES = 40;

/**
 * The beginning of an item, and its last paragraph: the date and the URL of a post.
 *
 * @returns undefined: there is too little space
 */
const shortened = ({ markdown, removed }: MarkdownBlock, maxBytes: number): MarkdownBlock | undefined => {
  const gap = markdown.lastIndexOf(GAP);
  const last = gap === -1 ? '' : markdown.slice(gap);
  const spaceBeside = (end: string): number => maxBytes - byteLength(CUT_MARK + end);
  const end = spaceBeside(last) >= MIN_ITEM_BYTES ? last : '';
  const size = spaceBeside(end);
  if (size < MIN_ITEM_BYTES) return undefined;
  const [{ text } = { text: '' }] = divideMarkdown(markdown.slice(0, markdown.length - end.length), {
    itemEnds: [],
    size,
  });
  // After a fence, the mark would be code.
  return { markdown: `${text.trimEnd()}${text.endsWith('`') ? '' : CUT_MARK}${end}`, removed };
};

/** The items that fit, or the beginning of the first item. */
const keep = (
  list: ListDocument,
  maxBytes: number,
): { readonly shown: readonly MarkdownBlock[]; readonly isShortened: boolean } => {
  const whole = keepWhole(list, maxBytes);
  const [item] = list.items;
  if (whole.length > 0 || item === undefined) return { shown: whole, isShortened: false };
  const first = shortened(item, maxBytes - GAP.length);
  return first === undefined ? { shown: [], isShortened: false } : { shown: [first], isShortened: true };
};

/** A document that is cut, without the line about the next page. */
interface CutList {
  readonly blocks: readonly string[];
  readonly removed: number;
  readonly warning: Warning;
  /** The number of items that are shown, also in part. */
  readonly shown: number;
}

/** @param next the longest line about the next page that the document must have room for */
const cutFor = (list: ListDocument, note: string, next: string, limit: number): CutList => {
  const { items, section = '', none, narrower = 'a smaller limit' } = list;
  const [first] = items;
  const rest = next === '' ? narrower : 'the next page';
  const shortHeadWithin = (maxBytes: number): MarkdownBlock =>
    list.shortHead?.within(Math.max(maxBytes, MIN_HEAD_BYTES)) ?? list.head;
  /** @param isHeadCut the last lines must have room to say so */
  const place = (isHeadCut: boolean) => {
    const longestOmission = describe(list, { head: isHeadCut, first: true, leftOut: items.length });
    const longestNotice = noticeOf(longestOmission, howToGetMore(rest));
    const space = limit - byteLength(documentOf([longestNotice, next])) - GAP.length;
    const isNoteShown = space - blockBytes(note) - blockBytes(section) - blockBytes(none) >= MIN_HEAD_BYTES;
    const shownNote = isNoteShown ? note : '';
    const left = space - blockBytes(shownNote);
    const below = blockBytes(section) + blockBytes(first === undefined ? none : first.markdown);
    const maxHeadBytes = left - Math.min(below, left / 2);
    const head = isHeadCut ? shortHeadWithin(maxHeadBytes) : list.head;
    return {
      head,
      maxHeadBytes,
      left,
      shownNote,
      ...keep(list, left - byteLength(head.markdown) - blockBytes(section)),
    };
  };
  const headBytes = byteLength(list.head.markdown);
  const whole = place(false);
  const short = headBytes <= whole.maxHeadBytes ? whole : place(true);
  // A short head is of use only if it makes room for an item.
  const chosen = short.shown.length === 0 && whole.shown.length > 0 ? whole : short;
  const { shown, isShortened, shownNote, left } = chosen;
  const isAlone = first !== undefined && shown.length === 0;
  const headAlone = headBytes <= left ? list.head : shortHeadWithin(left);
  const head = isAlone ? headAlone : chosen.head;
  const leftOut = items.length - shown.length;
  const omission = describe(list, { head: head !== list.head, first: isShortened, leftOut });
  const advice = howToGetMore(leftOut === 0 ? '' : shown.length === 0 ? narrower : rest);
  const body = items.length === 0 ? none : joined(shown, list.between);
  return {
    blocks: [head.markdown, shownNote, body === '' ? '' : section, body, noticeOf(omission, advice)],
    removed: removedFrom([head, ...shown]),
    warning: truncation(omission, advice),
    shown: shown.length,
  };
};

/** The next page begins after the last item that is shown, so the length of its URL is known only then. */
const cut = (list: ListDocument, pages: ListPages, note: string, limit: number): MarkdownDocument => {
  const { length } = list.items;
  let reserved = nextLineOfCut(pages, pages.findNext(Math.min(1, length)), limit);
  for (;;) {
    const { blocks, removed, warning: truncated, shown } = cutFor(list, note, reserved, limit);
    // Without an item the same page has to be read again.
    const next = shown === 0 && length > 0 ? undefined : pages.findNext(shown);
    const line = nextLineOfCut(pages, next, limit);
    if (byteLength(line) <= byteLength(reserved))
      return { markdown: documentOf([...blocks, line]), removed, warning: truncated, nextCursor: next };
    reserved = line;
  }
};

/**
 * @param pages the pages after all items, or after some
 * @param note a line that says what is missing; may be empty
 */
export const listMarkdown = (
  list: ListDocument,
  pages: ListPages,
  note: string,
  maxTokens = Number.POSITIVE_INFINITY,
): MarkdownDocument => {
  const { head, section = '', items, between, none } = list;
  const limit = maxTokens * BYTES_PER_TOKEN;
  const next = pages.findNext(items.length);
  const wholeWith = (last: string): string =>
    documentOf([head.markdown, note, section, items.length === 0 ? none : joined(items, between), last]);
  const removed = removedFrom([head, ...items]);
  const line = nextLine(pages, next);
  const whole = wholeWith(line);
  if (byteLength(whole) <= limit) return { markdown: whole, removed, nextCursor: next };
  const withoutUrl = wholeWith(URL_OMITTED);
  if (isShort(line, limit) || byteLength(withoutUrl) > limit) return cut(list, pages, note, limit);
  const omission = truncation('the URL of the next page left out', howToGetMore(''));
  return { markdown: withoutUrl, removed, warning: omission, nextCursor: next };
};
