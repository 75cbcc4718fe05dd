// Remembers fingerprints of the recently returned items of a list, because provider pages can overlap or repeat. The
// fingerprints are part of the cursor, so their number is bounded.
import { hash } from 'node:crypto';
import { byAge } from '../../model/snowflake.ts';

/** A cursor has at least these, if there are so many: a page of the default size. */
export const MIN_REMEMBERED = 20;
/** No cursor has space for more. */
export const MAX_REMEMBERED = 60;

/** 24 bits: with 30 remembered items, about one new item in 500,000 is wrongly taken for a remembered one. */
export const fingerprint = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 6), 16);

export interface RecentItems {
  has(id: string): boolean;
  /** @returns true if the item was not remembered */
  add(id: string): boolean;
  /** @returns the newest fingerprints, oldest first */
  latest(): readonly number[];
}

/** Within one request all items are remembered. `latest` selects the items for the cursor. */
export const createRecentItems = (
  remembered: readonly number[] = [],
  earlyIds: readonly string[] = [],
): RecentItems => {
  const seen = new Set(remembered);
  const early = new Set(earlyIds);
  return {
    has: (id) => early.has(id) || seen.has(fingerprint(id)),
    add(id) {
      if (early.has(id)) return false;
      const before = seen.size;
      return seen.add(fingerprint(id)).size > before;
    },
    latest: () => [...seen].slice(-MAX_REMEMBERED),
  };
};

/** @returns true if an older post follows a younger one: parts of a thread alone are oldest first */
const isNewestFirst = (ids: readonly string[]): boolean =>
  ids.some((id, index) => index > 0 && byAge({ id }, { id: ids[index - 1] ?? id }) < 0);

/** @returns the ids after which a younger one stands */
const beforeYounger = (ids: readonly string[]): ReadonlySet<string> => {
  let youngest: string | undefined;
  const before = new Set<string>();
  for (const id of ids.toReversed())
    if (youngest !== undefined && byAge({ id }, { id: youngest }) < 0) before.add(id);
    else youngest = id;
  return before;
};

/**
 * A timeline is newest first, but it has a pinned post and old parts of a thread before younger posts, and again at their
 * own places, which can be hundreds of posts later. All of these are older than the posts at their places.
 *
 * A page can be a part of a thread, which is oldest first. Then it does not say how far the list is, and the ids that were
 * early before stay so.
 *
 * @param before ids that were early before
 * @param returned ids of the posts that were returned since
 * @param pages ids of the posts of the pages since, each not older than those of the next page at their own places
 * @returns oldest first; the cursor keeps those that fit
 */
export const earlyItems = (
  before: readonly string[],
  returned: readonly string[],
  pages: readonly (readonly string[])[],
): readonly string[] => {
  const page = pages.findLast(isNewestFirst);
  const [youngest] = (page ?? pages.findLast((ids) => ids.length > 0) ?? [])
    .map((id) => ({ id }))
    .sort((a, b) => byAge(b, a));
  const kept = new Set(page === undefined ? before : []);
  const early = beforeYounger(pages.flat());
  return [...new Set([...before, ...returned.filter((id) => early.has(id))])]
    .map((id) => ({ id }))
    .filter((item) => kept.has(item.id) || youngest === undefined || byAge(item, youngest) < 0)
    .sort(byAge)
    .map(({ id }) => id);
};
