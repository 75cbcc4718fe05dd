// A list as Markdown within a token budget (`max_tokens`): what stands above it, its items, and last lines that say what
// was left out and how to go on. Cut between items; if the first one alone is too long, it is shortened.
import { warning } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import { codeSpan, createInk, type Ink } from './escape.ts';
import { BYTES_PER_TOKEN, bytes, counted } from './words.ts';

/** Markdown, and how many invisible characters were left out of it. */
export interface Piece {
  readonly markdown: string;
  readonly removed: number;
}

export const pieceOf = (write: (ink: Ink) => string): Piece => {
  const ink = createInk('markdown');
  const markdown = write(ink);
  return { markdown, removed: ink.removed };
};

export interface List {
  readonly head: Piece;
  /** What the head is about, as in "the profile was cut short". */
  readonly subject: string;
  /** The head in so many bytes; a title of LEAST_HEAD_BYTES is always possible. */
  shortenHead(room: number): Piece;
  /** The heading above the items, or nothing. */
  readonly section: string;
  readonly items: readonly Piece[];
  readonly item: 'post' | 'account';
  readonly between: string;
  /** The first item in so many bytes, if it can be said at all. */
  shortenFirst(room: number): Piece | undefined;
  /** Stands for the items of an empty list. */
  readonly none: string;
  readonly cursor: string | undefined;
}

export interface ListMarkdown extends Piece {
  readonly warning?: Warning;
}

const GAP = '\n\n';

const documentOf = (blocks: readonly string[]): string => `${blocks.filter((block) => block !== '').join(GAP)}\n`;

/** What a block adds to a document. */
const cost = (block: string): number => (block === '' ? 0 : bytes(block) + GAP.length);

const nextPage = (cursor: string | undefined): string =>
  cursor === undefined ? '' : `Next page: ask again with ${codeSpan(createInk('markdown'), `cursor=${cursor}`)}.`;

const CURSOR_ELSEWHERE = 'Next page: JSON (`next_cursor`) and the Link header have its cursor.';
/** A cursor may take so much of what may be said. */
const CURSOR_SHARE = 1 / 3;

const LEAST_HEAD_BYTES = 80;

const howToGetMore = (isLeftOut: boolean): string =>
  `Ask again with a larger max_tokens${isLeftOut ? ' or a smaller limit' : ''} for the rest.`;

const noticeOf = (what: string, isLeftOut: boolean): string => `*Truncated: ${what}. ${howToGetMore(isLeftOut)}*`;

const truncation = (what: string, isLeftOut: boolean): Warning =>
  warning('truncated', `The Markdown was cut to fit max_tokens: ${what}. ${howToGetMore(isLeftOut)}`);

interface Cuts {
  readonly head: boolean;
  readonly first: boolean;
  readonly leftOut: number;
}

const describe = ({ subject, item }: List, { head, first, leftOut }: Cuts): string => {
  const facts = [
    head ? `${subject} was cut short` : '',
    first ? `the first ${item} was cut short` : '',
    leftOut > 0 ? `${counted(leftOut, item)} left out` : '',
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? 'a note about the source left out' : facts.join(', ');
};

const joined = (pieces: readonly Piece[], between: string): string =>
  pieces.map(({ markdown }) => markdown).join(between);

const removedFrom = (pieces: readonly Piece[]): number => pieces.reduce((sum, { removed }) => sum + removed, 0);

const keepWhole = ({ items, between }: List, room: number): readonly Piece[] => {
  let used = GAP.length;
  const end = items.findIndex(({ markdown }, index) => {
    used += bytes(markdown) + (index === 0 ? 0 : bytes(between));
    return used > room;
  });
  return end === -1 ? items : items.slice(0, end);
};

/** The items that fit, or the beginning of the first. */
const keep = (list: List, room: number): { readonly shown: readonly Piece[]; readonly isShortened: boolean } => {
  const whole = keepWhole(list, room);
  if (whole.length > 0 || list.items.length === 0) return { shown: whole, isShortened: false };
  const first = list.shortenFirst(room - GAP.length);
  return first === undefined ? { shown: [], isShortened: false } : { shown: [first], isShortened: true };
};

const cut = (list: List, note: string, next: string, limit: number): ListMarkdown => {
  const { items, section, none } = list;
  const [first] = items;
  const longest = noticeOf(describe(list, { head: true, first: true, leftOut: items.length }), true);
  let room = limit - bytes(documentOf([longest, next])) - GAP.length;
  const saidNote = room - cost(note) - cost(section) - cost(none) >= LEAST_HEAD_BYTES ? note : '';
  room -= cost(saidNote);
  const below = cost(section) + cost(first === undefined ? none : first.markdown);
  const roomForHead = room - Math.min(below, room / 2);
  const headIn = (space: number): Piece =>
    bytes(list.head.markdown) <= space ? list.head : list.shortenHead(Math.max(space, LEAST_HEAD_BYTES));
  const headBeside = headIn(roomForHead);
  const { shown, isShortened } = keep(list, room - bytes(headBeside.markdown) - cost(section));
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
export const listMarkdown = (list: List, note: string, maxTokens = Number.POSITIVE_INFINITY): ListMarkdown => {
  const { head, section, items, between, none } = list;
  const limit = maxTokens * BYTES_PER_TOKEN;
  const wholeWith = (next: string): string =>
    documentOf([head.markdown, note, section, items.length === 0 ? none : joined(items, between), next]);
  const removed = removedFrom([head, ...items]);
  const next = nextPage(list.cursor);
  const whole = wholeWith(next);
  if (bytes(whole) <= limit) return { markdown: whole, removed };
  if (cost(next) <= limit * CURSOR_SHARE) return cut(list, note, next, limit);
  const withoutCursor = wholeWith(CURSOR_ELSEWHERE);
  if (bytes(withoutCursor) > limit) return cut(list, note, CURSOR_ELSEWHERE, limit);
  return { markdown: withoutCursor, removed, warning: truncation('the cursor of the next page left out', false) };
};
