// The positions of the accounts after a page of a merged timeline, for its cursor.
//
// A position is the id below which no post was shown, and the page with the youngest of these posts. So posts that arrive later
// change nothing. It names the last repost that was passed, and the posts of earlier pages that were read and not shown.
import { findLargest } from '../../model/fit.ts';
import { definedMembers } from '../../model/json.ts';
import type { AccountPosition, HeldPosts } from '../../model/lists.ts';
import {
  type Account,
  atTheirPlaces,
  type Id,
  isBelow,
  isUndecided,
  markOf,
  type PageStart,
  reachOf,
} from './account-timeline.ts';
import { type Known, repostsOf } from './post-places.ts';

/** A restarted list has other pages the next time. */
const pageAt = ({ cursor, provider, isRestart }: PageStart): HeldPosts['page'] =>
  isRestart ? undefined : definedMembers({ cursor, provider });

type HeldPages = ReadonlyMap<Id, HeldPosts['page']>;

/** @returns the posts of the pages that were read, and of an earlier position, with their pages, if they were not returned */
const unreturned = ({ held, pages, posts }: Account, before: Id | undefined): HeldPages => {
  const all = new Map([...held].filter(([id]) => isBelow(id, before)));
  for (const { items, start } of pages)
    for (const { id } of items) if (posts.has(id) && isBelow(id, before) && !all.has(id)) all.set(id, pageAt(start));
  return all;
};

/**
 * Posts at their places come again with the pages from the first one on. Others need not: a page that is read again can lack
 * them.
 *
 * @returns the posts that are held back: first those of earlier pages, each time the youngest first
 */
const heldBefore = (account: Account, first: number, all: HeldPages): readonly (readonly [Id, HeldPosts['page']])[] => {
  const again = account.pages.slice(first);
  const placed = new Set(
    again.flatMap(({ items }) => atTheirPlaces(items).flatMap(({ id, isOwn }) => (isOwn ? [id] : []))),
  );
  const shown = new Set(again.flatMap(({ items }) => items.map(({ id }) => id)));
  return [...all]
    .filter(([id]) => !placed.has(id))
    .sort(([a], [b]) => Number(shown.has(a)) - Number(shown.has(b)) || (a < b ? 1 : -1));
};

const groupsOf = (held: readonly (readonly [Id, HeldPosts['page']])[]): readonly HeldPosts[] | undefined => {
  const groups = new Map<string, HeldPosts & { readonly ids: string[] }>();
  for (const [id, page] of held) {
    const key = JSON.stringify(page) ?? '';
    const group = groups.get(key) ?? { ids: [], ...(page && { page }) };
    group.ids.push(String(id));
    groups.set(key, group);
  }
  return groups.size === 0 ? undefined : [...groups.values()];
};

const positionAfter = (account: Account, passed: ReadonlySet<Known>, known: readonly Known[]): AccountPosition => {
  const { missing, mark, pages, next, position, isLoose } = account;
  const reach = reachOf(account);
  if (missing !== undefined) return { missing };
  if (pages.length === 0) return position ?? { idle: account.idle };
  const isAnchored = ({ id, page }: Known): boolean => page === undefined || !isLoose || !isBelow(id, mark);
  const left = known.find((each) => !passed.has(each) && isAnchored(each));
  const before = left === undefined ? reach : left.id + 1n;
  if (before === 0n) return account.isCut ? 'cut' : 'ended';
  const passedReposts = known.filter((each) => each.page !== undefined && passed.has(each));
  const nextRepost = repostsOf(account)[passedReposts.length];
  const after = passedReposts.at(-1)?.post.id ?? account.after;
  const idle = passedReposts.length === 0 && nextRepost === undefined ? account.idle : 0;
  const ownPage = pages.findIndex((_, index) => {
    const reached = markOf(account, index + 1);
    return isUndecided(account) || (reached !== undefined && before !== undefined && reached < before);
  });
  const found = [ownPage, nextRepost?.page ?? -1].filter((index) => index !== -1);
  const first = Math.min(...found, next === undefined ? pages.length - 1 : pages.length);
  const held = heldBefore(account, first, unreturned(account, before));
  const start = pages[first]?.start ?? next;
  return { ...definedMembers({ before: before?.toString(), after, held: groupsOf(held) }), ...start, idle };
};

/**
 * @param passed the posts that were shown, or left out because they were shown before
 * @param known the known posts of each account
 */
export const positionsAfter = (
  accounts: readonly Account[],
  passed: ReadonlySet<Known>,
  known: readonly (readonly Known[])[],
): readonly AccountPosition[] => accounts.map((account, index) => positionAfter(account, passed, known[index] ?? []));

type ActivePosition = Extract<AccountPosition, { readonly idle: number }>;

const isActive = (position: AccountPosition): position is ActivePosition =>
  typeof position === 'object' && !('missing' in position);

const cursorBytes = ({ cursor = '' }: { readonly cursor?: string }): number => Buffer.byteLength(cursor);

const shortestFirst = <T>(items: readonly T[], bytesOf: (item: T) => number): readonly T[] =>
  items.toSorted((a, b) => bytesOf(a) - bytesOf(b));

/** A cursor is encoded for each attempt. @returns the largest number up to `most` that fits */
const largestThat = (most: number, fits: (count: number) => boolean): number =>
  findLargest(1, most, (count) => (fits(count) ? count : undefined)) ?? 0;

/** @returns at most so many posts of an account, the first ones */
const heldUpTo = (count: number, held: readonly HeldPosts[] = []): readonly HeldPosts[] => {
  let left = count;
  return held.flatMap((group) => {
    const ids = group.ids.slice(0, left);
    left -= ids.length;
    return ids.length === 0 ? [] : [{ ...group, ids }];
  });
};

/** The posts without a page are one group. */
const grouped = (held: readonly HeldPosts[]): readonly HeldPosts[] => {
  const alone = held.filter(({ page }) => page === undefined).flatMap(({ ids }) => ids);
  return [...held.filter(({ page }) => page !== undefined), ...(alone.length === 0 ? [] : [{ ids: alone }])];
};

interface Choice {
  /** The accounts that keep their cursors. The lists of others go on with the posts before an instant. */
  readonly cursors: ReadonlySet<ActivePosition>;
  /** The most posts of an account that are held back. */
  readonly maxHeld: number;
  /** The groups that keep their pages. The posts of others are read alone. */
  readonly pages: ReadonlySet<HeldPosts>;
}

const chosen = (position: AccountPosition, { cursors, maxHeld, pages }: Choice): AccountPosition => {
  if (!isActive(position)) return position;
  const { before, after, idle, cursor, provider, isRestart } = position;
  const kept = heldUpTo(
    maxHeld,
    position.held?.map((group) => (pages.has(group) ? group : { ids: group.ids })),
  );
  const held = kept.length === 0 ? undefined : grouped(kept);
  if (cursors.has(position)) return { ...definedMembers({ before, after, cursor, provider, isRestart, held }), idle };
  return { ...definedMembers({ before, after, held }), isRestart: true, idle };
};

/**
 * Leaves out what does not fit into the cursor: first pages of held posts, then held posts, then cursors of accounts, because
 * a list without its cursor can be read from its start again and again. The longest cursors are left out first.
 */
export const withinCursor = (
  positions: readonly AccountPosition[],
  fits: (positions: readonly AccountPosition[]) => boolean,
): { readonly accounts: readonly AccountPosition[]; readonly lacksHeld: boolean } => {
  const active = positions.filter(isActive);
  const cursors = shortestFirst(active, cursorBytes);
  const pages = shortestFirst(
    active.flatMap(({ held = [] }) => held),
    ({ page = {} }) => cursorBytes(page),
  );
  const counts = active.map(({ held = [] }) => held.reduce((sum, { ids }) => sum + ids.length, 0));
  const most = Math.max(0, ...counts);
  const choose = (cursorCount: number, maxHeld: number, pageCount: number): readonly AccountPosition[] => {
    const choice = {
      cursors: new Set(cursors.slice(0, cursorCount)),
      maxHeld,
      pages: new Set(pages.slice(0, pageCount)),
    };
    return positions.map((position) => chosen(position, choice));
  };
  const cursorCount = largestThat(cursors.length, (count) => fits(choose(count, 0, 0)));
  const maxHeld = largestThat(most, (count) => fits(choose(cursorCount, count, 0)));
  const pageCount = largestThat(pages.length, (count) => fits(choose(cursorCount, maxHeld, count)));
  return { accounts: choose(cursorCount, maxHeld, pageCount), lacksHeld: maxHeld < most };
};
