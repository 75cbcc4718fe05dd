// Follows the cursors of a list from any of its pages to its end.
//
// The timelines of X end after about 3,200 posts. If a timeline ends, the walk continues with the posts until the second of
// its last post, for which the service searches. Posts of that second appear again and are left out. The walk ends when
// this adds no post.
//
// That search finds the last post again, so if it finds none, X failed. The same holds for a page that the service says ends
// early. The page is requested again, some seconds apart; if it stays so, the walk ends, and the list is not complete.

import { versionedPath } from '../../../shared/contract/operations.ts';
import { MAX_LIMIT } from '../../../shared/contract/parameters.ts';
import { matchesTemplate } from '../../../shared/contract/paths.ts';
import type { WarningCode } from '../../../shared/contract/warnings.ts';
import { definedMembers } from '../../../shared/model/json.ts';
import { mustHaveItems } from '../../../shared/model/lists.ts';
import { parameterOf, pathOf, withQuery } from '../list-target.ts';
import { type ListItem, type ListPage, RequestError } from '../request.ts';

const KEPT = 1000;

const INCOMPLETE: WarningCode = 'timeline_incomplete';

/** In seconds. A shared cache keeps an incomplete page for less than these together. */
const WAITS_FOR_SOURCE = [5, 15, 45];

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

export interface WalkedPage extends Pick<ListPage, 'warnings' | 'about'> {
  readonly items: readonly ListItem[];
  /** The target of the next page; undefined: the list has ended. */
  readonly next: string | undefined;
  /** The list goes on, but the source does not show it. `next` is where to ask for it later. @default false */
  readonly isCut?: boolean;
}

export interface WalkOptions {
  /** The number of items after which the walk ends, with those before. */
  readonly limit: number;
  readonly oldestPosts: OldestPosts;
  requestPage(target: string): Promise<ListPage>;
  /** Waits before a page is requested again that the source did not show. */
  waitForSource(seconds: number): Promise<void>;
}

const TIMELINE = versionedPath('listPosts').split('/');

/** @returns true for the posts of a profile, newest first */
const isTimeline = (target: string): boolean => matchesTemplate(TIMELINE, pathOf(target).split('/'));

export const createdAtOf = ({ value }: ListItem): string | undefined => {
  const createdAt = value['created_at'];
  return typeof createdAt === 'string' ? createdAt : undefined;
};

/** @param attempt another spelling of the same second, because caches keep answers by their URL. @default 0 */
const secondAfter = (instant: string, attempt = 0): string | undefined => {
  const second = Math.floor(Date.parse(instant) / 1000) + 1;
  return Number.isNaN(second) ? undefined : new Date(second * 1000 - attempt).toISOString().replace('.000Z', 'Z');
};

/** `until` is exclusive. A post without a valid time counts as older. */
const timeOf = (instant: string | undefined): number | undefined => {
  const time = Date.parse(instant ?? '');
  return Number.isNaN(time) ? undefined : time;
};

const isBefore = (item: ListItem, until: string | undefined): boolean =>
  until === undefined || !(Date.parse(createdAtOf(item) ?? '') >= Date.parse(until));

/** @returns the first page of the older part; undefined if no time is known */
const olderPart = (target: string, lastCreatedAt: string | undefined, attempt?: number): string | undefined => {
  const until = lastCreatedAt === undefined ? undefined : secondAfter(lastCreatedAt, attempt);
  return until === undefined ? undefined : withQuery(target, { cursor: undefined, until });
};

/** @throws CommandError */
export async function* walkList(
  { target: first, count: before, lastCreatedAt: lastBefore }: WalkStart,
  { limit, oldestPosts, requestPage, waitForSource }: WalkOptions,
): AsyncGenerator<WalkedPage> {
  const canContinue = isTimeline(first);
  let count = before;
  let lastCreatedAt = lastBefore;
  // A walk that starts within a part has the items of the part before.
  let hasNew = count > 0 && parameterOf(first, 'cursor') !== undefined;
  // The part of the list that is read has shown an item, old or new.
  let hasItems = parameterOf(first, 'cursor') !== undefined;
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
      if (!(error instanceof RequestError && error.failed.code === 'invalid_cursor') || older === undefined)
        throw error;
      return [older, await page(older)];
    }
  };

  /** The part that ends with the page has nothing, although the source has more. */
  const hasFailed = (requested: string, { warnings }: ListPage): boolean => {
    if (warnings.some(({ code }) => code === INCOMPLETE)) return !(canContinue && hasNew);
    const period = { since: timeOf(parameterOf(requested, 'since')), until: timeOf(parameterOf(requested, 'until')) };
    return canContinue && !hasItems && mustHaveItems(definedMembers(period), timeOf(lastCreatedAt));
  };

  let attempt = 0;
  for (let target: string | undefined = first; target !== undefined && count < limit; ) {
    const [requested, page]: readonly [string, ListPage] = await request(target);
    // An older part takes the place of a cursor that has expired.
    if (requested !== target) hasItems = false;
    const items: readonly ListItem[] = canContinue ? page.items.filter((item) => isNew(item, requested)) : page.items;
    const last = items.at(-1);
    hasItems ||= page.items.length > 0;
    hasNew ||= items.length > 0;
    lastCreatedAt = (last && createdAtOf(last)) ?? lastCreatedAt;
    const { nextCursor, warnings, about } = page;
    const isFailed: boolean = nextCursor === undefined && hasFailed(requested, page);
    const wait = isFailed ? WAITS_FOR_SOURCE[attempt] : undefined;
    if (wait !== undefined) {
      attempt += 1;
      await waitForSource(wait);
      target = (canContinue ? olderPart(requested, lastCreatedAt, attempt) : undefined) ?? requested;
      continue;
    }
    count += items.length;
    const isIncomplete = warnings.some(({ code }) => code === INCOMPLETE);
    const older: string | undefined =
      canContinue && (hasNew || isIncomplete || isFailed) ? olderPart(requested, lastCreatedAt) : undefined;
    target = nextCursor === undefined ? older : withQuery(requested, { cursor: nextCursor });
    yield { items, next: target, warnings, about, isCut: isFailed };
    if (isFailed) return;
    attempt = 0;
    if (nextCursor === undefined) {
      hasNew = false;
      hasItems = false;
    }
  }
}
