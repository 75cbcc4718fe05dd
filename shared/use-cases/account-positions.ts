// The positions of the accounts after a page of a merged timeline, for its cursor.
//
// A position is the id below which no post was shown, and the page with the youngest of these posts. So posts that arrive later
// change nothing. It names the last repost that was passed, and the posts of earlier pages that were read and not shown.
import { MAX_CURSOR_CHARACTERS } from '../contract/parameters.ts';
import { definedMembers } from '../model/json.ts';
import type { AccountPosition, HeldPosts } from '../model/lists.ts';
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

/** The rest of a cursor takes up to 20 accounts with 40 bytes each. Base64url writes 3 bytes as 4 characters. */
const MAX_PAGE_CURSORS_BYTES = (MAX_CURSOR_CHARACTERS * 3) / 4 - 1000;
/** The posts that are remembered with reposts, because they can come again. Each takes 4 bytes of the cursor. */
export const MAX_REMEMBERED_POSTS = 330;
const REMEMBERED_BYTES = MAX_REMEMBERED_POSTS * 4 + 20 * 14;
/** The posts that the cursor holds back, over all accounts. More are shown only if their pages come again. */
const MAX_HELD_POSTS = 160;
const ID_BYTES = 8;
/** What a page of held posts takes beside its cursor. */
const GROUP_BYTES = 12;

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

const positionAfter = (
  account: Account,
  passed: ReadonlySet<Known>,
  known: readonly Known[],
  maxHeld: number,
): AccountPosition => {
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
  const held = heldBefore(account, first, unreturned(account, before)).slice(0, maxHeld);
  const start = pages[first]?.start ?? next;
  return { ...definedMembers({ before: before?.toString(), after, held: groupsOf(held) }), ...start, idle };
};

const cursorBytes = ({ cursor }: { readonly cursor?: string }): number =>
  cursor === undefined ? 0 : Buffer.byteLength(JSON.stringify(cursor));

const longestCursorBytes = ({ pages, next }: Account): number =>
  Math.max(cursorBytes(next ?? {}), ...pages.map(({ start }) => cursorBytes(start)));

type ActivePosition = Extract<AccountPosition, { readonly idle: number }>;

const isActive = (position: AccountPosition): position is ActivePosition =>
  typeof position === 'object' && !('missing' in position);

/**
 * @param passed the posts that were shown, or left out because they were shown before
 * @param known the known posts of each account
 * @param remembersPosts the cursor also has the latest posts
 */
export const positionsAfter = (
  accounts: readonly Account[],
  passed: ReadonlySet<Known>,
  known: readonly (readonly Known[])[],
  remembersPosts: boolean,
): readonly AccountPosition[] => {
  // Without its own cursor, a list would be read from its start again and again.
  const ownBytes = accounts.reduce((sum, account) => sum + longestCursorBytes(account), 0);
  const left = MAX_PAGE_CURSORS_BYTES - (remembersPosts ? REMEMBERED_BYTES : 0) - ownBytes;
  const max = Math.min(MAX_HELD_POSTS, Math.max(0, Math.floor(left / (ID_BYTES + GROUP_BYTES))));
  const positionsWith = (maxHeld: number): readonly AccountPosition[] =>
    accounts.map((account, index) => positionAfter(account, passed, known[index] ?? [], maxHeld));
  const positions = positionsWith(max);
  const count = positions
    .filter(isActive)
    .reduce((sum, { held = [] }) => sum + held.flatMap(({ ids }) => ids).length, 0);
  return count > max ? positionsWith(Math.floor(max / accounts.length)) : positions;
};

/** @returns the items with the shortest cursors, as many as fit */
const shortest = <T>(items: readonly T[], bytesOf: (item: T) => number, maxBytes: number): ReadonlySet<T> => {
  let bytes = 0;
  return new Set(
    [...items]
      .sort((a, b) => bytesOf(a) - bytesOf(b))
      .filter((item) => {
        bytes += bytesOf(item);
        return bytes <= maxBytes;
      }),
  );
};

/**
 * Drops the longest cursors until the others fit. Their lists go on with the posts before an instant, and the posts that are
 * held back from their pages are read alone.
 *
 * @param remembersPosts the cursor also has the latest posts
 */
export const withinCursor = (
  positions: readonly AccountPosition[],
  remembersPosts: boolean,
): readonly AccountPosition[] => {
  const active = positions.filter(isActive);
  const groups = active.flatMap(({ held = [] }) => held);
  const heldBytes = groups.reduce((sum, { ids }) => sum + GROUP_BYTES + ids.length * ID_BYTES, 0);
  const maxBytes = MAX_PAGE_CURSORS_BYTES - heldBytes - (remembersPosts ? REMEMBERED_BYTES : 0);
  const kept = shortest(active, cursorBytes, maxBytes);
  const left = [...kept].reduce((bytes, position) => bytes - cursorBytes(position), maxBytes);
  const keptPages = shortest(groups, ({ page = {} }) => cursorBytes(page), left);
  return positions.map((position) => {
    if (!isActive(position)) return position;
    const { before, after, idle, held } = position;
    const pages = definedMembers({
      held: held?.map((group) => (keptPages.has(group) ? group : { ids: group.ids })),
    });
    if (kept.has(position)) return { ...position, ...pages };
    return { ...definedMembers({ before, after }), ...pages, isRestart: true, idle };
  });
};
