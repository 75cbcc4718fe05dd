// A list as Markdown within a token budget (`max_tokens`): what stands above it, its items, and last lines that say what
// was left out and how to go on. Cut between items; if the first one alone is too long, it is shortened.
import { warning } from '../../contract/warnings.ts';
import type { Warning } from '../../model/conversation.ts';
import { BYTES_PER_TOKEN, byteLength, formatCount } from '../content/format.ts';
import type { MarkdownBlock, MarkdownDocument } from './block.ts';
import { codeSpan, createMarkdownContext } from './escape.ts';

export interface ListDocument {
  readonly head: MarkdownBlock;
  /** What the head is about, as in "the profile was cut short". */
  readonly subject: string;
  /** The head in so many bytes; a title of LEAST_HEAD_BYTES is always possible. */
  shortenHead(room: number): MarkdownBlock;
  /** The heading above the items, or nothing. */
  readonly section: string;
  readonly items: readonly MarkdownBlock[];
  readonly item: 'post' | 'account';
  readonly between: string;
  /** The first item in so many bytes, if it can be said at all. */
  shortenFirst(room: number): MarkdownBlock | undefined;
  /** Stands for the items of an empty list. */
  readonly none: string;
  readonly cursor: string | undefined;
}

const GAP = '\n\n';

const documentOf = (blocks: readonly string[]): string => `${blocks.filter((block) => block !== '').join(GAP)}\n`;

/** What a block adds to a document. */
const blockBytes = (block: string): number => (block === '' ? 0 : byteLength(block) + GAP.length);

const nextPage = (cursor: string | undefined): string =>
  cursor === undefined
    ? ''
    : `Next page: ask again with ${codeSpan(createMarkdownContext('markdown'), `cursor=${cursor}`)}.`;

const CURSOR_ELSEWHERE = 'Next page: JSON (`next_cursor`) and the Link header have its cursor.';
/** A cursor may take so much of what may be said. */
const CURSOR_SHARE = 1 / 3;

const LEAST_HEAD_BYTES = 80;

const howToGetMore = (isLeftOut: boolean): string =>
  `Ask again with a larger max_tokens${isLeftOut ? ' or a smaller limit' : ''} for the rest.`;

const noticeOf = (what: string, isLeftOut: boolean): string => `*Truncated: ${what}. ${howToGetMore(isLeftOut)}*`;

const truncation = (what: string, isLeftOut: boolean): Warning =>
  warning('truncated', `The Markdown was cut to fit max_tokens: ${what}. ${howToGetMore(isLeftOut)}`);

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

const joined = (pieces: readonly MarkdownBlock[], between: string): string =>
  pieces.map(({ markdown }) => markdown).join(between);

const removedFrom = (pieces: readonly MarkdownBlock[]): number => pieces.reduce((sum, { removed }) => sum + removed, 0);

const keepWhole = ({ items, between }: ListDocument, room: number): readonly MarkdownBlock[] => {
  let used = GAP.length;
  const end = items.findIndex(({ markdown }, index) => {
    used += byteLength(markdown) + (index === 0 ? 0 : byteLength(between));
    return used > room;
  });
  return end === -1 ? items : items.slice(0, end);
};

/** The items that fit, or the beginning of the first. */
const keep = (
  list: ListDocument,
  room: number,
): { readonly shown: readonly MarkdownBlock[]; readonly isShortened: boolean } => {
  const whole = keepWhole(list, room);
  if (whole.length > 0 || list.items.length === 0) return { shown: whole, isShortened: false };
  const first = list.shortenFirst(room - GAP.length);
  return first === undefined ? { shown: [], isShortened: false } : { shown: [first], isShortened: true };
};

const cut = (list: ListDocument, note: string, next: string, limit: number): MarkdownDocument => {
  const { items, section, none } = list;
  const [first] = items;
  const longest = noticeOf(describe(list, { head: true, first: true, leftOut: items.length }), true);
  let room = limit - byteLength(documentOf([longest, next])) - GAP.length;
  const saidNote = room - blockBytes(note) - blockBytes(section) - blockBytes(none) >= LEAST_HEAD_BYTES ? note : '';
  room -= blockBytes(saidNote);
  const below = blockBytes(section) + blockBytes(first === undefined ? none : first.markdown);
  const roomForHead = room - Math.min(below, room / 2);
  const headIn = (space: number): MarkdownBlock =>
    byteLength(list.head.markdown) <= space ? list.head : list.shortenHead(Math.max(space, LEAST_HEAD_BYTES));
  const headBeside = headIn(roomForHead);
  const { shown, isShortened } = keep(list, room - byteLength(headBeside.markdown) - blockBytes(section));
  const head = shown.length === 0 && first !== undefined ? headIn(room) : headBeside;
  const leftOut = items.length - shown.length;
  const what = describe(list, { head: head !== list.head, first: isShortened, leftOut });
  const body = items.length === 0 ? none : joined(shown, list.between);
  return {
    markdown: documentOf([
      head.markdown,
      saidNote,
      body === '' ? '' : section,
      body,
      noticeOf(what, leftOut > 0),
      next,
    ]),
    removed: removedFrom([head, ...shown]),
    warning: truncation(what, leftOut > 0),
  };
};

/** @param note a line about what is missing, for who reads nothing but Markdown */
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
  if (blockBytes(next) <= limit * CURSOR_SHARE) return cut(list, note, next, limit);
  const withoutCursor = wholeWith(CURSOR_ELSEWHERE);
  if (byteLength(withoutCursor) > limit) return cut(list, note, CURSOR_ELSEWHERE, limit);
  return { markdown: withoutCursor, removed, warning: truncation('the cursor of the next page left out', false) };
};
