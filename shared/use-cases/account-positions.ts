// The positions of the accounts after a page of a merged timeline, for its cursor.
//
// A position is the id below which no post was shown, and the page with the youngest of these posts. So posts that arrive later
// change nothing. It names the last repost that was passed.
import { MAX_CURSOR_CHARACTERS } from '../contract/parameters.ts';
import { definedMembers } from '../model/json.ts';
import type { AccountPosition } from '../model/lists.ts';
import { type Account, isBelow, isUndecided, markOf } from './account-timeline.ts';
import { type Known, repostsOf } from './post-places.ts';

/** The rest of a cursor takes up to 20 accounts with 40 bytes each. Base64url writes 3 bytes as 4 characters. */
const MAX_PAGE_CURSORS_BYTES = (MAX_CURSOR_CHARACTERS * 3) / 4 - 1000;
/** The posts that are remembered with reposts, because they can come again. Each takes 4 bytes of the cursor. */
export const MAX_REMEMBERED_POSTS = 330;
const REMEMBERED_BYTES = MAX_REMEMBERED_POSTS * 4 + 20 * 14;

/** @param passed the posts that were shown, or left out because they were shown before */
export const positionAfter = (
  account: Account,
  passed: ReadonlySet<Known>,
  known: readonly Known[],
): AccountPosition => {
  const { missing, mark, pages, next, position, isLoose } = account;
  if (missing !== undefined) return { missing };
  if (pages.length === 0) return position ?? { idle: account.idle };
  const isAnchored = ({ id, page }: Known): boolean => page === undefined || !isLoose || !isBelow(id, mark);
  const left = known.find((each) => !passed.has(each) && isAnchored(each));
  const before = left === undefined ? mark : left.id + 1n;
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
  const start = pages[Math.min(...found)]?.start ?? next ?? pages.at(-1)?.start;
  return { ...definedMembers({ before: before?.toString(), after }), ...start, idle };
};

const cursorBytes = (position: AccountPosition): number =>
  typeof position === 'object' && 'cursor' in position ? Buffer.byteLength(JSON.stringify(position.cursor)) : 0;

/**
 * Drops the longest cursors until the others fit. Their lists go on with the posts before an instant.
 *
 * @param remembersPosts the cursor also has the latest posts
 */
export const withinCursor = (
  positions: readonly AccountPosition[],
  remembersPosts: boolean,
): readonly AccountPosition[] => {
  const maxBytes = MAX_PAGE_CURSORS_BYTES - (remembersPosts ? REMEMBERED_BYTES : 0);
  const byLength = [...positions].sort((a, b) => cursorBytes(a) - cursorBytes(b));
  let bytes = 0;
  const kept = new Set(
    byLength.filter((position) => {
      bytes += cursorBytes(position);
      return bytes <= maxBytes;
    }),
  );
  return positions.map((position) => {
    if (kept.has(position) || typeof position !== 'object' || 'missing' in position) return position;
    const { before, after, idle } = position;
    return { ...definedMembers({ before, after }), isRestart: true, idle };
  });
};
