// The posts of one account of a merged timeline as far as they were read, and its mark: every post of the account with this
// id or a larger one is known.
//
// A page of X is newest first but for a pinned post, old parts of a thread, which stand before a younger post, and reposts,
// which have the id of an older post of another account. So the mark is the oldest own post that no younger post follows.
// Posts that stand before their places are held back until then. They need not come again: then they are read from their page
// once more.
import { definedMembers } from '../../model/json.ts';
import type { AccountPosition, HeldPosts, Period } from '../../model/lists.ts';
import type { Post, TombstoneReason } from '../../model/post.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';

/** Idle pages after which the only own post of an account is not taken for the pinned one. */
const MAX_UNDECIDED = 8;

export type Id = bigint;
export type WithheldOutcome = Extract<FailedOutcome, { kind: 'withheld' }>;

export interface PageStart {
  readonly cursor?: string;
  readonly provider?: string;
  readonly isRestart?: true;
}

export interface Item {
  readonly id: Id;
  readonly isOwn: boolean;
  /** The repost, if reposts belong to the timeline. */
  readonly repost?: Post | undefined;
}

interface ReadPage {
  readonly start: PageStart;
  readonly items: readonly Item[];
}

export interface Account {
  readonly handle: string;
  readonly position: AccountPosition | undefined;
  /** Posts with this or a larger id were returned by an earlier page; undefined: none. */
  readonly before: Id | undefined;
  /** The id of the last repost that was passed. */
  readonly after: string | undefined;
  readonly period: Period;
  /** Every post with this or a larger id is known; undefined: none is. */
  mark: Id | undefined;
  /** The next page; undefined: the list has ended. */
  next: PageStart | undefined;
  /** The pages that were read, in order. */
  readonly pages: ReadPage[];
  readonly posts: Map<Id, Post>;
  /** Own posts that continue own ones, and that the kind of the timeline leaves out. */
  readonly continuations: Post[];
  /** Posts that earlier requests have read and not returned, each with its page; undefined: it is read alone. */
  readonly held: Map<Id, HeldPosts['page']>;
  /** The weight of the pages that were read since the mark moved. A page without a new post counts as several. */
  idle: number;
  missing?: TombstoneReason;
  /** The account is missing because the operator withholds it. */
  withheld?: WithheldOutcome;
  failure?: FailedOutcome;
  /** The operator withholds a post of the timeline. */
  lacksWithheld?: true;
  /** Its list ended early, on this page or before. */
  isCut: boolean;
  /** Its reposts are placed without an own post below them. */
  isLoose: boolean;
}

export const accountAt = (handle: string, position: AccountPosition | undefined, { since, until }: Period): Account => {
  const active = typeof position === 'object' && !('missing' in position) ? position : undefined;
  const isOver = position === 'ended' || position === 'cut';
  const before = active?.before === undefined ? undefined : BigInt(active.before);
  const { cursor, provider, isRestart } = active ?? {};
  return {
    handle,
    position,
    before,
    after: active?.after,
    period: definedMembers({ since, until }),
    mark: isOver ? 0n : before,
    next: isOver ? undefined : definedMembers({ cursor, provider, isRestart }),
    pages: [],
    posts: new Map(),
    continuations: [],
    held: new Map(active?.held?.flatMap(({ ids, page }) => ids.map((id) => [BigInt(id), page] as const))),
    idle: active?.idle ?? 0,
    isLoose: false,
    isCut: position === 'cut',
    ...(typeof position === 'object' && 'missing' in position && { missing: position.missing }),
  };
};

/** @returns the ids of held posts at their places that this request has not read again */
export const unreadPosts = ({ held, posts, mark }: Account): readonly Id[] =>
  mark === undefined ? [] : [...held.keys()].filter((id) => id >= mark && !posts.has(id));

/** @returns the id from which on every post of the account was read; undefined: none was */
export const reachOf = (account: Account): Id | undefined =>
  unreadPosts(account).reduce((reach, id) => (isBelow(id, reach) ? reach : id + 1n), account.mark);

export const isOpen = (account: Account): boolean => {
  const { missing, failure, next } = account;
  return missing === undefined && failure === undefined && (next !== undefined || unreadPosts(account).length > 0);
};

/** Not known sorts before every id: the account was not read. */
export const isBelow = (a: Id, b: Id | undefined): boolean => b === undefined || a < b;

export const byId = (a: { readonly id: Id }, b: { readonly id: Id }): number => (a.id < b.id ? 1 : -1);

/** The own post at the start of a timeline: it can be the pinned one, which is older than the others. */
export const firstOwnPost = ({ pages: [first] }: Account): Item | undefined => {
  const [item] = first?.start.cursor === undefined ? (first?.items ?? []) : [];
  return item?.isOwn ? item : undefined;
};

export const ownItems = ({ pages }: Account): readonly Item[] =>
  pages.flatMap(({ items }) => items.filter(({ isOwn }) => isOwn));

/** Entries below a post are older, and a repost is younger than its original: so the first own post is the pinned one. */
const hasYounger = ({ pages }: Account, first: Item): boolean =>
  pages.some(({ items }) => items.some(({ id }) => id > first.id));

/** Without another own post or a younger original, nothing says whether the first own post is pinned. */
export const mayBePinned = (account: Account): boolean => {
  const first = firstOwnPost(account);
  return first !== undefined && ownItems(account).length === 1 && !hasYounger(account, first);
};

export const isUndecided = (account: Account): boolean => mayBePinned(account) && account.idle <= MAX_UNDECIDED;

/** @returns the items of a page that no younger one follows, the oldest first */
export const atTheirPlaces = (items: readonly Item[]): readonly Item[] => {
  let youngest = 0n;
  return items.toReversed().filter(({ id }) => {
    const isPlaced = id > youngest;
    if (isPlaced) youngest = id;
    return isPlaced;
  });
};

/** @returns for each page the posts that no younger post of the page follows, each in the first page that has it so */
const placedPosts = (account: Account): readonly (readonly Item[])[] => {
  const { pages, before } = account;
  const seen = new Set<Id>();
  const first = firstOwnPost(account);
  const pinned = first && hasYounger(account, first) ? first : undefined;
  // Pages can overlap or repeat, so a post that was at its place before says nothing about others.
  return pages.map(({ items }) =>
    atTheirPlaces(items).filter(
      (item) => item !== pinned && isBelow(item.id, before) && !seen.has(item.id) && seen.add(item.id),
    ),
  );
};

/** @returns the mark after the first `count` pages, as all of them show it; undefined: they have no own post at its place */
export const markOf = (account: Account, count = account.pages.length): Id | undefined => {
  let mark: Id | undefined;
  let youngest = 0n;
  for (const [index, placed] of [...placedPosts(account).entries()].reverse()) {
    const own = placed.filter(({ id, isOwn }) => isOwn && index < count && id > youngest);
    for (const { id } of own) if (isBelow(id, mark)) mark = id;
    for (const { id } of placed) if (id > youngest) youngest = id;
  }
  return mark;
};
