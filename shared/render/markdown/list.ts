// Renders a list as Markdown within a token budget (`max_tokens`): a head, the items, and last lines that say what was
// omitted and how to continue. The list is cut between items. If not even the first item fits, the item is shortened.
import { warning } from '../../contract/warnings.ts';
import type { Warning } from '../../model/conversation.ts';
import { BYTES_PER_TOKEN, byteLength, formatCount } from '../content/format.ts';
import type { MarkdownBlock, MarkdownDocument } from './block.ts';
import { codeSpan, createMarkdownContext } from './escape.ts';

export interface ListDocument {
  readonly head: MarkdownBlock;
  /** The subject of "… was cut short", if the head is shortened. */
  readonly subject: string;
  /** @param maxBytes at least MIN_HEAD_BYTES, which any title fits into */
  shortenHead(maxBytes: number): MarkdownBlock;
  /** The heading above the items; may be empty. */
  readonly section: string;
  readonly items: readonly MarkdownBlock[];
  readonly item: 'post' | 'account';
  readonly between: string;
  /** @returns undefined: the first item cannot be shortened that much */
  shortenFirst(maxBytes: number): MarkdownBlock | undefined;
  /** Shown if the list is empty. */
  readonly none: string;
  readonly cursor: string | undefined;
  /** Asks for fewer items, in words. @default a smaller limit */
  readonly narrower?: string;
}

const GAP = '\n\n';

const documentOf = (blocks: readonly string[]): string => `${blocks.filter((block) => block !== '').join(GAP)}\n`;

/** The size that a block adds to a document. */
const blockBytes = (block: string): number => (block === '' ? 0 : byteLength(block) + GAP.length);

const nextPage = (cursor: string | undefined): string =>
  cursor === undefined
    ? ''
    : `Next page: ask again with ${codeSpan(createMarkdownContext('markdown'), `cursor=${cursor}`)}.`;

const CURSOR_OMITTED = 'Next page: JSON (`next_cursor`) and the Link header have its cursor.';
/** The largest share of the budget that a cursor may take. */
const MAX_CURSOR_SHARE = 1 / 3;

const MIN_HEAD_BYTES = 80;

const howToGetMore = ({ narrower = 'a smaller limit' }: ListDocument, isLeftOut: boolean): string =>
  `Ask again with a larger max_tokens${isLeftOut ? ` or ${narrower}` : ''} for the rest.`;

const noticeOf = (list: ListDocument, omission: string, isLeftOut: boolean): string =>
  `*Truncated: ${omission}. ${howToGetMore(list, isLeftOut)}*`;

const truncation = (list: ListDocument, omission: string, isLeftOut: boolean): Warning =>
  warning('truncated', `The Markdown was cut to fit max_tokens: ${omission}. ${howToGetMore(list, isLeftOut)}`);

interface Truncations {
  readonly head: boolean;
  readonly first: boolean;
  readonly leftOut: number;
}

const describe = ({ subject, item }: ListDocument, { head, first, leftOut }: Truncations): string => {
  const facts = [
    head ? `${subject} was cut short` : '',
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

/** The items that fit, or the beginning of the first item. */
const keep = (
  list: ListDocument,
  maxBytes: number,
): { readonly shown: readonly MarkdownBlock[]; readonly isShortened: boolean } => {
  const whole = keepWhole(list, maxBytes);
  if (whole.length > 0 || list.items.length === 0) return { shown: whole, isShortened: false };
  const first = list.shortenFirst(maxBytes - GAP.length);
  return first === undefined ? { shown: [], isShortened: false } : { shown: [first], isShortened: true };
};

const cut = (list: ListDocument, note: string, next: string, limit: number): MarkdownDocument => {
  const { items, section, none } = list;
  const [first] = items;
  const longestNotice = noticeOf(list, describe(list, { head: true, first: true, leftOut: items.length }), true);
  let left = limit - byteLength(documentOf([longestNotice, next])) - GAP.length;
  const shownNote = left - blockBytes(note) - blockBytes(section) - blockBytes(none) >= MIN_HEAD_BYTES ? note : '';
  left -= blockBytes(shownNote);
  const below = blockBytes(section) + blockBytes(first === undefined ? none : first.markdown);
  const maxHeadBytes = left - Math.min(below, left / 2);
  const headWithin = (maxBytes: number): MarkdownBlock =>
    byteLength(list.head.markdown) <= maxBytes ? list.head : list.shortenHead(Math.max(maxBytes, MIN_HEAD_BYTES));
  const headAboveItems = headWithin(maxHeadBytes);
  const { shown, isShortened } = keep(list, left - byteLength(headAboveItems.markdown) - blockBytes(section));
  const head = shown.length === 0 && first !== undefined ? headWithin(left) : headAboveItems;
  const leftOut = items.length - shown.length;
  const omission = describe(list, { head: head !== list.head, first: isShortened, leftOut });
  const body = items.length === 0 ? none : joined(shown, list.between);
  return {
    markdown: documentOf([
      head.markdown,
      shownNote,
      body === '' ? '' : section,
      body,
      noticeOf(list, omission, leftOut > 0),
      next,
    ]),
    removed: removedFrom([head, ...shown]),
    warning: truncation(list, omission, leftOut > 0),
  };
};

/** @param note a line that says what is missing; may be empty */
export const listMarkdown = (
  list: ListDocument,
  note: string,
  maxTokens = Number.POSITIVE_INFINITY,
): MarkdownDocument => {
  const { head, section, items, between, none } = list;
  const limit = maxTokens * BYTES_PER_TOKEN;
  const wholeWith = (next: string): string =>
    documentOf([head.markdown, note, section, items.length === 0 ? none : joined(items, between), next]);
  const removed = removedFrom([head, ...items]);
  const next = nextPage(list.cursor);
  const whole = wholeWith(next);
  if (byteLength(whole) <= limit) return { markdown: whole, removed };
  if (blockBytes(next) <= limit * MAX_CURSOR_SHARE) return cut(list, note, next, limit);
  const withoutCursor = wholeWith(CURSOR_OMITTED);
  if (byteLength(withoutCursor) > limit) return cut(list, note, CURSOR_OMITTED, limit);
  return { markdown: withoutCursor, removed, warning: truncation(list, 'the cursor of the next page left out', false) };
};
