// Reads the accounts of a merged timeline until the posts of its page are known.
//
// A round requests one page of each account whose mark is before the last post of the page. It ends early if an account does
// not answer long after another one did; that call goes on, and its result is in the request cache for the next request.
import type { MergedTimelineInput } from '../../contract/list-inputs.ts';
import { definedMembers } from '../../model/json.ts';
import type { Post, TombstoneReason } from '../../model/post.ts';
import { snowflakeTime } from '../../model/snowflake.ts';
import type { Deadline } from '../../ports/system.ts';
import type { FailedOutcome, Outcome, Requester, UpstreamPage } from '../../ports/upstream.ts';
import { rejectedParameter } from '../outcome-problems.ts';
import { isEmptyPage, type ListUseCasePorts } from '../paging/list-pages.ts';
import { translatedLists } from '../paging/translated-lists.ts';
import {
  belongsToKind,
  isBefore,
  isContinuationOf,
  isPostOf,
  isRepostBy,
  isWithin,
  wantedThreads,
  wantsReposts,
} from '../profile-posts/read.ts';
import { requesterOfCall } from '../requester-of-call.ts';
import {
  type Account,
  byId,
  type Id,
  type Item,
  isBelow,
  isOpen,
  isUndecided,
  markOf,
  mayBePinned,
  type PageStart,
  unreadPosts,
  type WithheldOutcome,
} from './account-timeline.ts';
import { byPlace, firstOf, floorOf, type IsSeen, knownPosts, repostsOf } from './post-places.ts';

/** Pages of one request beside the first page of each account. */
const MAX_MORE_PAGES = 20;
/** Pages of X have about 20 posts. */
const PAGE_SIZE = 20;
/** An account that does not answer for this time after another one did is left to the next page. */
const SILENCE_MILLISECONDS = 2500;
/** In pages. X ends a timeline after about this number. */
const MAX_IDLE = 160;
/** The weight of a page without a new post, in pages: it is the end of a list if it repeats. */
const EMPTY_PAGE = 8;
/** More reposts without an own post below them are placed without it. */
const MAX_PENDING_REPOSTS = 60;

const MAX_ID: Id = 2n ** 63n;

/** Adds a page to an account. */
const addPage = (account: Account, start: PageStart, page: UpstreamPage<Post>, input: MergedTimelineInput): void => {
  const { handle, before, posts, pages } = account;
  const { kind, since } = input;
  const isOwn = isPostOf(handle);
  const isContinuation = isContinuationOf(handle);
  const isRepost = wantsReposts(input) ? isRepostBy(handle) : () => false;
  const isInPeriod = isWithin(account.period);
  const isFirst = start.cursor === undefined;
  const belongs = (post: Post): boolean =>
    isOwn(post) && isBelow(BigInt(post.id), before) && isInPeriod(post) && belongsToKind(kind, post, input.threads);
  const all = [...page.items];
  for (const { item, index } of page.withheld ?? []) all.splice(index, 0, item);
  const withheld = new Set(page.withheld?.map(({ item }) => item));
  const items = all.map((post): Item => {
    const repost = isRepost(post) && !withheld.has(post) ? post : undefined;
    return { id: BigInt(post.id), isOwn: isOwn(post), repost };
  });
  const seen = new Set(pages.flatMap((read) => read.items.map(({ id }) => id)));
  const hasNew = items.some(({ id }) => !seen.has(id));
  pages.push({ start, items });
  for (const post of page.items) {
    if (belongs(post)) posts.set(BigInt(post.id), post);
    else if (isContinuation(post)) account.continuations.push(post);
  }
  if (page.withheld?.some(({ item }) => belongs(item) || isRepost(item))) account.lacksWithheld = true;
  account.idle += hasNew ? 1 : EMPTY_PAGE;
  const reached = isUndecided(account) ? undefined : markOf(account);
  if (reached !== undefined && isBelow(reached, account.mark) && !mayBePinned(account)) account.idle = 0;
  account.mark = reached ?? before;
  const { next, provider } = page;
  const isEnd =
    next === undefined ||
    next === start.cursor ||
    account.idle >= MAX_IDLE ||
    (since !== undefined && isBefore(since, all.filter(isOwn), isFirst));
  if (isEnd) account.mark = 0n;
  account.isCut = page.isCut === true;
  account.isLoose = repostsOf(account).filter(({ isKnown }) => !isKnown).length > MAX_PENDING_REPOSTS;
  account.next = isEnd ? undefined : { cursor: next, provider };
};

/**
 * Charges one unit for each account that is not in the request cache: those of a round together, because their calls ask
 * for admission in the same turn.
 */
const createAdmission = (requester: Requester): (() => Requester) => {
  let count = 0;
  let batch: Promise<void> | undefined;
  const join = (): Promise<void> => {
    count += 1;
    batch ??= Promise.resolve().then(() => {
      const reads = count;
      count = 0;
      batch = undefined;
      return requester.admitReads?.(reads) ?? requester.admit();
    });
    return batch;
  };
  return () => requesterOfCall(requester, join);
};

/** Waits for all of the work, but not long after a part of it ended. Rejects with the first rejection. */
const withPatience = (work: readonly Promise<void>[]): Promise<void> =>
  new Promise((resolve, reject) => {
    let left = work.length;
    let timer: NodeJS.Timeout | undefined;
    for (const part of work) {
      part.then(() => {
        clearTimeout(timer);
        left -= 1;
        if (left === 0) resolve();
        else timer = setTimeout(resolve, SILENCE_MILLISECONDS);
      }, reject);
    }
  });

const SLOW: FailedOutcome = { kind: 'down', why: 'the account did not answer in time' };

interface Reading {
  readonly input: MergedTimelineInput;
  readonly ports: ListUseCasePorts;
  readonly deadline: Deadline;
  readonly isSeen: IsSeen;
}

interface Missing {
  readonly missing: TombstoneReason;
  readonly withheld?: WithheldOutcome;
}

const noteMissing = (account: Account, { missing, withheld }: Missing): void => {
  account.missing = missing;
  if (withheld !== undefined) account.withheld = withheld;
};

type Owner = Missing | { readonly failure: FailedOutcome } | 'public';

/** Providers return an empty list or an error for an account that cannot be read, so its profile says why. */
const readOwner = async (
  handle: string,
  { ports: { upstream }, deadline }: Reading,
  requester: Requester | undefined,
): Promise<Owner> => {
  const owner = await upstream.readProfile(handle, deadline, requester);
  if (owner.kind === 'found') return owner.value.protected ? { missing: 'protected' } : 'public';
  if (owner.kind === 'gone') return { missing: owner.reason };
  if (owner.kind === 'withheld') return { missing: 'withheld', withheld: owner };
  return owner.kind === 'absent' ? { missing: 'unknown' } : { failure: owner };
};

/** Reads a held post that its page does not have any more, and forgets one that is gone. */
const readHeldPost = async (
  account: Account,
  id: Id,
  { ports: { upstream }, deadline }: Reading,
  requester: Requester | undefined,
  isOver: () => boolean,
): Promise<void> => {
  const request = { id: String(id), handle: account.handle, thread: 'off', replies: 'off' } as const;
  const outcome = await upstream.readPost(request, deadline, requester);
  if (isOver()) return;
  const isGone = outcome.kind === 'gone' || outcome.kind === 'absent' || outcome.kind === 'withheld';
  if (outcome.kind === 'withheld') account.lacksWithheld = true;
  if (outcome.kind === 'found' && !('unavailable' in outcome.value.post)) account.posts.set(id, outcome.value.post);
  else if (outcome.kind === 'found' || isGone) account.held.delete(id);
  else {
    account.idle += EMPTY_PAGE;
    if (account.idle < MAX_IDLE) account.failure = outcome;
    else {
      // One post that nothing gives must not end the timeline.
      account.held.delete(id);
      account.isCut = true;
    }
  }
};

type FoundPage = Extract<Outcome<UpstreamPage<Post>>, { kind: 'found' }>;

/** The result of a call for one account. */
type PageRead = FoundPage | Missing | { readonly failure: FailedOutcome };

const timeOf = (before: Id): number => Number(snowflakeTime(String(before - 1n))) + 1;

const readAccountPage = async (
  { handle, before }: Account,
  start: PageStart,
  reading: Reading,
  requester: Requester | undefined,
): Promise<PageRead> => {
  const { input, ports, deadline } = reading;
  const { kind, since, until } = input;
  const { isRestart, ...page } = start;
  // A list until an instant can lack reposts, so their timeline is read again from its start.
  const isUntil = isRestart && before !== undefined && !wantsReposts(input);
  const end = isUntil ? Math.min(until ?? Number.POSITIVE_INFINITY, timeOf(before)) : until;
  const period = definedMembers({ since, until: end });
  const reposts = wantsReposts(input) ? ({ reposts: true } as const) : {};
  const request = { list: 'posts', handle, kind, ...period, ...reposts, ...wantedThreads(input) } as const;
  const outcome = await translatedLists(input, ports)(request, { ...page, size: PAGE_SIZE }, deadline, requester);
  const isFirst = page.cursor === undefined;
  if (outcome.kind === 'gone') return { missing: outcome.reason };
  if (outcome.kind === 'refused' && isFirst && until !== undefined && !isRestart)
    throw rejectedParameter.until(outcome.why);
  const isEmpty = outcome.kind === 'found' && isFirst && isEmptyPage(outcome.value);
  const isUnsure = outcome.kind === 'ambiguous' || outcome.kind === 'withheld';
  if (isEmpty || isUnsure || (outcome.kind !== 'found' && isFirst)) {
    const owner = await readOwner(handle, reading, requester);
    if (owner !== 'public') return owner;
  }
  return outcome.kind === 'found' ? outcome : { failure: outcome };
};

/** The accounts that can have a post of the page, those that are the furthest behind first. */
const openAccounts = (accounts: readonly Account[], limit: number, isSeen: IsSeen): readonly Account[] => {
  const known = firstOf(accounts.flatMap(knownPosts).sort(byPlace), isSeen)[limit - 1]?.id;
  return accounts
    .filter((account) => isOpen(account) && (known === undefined || isBelow(known, floorOf(account))))
    .sort((a, b) => byId({ id: a.mark ?? MAX_ID }, { id: b.mark ?? MAX_ID }));
};

/** Reads pages until the posts of the page are known. @returns the pages that were found */
export const readAccounts = async (
  accounts: readonly Account[],
  reading: Reading,
  requester: Requester | undefined,
): Promise<readonly FoundPage[]> => {
  const { input, ports, deadline } = reading;
  const admission = requester && createAdmission(requester);
  const requesters = new Map(accounts.map((account) => [account, admission?.()]));
  const found: FoundPage[] = [];
  let morePages = 0;

  const read = async (account: Account, start: PageStart, isOver: () => boolean): Promise<void> => {
    const page = await readAccountPage(account, start, reading, requesters.get(account));
    if (isOver()) return;
    if ('missing' in page) noteMissing(account, page);
    else if ('failure' in page) {
      // The provider does not know the cursor any more.
      const isForgotten = page.failure.kind === 'refused' && start.cursor !== undefined && account.before !== undefined;
      if (isForgotten) account.next = { isRestart: true };
      else account.failure = page.failure;
    } else {
      found.push(page);
      addPage(account, start, page.value, input);
    }
  };

  /** Reads the page of a held post once more. */
  const readHeld = async (account: Account, id: Id, isOver: () => boolean): Promise<void> => {
    const { held, posts } = account;
    const start = held.get(id);
    if (start === undefined) return readHeldPost(account, id, reading, requesters.get(account), isOver);
    const page = await readAccountPage(account, start, reading, requesters.get(account));
    if (isOver()) return;
    if ('missing' in page) return noteMissing(account, page);
    if ('failure' in page) {
      // The provider does not know the cursor any more: its posts are read alone.
      if (page.failure.kind === 'refused') for (const [each, at] of held) if (at === start) held.set(each, undefined);
      if (page.failure.kind !== 'refused') account.failure = page.failure;
      return;
    }
    found.push(page);
    const again = new Map(page.value.items.filter(isPostOf(account.handle)).map((post) => [BigInt(post.id), post]));
    for (const [each, at] of held) {
      const post = again.get(each);
      if (post !== undefined) posts.set(each, post);
      else if (at === start) held.set(each, undefined);
    }
  };

  while (ports.clock() < deadline) {
    const open = openAccounts(accounts, input.limit, reading.isSeen);
    const round = open.filter(({ mark, pages }, index) => {
      // With a position, the accounts that are the furthest behind have the next posts.
      if (pages.length === 0) return mark === undefined || index < input.limit;
      morePages += 1;
      return morePages <= MAX_MORE_PAGES;
    });
    if (round.length === 0) break;
    let isOver = false;
    const answered = new Set<Account>();
    await withPatience(
      round.map(async (account) => {
        const { next } = account;
        const [held] = unreadPosts(account);
        if (held !== undefined) await readHeld(account, held, () => isOver);
        else if (next !== undefined) await read(account, next, () => isOver);
        answered.add(account);
      }),
    );
    isOver = true;
    for (const account of round) if (!answered.has(account)) account.failure = SLOW;
  }
  return found;
};
