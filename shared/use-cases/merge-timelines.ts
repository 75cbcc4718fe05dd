// Merges the timelines of several accounts, newest first.
//
// Each account has a mark: every post of it with this id or a larger one is known. A page of X is newest first but for a
// pinned post, old parts of a thread, which stand before a younger post, and reposts, which have the id of an older post of
// another account. So the mark is the oldest own post that no younger post follows. A post is shown if the marks of all
// accounts are as far: nothing younger can follow. Posts that stand before their place come again at it.
//
// A round requests one page of each account whose mark is before the last post of the page. It ends early if an account does
// not answer long after another one did; that call goes on, and its result is in the request cache for the next request.
//
// The position of an account is the id below which no post was shown, and the page with the youngest of these posts. So posts
// that arrive later change nothing, and an account that failed goes on from its own position: its posts come on a later page.
import type { TimelineInput } from '../contract/list-inputs.ts';
import { MAX_CURSOR_CHARACTERS } from '../contract/parameters.ts';
import { problem } from '../contract/problems.ts';
import { distinctWarnings, warning } from '../contract/warnings.ts';
import { isArticlePreview } from '../model/conversation.ts';
import type { AccountPosition } from '../model/lists.ts';
import type { Post, TombstoneReason } from '../model/post.ts';
import type { MergedTimeline, MissingAccount } from '../model/resources.ts';
import { snowflakeTime } from '../model/snowflake.ts';
import type { FailedOutcome, Outcome, Requester, UpstreamPage, UseCaseResult } from '../ports/upstream.ts';
import { isEmptyPage, type ListUseCasePorts } from './list-pages.ts';
import {
  goneProblem,
  PROFILE_PROBLEMS,
  problemFromOutcome,
  rejectedParameter,
  USE_CASE_MILLISECONDS,
} from './outcome-problems.ts';
import { belongsToKind, isBefore, isPostOf, isWithin } from './read-timeline.ts';

/** Pages of one request beside the first page of each account. */
const MAX_MORE_PAGES = 20;
/** Pages of X have about 20 posts. */
const PAGE_SIZE = 20;
/** An account that does not answer for this time after another one did is left to the next page. */
const SILENCE_MILLISECONDS = 2500;
/** X ends a timeline after about this number of pages. */
const MAX_IDLE = 160;
/** The weight of a page without a new post, which is the end of a list if it repeats. */
const EMPTY_PAGE = 8;
/** Pages after which the only own post of an account is taken for the pinned one. */
const MAX_UNDECIDED = 8;
/** The rest of a cursor takes up to 20 accounts with 40 bytes each. Base64url writes 3 bytes as 4 characters. */
const MAX_PAGE_CURSORS_BYTES = (MAX_CURSOR_CHARACTERS * 3) / 4 - 1000;

type Id = bigint;
type WithheldOutcome = Extract<FailedOutcome, { kind: 'withheld' }>;

const MAX_ID: Id = 2n ** 63n;

interface PageStart {
  readonly cursor?: string;
  readonly provider?: string;
  readonly isRestart?: true;
}

interface Item {
  readonly id: Id;
  readonly isOwn: boolean;
}

interface ReadPage {
  readonly start: PageStart;
  readonly items: readonly Item[];
}

interface Account {
  readonly handle: string;
  readonly position: AccountPosition | undefined;
  /** Posts with this or a larger id were returned by an earlier page; undefined: none. */
  readonly before: Id | undefined;
  /** Every post with this or a larger id is known; undefined: none is. */
  mark: Id | undefined;
  /** The next page; undefined: the list has ended. */
  next: PageStart | undefined;
  /** The pages that were read, in order. */
  readonly pages: ReadPage[];
  readonly posts: Map<Id, Post>;
  idle: number;
  missing?: TombstoneReason;
  /** The account is missing because the operator withholds it. */
  withheld?: WithheldOutcome;
  failure?: FailedOutcome;
  /** The operator withholds a post of the timeline. */
  lacksWithheld?: true;
}

const accountAt = (handle: string, position: AccountPosition | undefined): Account => {
  const active = typeof position === 'object' && !('missing' in position) ? position : undefined;
  const before = active?.before === undefined ? undefined : BigInt(active.before);
  const start: PageStart = {
    ...(active?.cursor !== undefined && { cursor: active.cursor }),
    ...(active?.provider !== undefined && { provider: active.provider }),
    ...(active?.isRestart && { isRestart: true }),
  };
  return {
    handle,
    position,
    before,
    mark: position === 'ended' ? 0n : before,
    next: position === 'ended' ? undefined : start,
    pages: [],
    posts: new Map(),
    idle: active?.idle ?? 0,
    ...(typeof position === 'object' && 'missing' in position && { missing: position.missing }),
  };
};

const isOpen = ({ missing, failure, next }: Account): boolean =>
  missing === undefined && failure === undefined && next !== undefined;

/** Not known sorts before every id: the account was not read. */
const isBelow = (a: Id, b: Id | undefined): boolean => b === undefined || a < b;

const byId = (a: { readonly id: Id }, b: { readonly id: Id }): number => (a.id < b.id ? 1 : -1);

interface Known {
  readonly id: Id;
  readonly post: Post;
}

/** @returns the posts of the account that are at their places and were not returned yet, newest first */
const knownPosts = ({ posts, mark, missing }: Account): readonly Known[] =>
  mark === undefined || missing !== undefined
    ? []
    : [...posts].flatMap(([id, post]) => (id >= mark ? [{ id, post }] : [])).sort(byId);

/** @returns the posts that no unknown post precedes, newest first */
const readyPosts = (accounts: readonly Account[]): readonly Known[] => {
  const open = accounts.filter(isOpen);
  if (open.some(({ mark }) => mark === undefined)) return [];
  const floor = open.reduce((most, { mark = 0n }) => (mark > most ? mark : most), 0n);
  return accounts
    .flatMap(knownPosts)
    .filter(({ id }) => id >= floor)
    .sort(byId);
};

/** The own post at the start of a timeline: it can be the pinned one, which is older than the others. */
const firstOwnPost = ({ pages: [first] }: Account): Item | undefined => {
  const [item] = first?.start.cursor === undefined ? (first?.items ?? []) : [];
  return item?.isOwn ? item : undefined;
};

const ownItems = ({ pages }: Account): readonly Item[] =>
  pages.flatMap(({ items }) => items.filter(({ isOwn }) => isOwn));

/** Without another own post, nothing says whether the first one is pinned. */
const mayBePinned = (account: Account): boolean =>
  firstOwnPost(account) !== undefined && ownItems(account).length === 1;

/** @returns for each page the posts that no younger post of the page follows, each in the first page that has it so */
const placedPosts = (account: Account): readonly (readonly Item[])[] => {
  const { pages, before } = account;
  const seen = new Set<Id>();
  const first = firstOwnPost(account);
  const pinned = first && ownItems(account).some(({ id }) => id > first.id) ? first : undefined;
  return pages.map(({ items }) => {
    let youngest = 0n;
    const placed = items.toReversed().filter(({ id }) => {
      const isPlaced = id > youngest;
      if (isPlaced) youngest = id;
      return isPlaced;
    });
    // Pages can overlap or repeat, so a post that was at its place before says nothing about others.
    return placed.filter(
      (item) => item !== pinned && isBelow(item.id, before) && !seen.has(item.id) && seen.add(item.id),
    );
  });
};

/** @returns the mark after the first `count` pages, as all of them show it; undefined: they have no own post at its place */
const markOf = (account: Account, count = account.pages.length): Id | undefined => {
  let mark: Id | undefined;
  let youngest = 0n;
  for (const [index, placed] of [...placedPosts(account).entries()].reverse()) {
    const own = placed.filter(({ id, isOwn }) => isOwn && index < count && id > youngest);
    for (const { id } of own) if (isBelow(id, mark)) mark = id;
    for (const { id } of placed) if (id > youngest) youngest = id;
  }
  return mark;
};

/** Adds a page to an account. */
const addPage = (
  account: Account,
  start: PageStart,
  page: UpstreamPage<Post>,
  { kind, since, until }: TimelineInput,
): void => {
  const { handle, before, posts, pages } = account;
  const isOwn = isPostOf(handle);
  const isInPeriod = isWithin({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) });
  const isFirst = start.cursor === undefined;
  const belongs = (post: Post): boolean =>
    isOwn(post) && isBelow(BigInt(post.id), before) && isInPeriod(post) && belongsToKind(kind, post);
  const all = [...page.items];
  for (const { item, index } of page.withheld ?? []) all.splice(index, 0, item);
  const items = all.map((post): Item => ({ id: BigInt(post.id), isOwn: isOwn(post) }));
  const seen = new Set(pages.flatMap((read) => read.items.map(({ id }) => id)));
  const hasNew = items.some(({ id }) => !seen.has(id));
  pages.push({ start, items });
  for (const post of page.items.filter(belongs)) posts.set(BigInt(post.id), post);
  if (page.withheld?.some(({ item }) => belongs(item))) account.lacksWithheld = true;
  const reached = mayBePinned(account) ? undefined : markOf(account);
  const isOlder = reached !== undefined && isBelow(reached, account.mark);
  account.mark = reached ?? before;
  account.idle = isOlder ? 0 : account.idle + (hasNew ? 1 : EMPTY_PAGE);
  const { next, provider } = page;
  const isEnd =
    next === undefined ||
    next === start.cursor ||
    account.idle >= MAX_IDLE ||
    (since !== undefined && isBefore(since, all.filter(isOwn), isFirst));
  if (isEnd) account.mark = 0n;
  account.next = isEnd ? undefined : { cursor: next, provider };
};

/** @returns the position after the posts that were shown */
const positionAfter = (account: Account, shown: ReadonlySet<Id>): AccountPosition => {
  const { missing, mark, pages, next, position, idle } = account;
  if (missing !== undefined) return { missing };
  if (pages.length === 0) return position ?? { idle };
  const left = knownPosts(account).find(({ id }) => !shown.has(id));
  const before = left === undefined ? mark : left.id + 1n;
  if (before === 0n) return 'ended';
  const isUndecided = mayBePinned(account) && idle <= MAX_UNDECIDED;
  const page = pages.find((_, index) => {
    const known = markOf(account, index + 1);
    return isUndecided || (known !== undefined && before !== undefined && known < before);
  });
  const start = page?.start ?? next ?? pages.at(-1)?.start;
  return { ...(before !== undefined && { before: String(before) }), ...start, idle };
};

const cursorBytes = (position: AccountPosition): number =>
  typeof position === 'object' && 'cursor' in position ? Buffer.byteLength(JSON.stringify(position.cursor)) : 0;

/** Drops the longest cursors until the others fit. Their lists go on with the posts before an instant. */
const withinSize = (positions: readonly AccountPosition[]): readonly AccountPosition[] => {
  const byLength = [...positions].sort((a, b) => cursorBytes(a) - cursorBytes(b));
  let bytes = 0;
  const kept = new Set(
    byLength.filter((position) => {
      bytes += cursorBytes(position);
      return bytes <= MAX_PAGE_CURSORS_BYTES;
    }),
  );
  return positions.map((position) => {
    if (kept.has(position) || typeof position !== 'object' || 'missing' in position) return position;
    const { before, idle } = position;
    return { ...(before !== undefined && { before }), isRestart: true, idle };
  });
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
  return () => {
    let admitted: Promise<void> | undefined;
    return {
      ...requester,
      admit: () => {
        admitted ??= join();
        return admitted;
      },
    };
  };
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
  readonly input: TimelineInput;
  readonly ports: ListUseCasePorts;
  readonly deadline: number;
}

interface Missing {
  readonly missing: TombstoneReason;
  readonly withheld?: WithheldOutcome;
}

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

type FoundPage = Extract<Outcome<UpstreamPage<Post>>, { kind: 'found' }>;

/** The result of a call for one account. */
type PageRead = FoundPage | Missing | { readonly failure: FailedOutcome };

const timeOf = (before: Id): number => Number(snowflakeTime(String(before - 1n))) + 1;

const readPage = async (
  { handle, before }: Account,
  start: PageStart,
  reading: Reading,
  requester: Requester | undefined,
): Promise<PageRead> => {
  const { input, ports, deadline } = reading;
  const { kind, since, until } = input;
  const { isRestart, ...page } = start;
  const end = isRestart && before !== undefined ? Math.min(until ?? Number.POSITIVE_INFINITY, timeOf(before)) : until;
  const request = {
    list: 'posts',
    handle,
    kind,
    ...(since !== undefined && { since }),
    ...(end !== undefined && { until: end }),
  } as const;
  const outcome = await ports.upstream.listPosts(request, { ...page, size: PAGE_SIZE }, deadline, requester);
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
const openAccounts = (accounts: readonly Account[], limit: number): readonly Account[] => {
  const known = accounts.flatMap(knownPosts).sort(byId)[limit - 1]?.id;
  return accounts
    .filter((account) => isOpen(account) && (known === undefined || isBelow(known, account.mark)))
    .sort((a, b) => byId({ id: a.mark ?? MAX_ID }, { id: b.mark ?? MAX_ID }));
};

/** Reads pages until the posts of the page are known. @returns the pages that were found */
const readAccounts = async (
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
    const page = await readPage(account, start, reading, requesters.get(account));
    if (isOver()) return;
    if ('missing' in page) Object.assign(account, page);
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

  while (ports.clock() < deadline) {
    const open = openAccounts(accounts, input.limit);
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
        if (next !== undefined) await read(account, next, () => isOver);
        answered.add(account);
      }),
    );
    isOver = true;
    for (const account of round) if (!answered.has(account)) account.failure = SLOW;
  }
  return found;
};

const missingOf = (accounts: readonly Account[]): MissingAccount[] =>
  accounts.flatMap(({ handle, missing, failure }): MissingAccount[] => {
    if (missing !== undefined) return [{ handle, reason: missing }];
    return failure === undefined ? [] : [{ handle, reason: 'failed' }];
  });

/** @throws Problem if no account could be read */
const requireAccounts = (accounts: readonly Account[]): void => {
  if (
    accounts.some(({ missing, failure, pages }) => missing === undefined && (failure === undefined || pages.length > 0))
  )
    return;
  const failure = accounts.find((account) => account.failure !== undefined)?.failure;
  if (failure !== undefined) throw problemFromOutcome(failure, PROFILE_PROBLEMS);
  const withheld = accounts.find((account) => account.withheld !== undefined)?.withheld;
  if (withheld !== undefined) throw problemFromOutcome(withheld, PROFILE_PROBLEMS);
  const reasons = accounts.flatMap(({ missing }) => missing ?? []);
  const reason = reasons.find((each) => each !== 'protected') ?? 'protected';
  if (reasons.every((each) => each === reason)) throw goneProblem(PROFILE_PROBLEMS, reason);
  throw problem('profile_not_found', { detail: 'None of the accounts exists and is public.' });
};

/**
 * Reads the posts of several accounts, newest first by id, each once.
 *
 * @throws Problem `profile_not_found`, `profile_protected` or, if one of them is withheld, `withheld_by_operator` if no account
 *   can be read; `upstream_failed` or `upstream_unavailable` if none was read and one failed; `invalid_cursor`, `rate_limited`
 */
export const mergeTimelines = async (
  input: TimelineInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<MergedTimeline>> => {
  const { handles, kind, limit, list, position } = input;
  const { clock, wall = { now: clock }, cursors } = ports;
  const accounts = handles.map((handle, index) => accountAt(handle, position?.accounts?.[index]));
  const found = await readAccounts(accounts, { input, ports, deadline: clock() + USE_CASE_MILLISECONDS }, requester);
  requireAccounts(accounts);
  const ready = readyPosts(accounts);
  const missing = missingOf(accounts);

  const resultOf = (count: number): UseCaseResult<MergedTimeline> => {
    const shown = ready.slice(0, count);
    const ids = new Set(shown.map(({ id }) => id));
    const positions = accounts.map((account) => positionAfter(account, ids));
    const goesOn = (index: number): boolean => {
      const at = positions[index];
      return typeof at === 'object' && !('missing' in at);
    };
    const isShort =
      shown.length < limit && accounts.some(({ failure }, index) => failure === undefined && goesOn(index));
    const next = { provider: '', size: limit, isPartial: false, emptyPages: 0, recentFingerprints: [] };
    const posts = shown.map(({ post }) => post);
    return {
      value: {
        handles: [...handles],
        kind,
        missing,
        posts,
        ...(positions.some((_, index) => goesOn(index)) && {
          next_cursor: cursors.encode(list, { ...next, accounts: withinSize(positions) }),
        }),
      },
      source: [...new Set(found.map(({ source }) => source))].join(', ') || NO_SOURCE,
      fetchedAt: Math.min(wall.now(), ...found.map(({ fetchedAt }) => fetchedAt)),
      warnings: distinctWarnings([
        ...found.flatMap(({ warnings }) => warnings),
        ...(missing.some(({ reason }) => reason === 'failed') ? [warning('timeline_incomplete')] : []),
        ...(isShort ? [warning('partial_page')] : []),
        ...(accounts.some(({ lacksWithheld }) => lacksWithheld) ? [warning('withheld')] : []),
        ...(posts.some(isArticlePreview) ? [warning('article_previews')] : []),
      ]),
      parts: { count: shown.length, minimum: 1, keep: resultOf },
    };
  };
  return resultOf(limit);
};

/** The source if no provider was asked. */
const NO_SOURCE = 'none';
