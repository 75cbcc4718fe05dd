// Reads the posts of a profile before an instant by searches for periods of days.
//
// A timeline only goes from now backwards, and X ends it after about 3,200 posts. A search for `from:handle` reaches every
// public post that X's search has, and `since:` and `until:` bound it by days in UTC. But X ends a search after some
// hundred results, although older posts exist. So a list of posts before an instant is read in windows:
//
// - The first window ends with the day of the instant. The caller filters by the exact time.
// - The pages of a window end with a page that has nothing new and nothing older than the pages before, such as the page
//   of a cursor that leads back. shown-posts.ts remembers what all windows have shown.
// - When the pages of a window end, the next window ends with the day of the oldest post that was seen. It overlaps the
//   last day, because a window can end within a day. If that is the same window again, the next window ends one day
//   earlier.
// - The list ends after a window without posts, or at the day of `since`. But a window that overlaps a day with a post that
//   was shown is never empty: then X failed, and it is asked again (read-timeline.ts).
//
// Each window ends before the one before it, so the windows of a list end.
import { DAY_MILLISECONDS } from '../../model/instant-text.ts';
import { mustHaveItems, type Period } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import { byAge, timeInId } from '../../model/snowflake.ts';
import { addShown, formatShown, parseShown, SHOWN_POSTS, type ShownPosts } from './shown-posts.ts';

/** The day of the first post on X, in days since the epoch. */
const FIRST_DAY = Date.parse('2006-03-21') / DAY_MILLISECONDS;

/** The position in the list. Days are in UTC, in days since the epoch. */
export interface SearchWindow {
  /** Exclusive. */
  readonly end: number;
  /** The day of the oldest post that the window has shown; undefined: none yet. */
  readonly oldest?: number | undefined;
  /** Id of the oldest post in the pages of the window; undefined: none yet. */
  readonly last?: string | undefined;
  /** The posts that all windows have shown. */
  readonly shown: ShownPosts;
  /** The cursor of FxTwitter within the window; undefined: its first page. */
  readonly token?: string | undefined;
}

const formatDay = (day: number): string => new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10);

const parseDay = (text: string): number | undefined => {
  const day = Date.parse(text) / DAY_MILLISECONDS;
  return Number.isInteger(day) && formatDay(day) === text ? day : undefined;
};

export const firstWindow = (until: number): SearchWindow => ({
  end: Math.max(Math.ceil(until / DAY_MILLISECONDS), FIRST_DAY + 1),
  shown: [],
});

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const CURSOR = new RegExp(`^(${DAY})/(${DAY})?(?:~([0-9]*)~(${SHOWN_POSTS}))?/(.*)$`, 's');

/** Such as `2026-09-16/2026-09-03~1234~.1234.1235/SCROLL`. A cursor of X does not start with a date. */
export const formatWindow = ({ end, oldest, last = '', shown, token = '' }: SearchWindow): string => {
  const ids = last === '' && shown.length === 0 ? '' : `~${last}~${formatShown(shown)}`;
  return `${formatDay(end)}/${oldest === undefined ? '' : formatDay(oldest)}${ids}/${token}`;
};

/** @returns undefined: the cursor belongs to a timeline; `invalid`: it has days that do not exist */
export const parseWindow = (cursor: string): SearchWindow | 'invalid' | undefined => {
  const [match, endText = '', oldestText, last = '', shown = '', token = ''] = CURSOR.exec(cursor) ?? [];
  if (match === undefined) return undefined;
  const end = parseDay(endText);
  const oldest = oldestText === undefined ? undefined : parseDay(oldestText);
  if (end === undefined || end <= FIRST_DAY || (oldestText !== undefined && oldest === undefined)) return 'invalid';
  return { end, oldest, ...(last !== '' && { last }), shown: parseShown(shown), ...(token !== '' && { token }) };
};

const sinceDay = ({ since }: Period): number | undefined =>
  since === undefined ? undefined : Math.max(Math.floor(since / DAY_MILLISECONDS), FIRST_DAY);

/** @returns the operators that bound a search to a window */
export const windowOperators = ({ end }: SearchWindow, period: Period): string => {
  const start = sinceDay(period);
  return `${start === undefined ? '' : `since:${formatDay(start)} `}until:${formatDay(end)}`;
};

/** @returns true if the window ends without a post although it has one that was shown */
export const lacksShownPost = (
  { end, last, shown: [oldest] }: SearchWindow,
  posts: readonly Post[],
  period: Period,
): boolean => {
  if (posts.length > 0 || last !== undefined || oldest === undefined) return false;
  const start = sinceDay(period);
  const bounds = { until: end * DAY_MILLISECONDS, ...(start !== undefined && { since: start * DAY_MILLISECONDS }) };
  return mustHaveItems(bounds, timeInId(oldest));
};

/** Days outside of the window do not count. */
const oldestDay = (posts: readonly Post[], { end, oldest: before }: SearchWindow): number | undefined => {
  let oldest = before;
  for (const { created_at: at } of posts) {
    const day = at === undefined ? Number.NaN : Math.floor(Date.parse(at) / DAY_MILLISECONDS);
    if (day >= FIRST_DAY && day < end && (oldest === undefined || day < oldest)) oldest = day;
  }
  return oldest;
};

/**
 * @param posts of a page of the window
 * @param fresh those of them that were not shown before
 * @param next the cursor of FxTwitter after the page
 * @returns the position after the page; undefined: the end of the list
 */
export const windowAfter = (
  window: SearchWindow,
  posts: readonly Post[],
  fresh: readonly Post[],
  next: string | undefined,
  period: Period,
): SearchWindow | undefined => {
  const { end, token } = window;
  const oldest = oldestDay(posts, window);
  const before = window.last === undefined ? [] : [{ id: window.last }];
  const [last] = [...before, ...posts].sort(byAge);
  const shown = addShown(window.shown, fresh);
  // X has a cursor after the last page too. Only an empty first page may have more pages behind it.
  const isProgress = posts.length === 0 ? token === undefined : fresh.length > 0 || last?.id !== window.last;
  if (next !== undefined && next !== token && isProgress) return { end, oldest, last: last?.id, shown, token: next };
  if (oldest === undefined) return undefined;
  const nextEnd = Math.min(oldest + 1, end - 1);
  return nextEnd > (sinceDay(period) ?? FIRST_DAY) ? { end: nextEnd, shown } : undefined;
};
