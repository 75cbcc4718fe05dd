// The places of posts in a merged timeline.
//
// X gives a repost no time. Its place is above the next older own post of the account, at the id of that post or, if it is
// larger, at that of the original of the repost or of a repost between them. So a repost is placed once that own post is known.
// After many reposts without an own post, those that were read are placed by their originals, and no longer hold up others.
import type { Period } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import { snowflakeTime } from '../../model/snowflake.ts';
import {
  type Account,
  byId,
  firstOwnPost,
  type Id,
  type Item,
  isBelow,
  isOpen,
  ownItems,
  reachOf,
} from './account-timeline.ts';

const isWithinPeriod = ({ since, until }: Period, place: Id): boolean => {
  const time = Number(snowflakeTime(String(place)));
  return (since === undefined || time >= since) && (until === undefined || time < until);
};

/** A post at its place in the merged timeline. */
export interface Known {
  /** The place: the id of an own post. */
  readonly id: Id;
  readonly post: Post;
  /** The page of a repost. */
  readonly page?: number;
}

/** A repost is above the post at the same place. The sort keeps the order of the reposts of an account. */
export const byPlace = (a: Known, b: Known): number =>
  a.id === b.id ? Number(a.page === undefined) - Number(b.page === undefined) : byId(a, b);

interface RepostPlace extends Known {
  readonly page: number;
  readonly isKnown: boolean;
}

/** The post that the account answered stands beside the answer, and is not its repost. */
const keyOf = ({ id, isOwn, repost }: Item): string => `${isOwn} ${repost !== undefined} ${id}`;

/** @returns the own posts at their places, and the reposts, newest first */
const placedItems = (account: Account): readonly Item[] => {
  let placed: readonly Item[] = [];
  const known = new Set<string>();
  /** The own posts among them, the oldest last. */
  let own: Item[] = [];
  // A pinned post comes again.
  const first = firstOwnPost(account);
  const isPinned = first !== undefined && ownItems(account).some((item) => item !== first && item.id === first.id);
  for (const page of account.pages) {
    const items = page.items.filter((item) => !isPinned || item !== first);
    // A page that is read again can start earlier than before.
    const [head = [], rest = items] = splitAtFirst(items, (item) => known.has(keyOf(item)));
    const [next] = rest;
    const at = next === undefined ? 0 : placed.findIndex((item) => keyOf(item) === keyOf(next));
    const added: Item[] = [];
    const displaced = new Set<Item>();
    own = [...own, ...head.filter(({ isOwn }) => isOwn)].sort(byId);
    for (const item of head) known.add(keyOf(item));
    for (const item of rest) {
      if (known.has(keyOf(item))) continue;
      // An own post that a younger post follows comes again.
      const isYounger = (own.at(-1)?.id ?? item.id) < item.id;
      for (let old = own.at(-1); isYounger && old !== undefined && old.id <= item.id; old = own.at(-1)) {
        own.pop();
        displaced.add(old);
        known.delete(keyOf(old));
      }
      added.push(item);
      known.add(keyOf(item));
      if (item.isOwn) own.push(item);
    }
    placed = [...placed.slice(0, Math.max(at, 0)), ...head, ...placed.slice(Math.max(at, 0)), ...added].filter(
      (item) => !displaced.has(item),
    );
  }
  return placed.filter(({ isOwn, repost }) => isOwn || repost !== undefined);
};

/** @returns the items before the first that fits, and the others; nothing if none fits */
const splitAtFirst = (items: readonly Item[], fits: (item: Item) => boolean): readonly (readonly Item[])[] => {
  const index = items.findIndex(fits);
  return index === -1 ? [] : [items.slice(0, index), items.slice(index)];
};

/** @returns the reposts that were not returned yet, each at its place */
export const repostsOf = (account: Account): readonly RepostPlace[] => {
  const { pages, before, mark, isLoose, after, period } = account;
  if (!pages.some(({ items }) => items.some(({ repost }) => repost !== undefined))) return [];
  const items = placedItems(account).toReversed();
  // The next reading of a page that overlaps the page before can start later.
  const pageOf = new Map<Id, number>();
  for (const [index, page] of pages.entries())
    for (const { id, repost } of page.items) if (repost !== undefined && !pageOf.has(id)) pageOf.set(id, index);
  const isPassed = ({ id, isOwn, repost }: Item): boolean => (isOwn ? !isBelow(id, before) : repost?.id === after);
  const passed = items.findIndex(isPassed);
  const anchor = mark === 0n ? -1 : items.findIndex(({ id, isOwn }) => isOwn && id === mark);
  const isAnchored = mark === 0n || anchor !== -1;
  let place = 0n;
  return items
    .flatMap(({ id, repost }, index): RepostPlace[] => {
      if (id > place) place = id;
      const isReturned = (passed !== -1 && index >= passed) || !isBelow(place, before);
      const isKnown = isLoose || (isAnchored && index > anchor);
      if (repost === undefined || isReturned || (isKnown && !isWithinPeriod(period, place))) return [];
      return [{ id: place, post: repost, page: pageOf.get(id) ?? -1, isKnown }];
    })
    .reverse();
};

/** @returns the posts of the account that are at their places and were not returned yet, newest first */
export const knownPosts = (account: Account): readonly Known[] => {
  const { posts, mark, missing } = account;
  const reach = reachOf(account);
  if (missing !== undefined) return [];
  const own = [...posts].flatMap(([id, post]) => (reach !== undefined && id >= reach ? [{ id, post }] : []));
  // Reposts below a held post wait for it.
  const reposts = repostsOf(account).filter(({ id, isKnown }) => isKnown && (isBelow(id, mark) || !isBelow(id, reach)));
  return [...reposts, ...own].sort(byPlace);
};

/** The place that an account holds up: no unknown post of it is above. */
export const floorOf = (account: Account): Id | undefined => (account.isLoose ? 0n : reachOf(account));

/** @param known the posts of the accounts @returns the posts that no unknown post precedes, newest first */
export const readyPosts = (accounts: readonly Account[], known: readonly Known[]): readonly Known[] => {
  const floors = accounts.filter(isOpen).map(floorOf);
  const floor = floors.reduce((most, each) => (isBelow(most ?? 0n, each) ? each : most), 0n);
  if (floors.includes(undefined) || floor === undefined) return [];
  return known.filter(({ id }) => id >= floor).sort(byPlace);
};

/** The post was returned by an earlier page. */
export type IsSeen = (id: string) => boolean;

/** @returns each post where it comes first */
export const firstOf = (known: readonly Known[], isSeen: IsSeen): readonly Known[] => {
  const seen = new Set<string>();
  return known.filter(({ post: { id } }) => !isSeen(id) && !seen.has(id) && seen.add(id));
};
