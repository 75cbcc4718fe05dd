// Follows the cursors of a list from any of its pages to its end.
//
// The timelines of X end after about 3,200 posts. If a timeline ends, the walk continues with the posts until the second of
// its last post, for which the service searches. Posts of that second appear again and are left out. The walk ends when
// this adds no post.
import { versionedPath } from '../../../shared/contract/operations.ts';
import { MAX_LIMIT } from '../../../shared/contract/parameters.ts';
import { matchesTemplate } from '../../../shared/contract/paths.ts';
import { parameterOf, pathOf, withQuery } from '../client/list-target.ts';
import type { ListItem, ListPage } from '../client/request-page.ts';
import { RequestError } from '../request-text.ts';

const KEPT = 1000;

export interface OldestPosts {
  /** @param id decimal digits @returns true if the post is not remembered */
  add(id: string): boolean;
}

/** The id of a post starts with its time (Snowflake), so the smallest ids are of the oldest posts. */
const byId = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

/**
 * After the end of a timeline the export continues with older posts, so only the oldest posts so far can appear again: those
 * of the same second, and a pinned post that the timeline had first.
 */
export const createOldestPosts = (kept: number = KEPT): OldestPosts => {
  let ids = new Set<string>();
  return {
    add(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      // Sorting at twice the size keeps the cost of each post constant.
      if (ids.size === 2 * kept) ids = new Set([...ids].toSorted(byId).slice(0, kept));
      return true;
    },
  };
};

/** The position of a walk: what its items so far lead to. */
export interface WalkStart {
  /** The target of the first request. */
  readonly target: string;
  /** The number of items before. */
  readonly count: number;
  /** The time of the last post before, for timelines. */
  readonly lastCreatedAt?: string | undefined;
}

export interface WalkedPage {
  readonly items: readonly ListItem[];
  /** The target of the next page; undefined: the list has ended. */
  readonly next: string | undefined;
  readonly warnings: ListPage['warnings'];
}

export interface WalkOptions {
  /** The number of items after which the walk ends, with those before. */
  readonly limit: number;
  readonly oldestPosts: OldestPosts;
  requestPage(target: string): Promise<ListPage>;
}

const TIMELINE = versionedPath('listPosts').split('/');

/** @returns true for the posts of a profile, newest first */
const isTimeline = (target: string): boolean => matchesTemplate(TIMELINE, pathOf(target).split('/'));

export const createdAtOf = ({ value }: ListItem): string | undefined => {
  const createdAt = value['created_at'];
  return typeof createdAt === 'string' ? createdAt : undefined;
};

const secondAfter = (instant: string): string | undefined => {
  const second = Math.floor(Date.parse(instant) / 1000) + 1;
  return Number.isNaN(second) ? undefined : new Date(second * 1000).toISOString().replace('.000Z', 'Z');
};

/** `until` is exclusive. A post without a valid time counts as older. */
const isBefore = (item: ListItem, until: string | undefined): boolean =>
  until === undefined || !(Date.parse(createdAtOf(item) ?? '') >= Date.parse(until));

/** @returns the first page of the older part; undefined if no time is known */
const olderPart = (target: string, lastCreatedAt: string | undefined): string | undefined => {
  const until = lastCreatedAt === undefined ? undefined : secondAfter(lastCreatedAt);
  return until === undefined ? undefined : withQuery(target, { cursor: undefined, until });
};

/** @throws CommandError */
export async function* walkList(
  { target: first, count: before, lastCreatedAt: lastBefore }: WalkStart,
  { limit, oldestPosts, requestPage }: WalkOptions,
): AsyncGenerator<WalkedPage> {
  const canContinue = isTimeline(first);
  let count = before;
  let lastCreatedAt = lastBefore;
  // A walk that starts within a part has the items of the part before.
  let hasNew = count > 0 && parameterOf(first, 'cursor') !== undefined;
  const isNew = (item: ListItem, target: string): boolean =>
    isBefore(item, parameterOf(target, 'until')) && oldestPosts.add(String(item.value['id']));

  /** A cursor can expire: then a timeline continues at its last post. */
  const request = async (target: string): Promise<readonly [target: string, page: ListPage]> => {
    const page = (at: string): Promise<ListPage> =>
      requestPage(withQuery(at, { limit: Math.min(MAX_LIMIT, limit - count), format: 'ndjson' }));
    try {
      return [target, await page(target)];
    } catch (error) {
      const older = canContinue ? olderPart(target, lastCreatedAt) : undefined;
      if (!(error instanceof RequestError && error.code === 'invalid_cursor') || older === undefined) throw error;
      return [older, await page(older)];
    }
  };

  for (let target: string | undefined = first; target !== undefined && count < limit; ) {
    const [requested, page]: readonly [string, ListPage] = await request(target);
    const items = canContinue ? page.items.filter((item) => isNew(item, requested)) : page.items;
    const last = items.at(-1);
    count += items.length;
    hasNew ||= items.length > 0;
    lastCreatedAt = (last && createdAtOf(last)) ?? lastCreatedAt;
    if (page.nextCursor !== undefined) target = withQuery(requested, { cursor: page.nextCursor });
    else {
      target = canContinue && hasNew ? olderPart(requested, lastCreatedAt) : undefined;
      hasNew = false;
    }
    yield { items, next: target, warnings: page.warnings };
  }
}
