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
//
// X gives a repost no time. Its place is above the next older own post of the account, at the id of that post or, if it is
// larger, at that of the original of the repost or of a repost between them. So a repost is placed once that own post is known.
// After many reposts without an own post, those that were read are placed by their originals, and no longer hold up others.
// The position names the last repost that was passed. A post that comes again at an older place is recognized by the
// fingerprints of the latest posts.
import type { TimelineInput } from '../contract/list-inputs.ts';
import { MAX_CURSOR_CHARACTERS } from '../contract/parameters.ts';
import { problem } from '../contract/problems.ts';
import { distinctWarnings, warning } from '../contract/warnings.ts';
import { isArticlePreview } from '../model/conversation.ts';
import { definedMembers } from '../model/json.ts';
import type { AccountPosition, Period } from '../model/lists.ts';
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
import {
  belongsToKind,
  isBefore,
  isPostOf,
  isRepostBy,
  isWithin,
  wantedThreads,
  wantsReposts,
} from './read-timeline.ts';
import { fingerprint } from './recent-items.ts';

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
/** Pages after which the only own post of an account is not taken for the pinned one. */
const MAX_UNDECIDED = 8;
/** The rest of a cursor takes up to 20 accounts with 40 bytes each. Base64url writes 3 bytes as 4 characters. */
const MAX_PAGE_CURSORS_BYTES = (MAX_CURSOR_CHARACTERS * 3) / 4 - 1000;
/** More reposts without an own post below them are placed without it. */
const MAX_PENDING_REPOSTS = 60;
/** The posts that are remembered with reposts, because they can come again. Each takes 4 bytes of the cursor. */
export const MAX_REMEMBERED_POSTS = 330;
const REMEMBERED_BYTES = MAX_REMEMBERED_POSTS * 4 + 20 * 14;

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
  /** The repost, if reposts belong to the timeline. */
  readonly repost?: Post | undefined;
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
  /** The id of the last repost that was passed. */
  readonly after: string | undefined;
  readonly period: Period;
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
  /** Its reposts are placed without an own post below them. */
  isLoose: boolean;
}

const accountAt = (handle: string, position: AccountPosition | undefined, { since, until }: Period): Account => {
  const active = typeof position === 'object' && !('missing' in position) ? position : undefined;
  const before = active?.before === undefined ? undefined : BigInt(active.before);
  const { cursor, provider, isRestart } = active ?? {};
  return {
    handle,
    position,
    before,
    after: active?.after,
    period: definedMembers({ since, until }),
    mark: position === 'ended' ? 0n : before,
    next: position === 'ended' ? undefined : definedMembers({ cursor, provider, isRestart }),
    pages: [],
    posts: new Map(),
    idle: active?.idle ?? 0,
    isLoose: false,
    ...(typeof position === 'object' && 'missing' in position && { missing: position.missing }),
  };
};

const isOpen = ({ missing, failure, next }: Account): boolean =>
  missing === undefined && failure === undefined && next !== undefined;

/** Not known sorts before every id: the account was not read. */
const isBelow = (a: Id, b: Id | undefined): boolean => b === undefined || a < b;

const isWithinPeriod = ({ since, until }: Period, place: Id): boolean => {
  const time = Number(snowflakeTime(String(place)));
  return (since === undefined || time >= since) && (until === undefined || time < until);
};

const byId = (a: { readonly id: Id }, b: { readonly id: Id }): number => (a.id < b.id ? 1 : -1);

/** A post at its place in the merged timeline. */
interface Known {
  /** The place: the id of an own post. */
  readonly id: Id;
  readonly post: Post;
  /** The page of a repost. */
  readonly page?: number;
}

/** A repost is above the post at the same place. The sort keeps the order of the reposts of an account. */
const byPlace = (a: Known, b: Known): number =>
  a.id === b.id ? Number(a.page === undefined) - Number(b.page === undefined) : byId(a, b);

/** @returns the posts of the account that are at their places and were not returned yet, newest first */
const knownPosts = (account: Account): readonly Known[] => {
  const { posts, mark, missing } = account;
  if (missing !== undefined) return [];
  const own = [...posts].flatMap(([id, post]) => (mark !== undefined && id >= mark ? [{ id, post }] : []));
  return [...repostsOf(account).filter(({ isKnown }) => isKnown), ...own].sort(byPlace);
};

/** The place that an account holds up: no unknown post of it is above. */
const floorOf = ({ isLoose, mark }: Account): Id | undefined => (isLoose ? 0n : mark);

/** @param known the posts of the accounts @returns the posts that no unknown post precedes, newest first */
const readyPosts = (accounts: readonly Account[], known: readonly Known[]): readonly Known[] => {
  const floors = accounts.filter(isOpen).map(floorOf);
  const floor = floors.reduce((most, each) => (isBelow(most ?? 0n, each) ? each : most), 0n);
  if (floors.includes(undefined) || floor === undefined) return [];
  return known.filter(({ id }) => id >= floor).sort(byPlace);
};

/** The post was returned by an earlier page. */
type IsSeen = (id: string) => boolean;

/** @returns each post where it comes first */
const firstOf = (known: readonly Known[], isSeen: IsSeen): readonly Known[] => {
  const seen = new Set<string>();
  return known.filter(({ post: { id } }) => !isSeen(id) && !seen.has(id) && seen.add(id));
};

/** The own post at the start of a timeline: it can be the pinned one, which is older than the others. */
const firstOwnPost = ({ pages: [first] }: Account): Item | undefined => {
  const [item] = first?.start.cursor === undefined ? (first?.items ?? []) : [];
  return item?.isOwn ? item : undefined;
};

const ownItems = ({ pages }: Account): readonly Item[] =>
  pages.flatMap(({ items }) => items.filter(({ isOwn }) => isOwn));

/** Entries below a post are older, and a repost is younger than its original: so the first own post is the pinned one. */
const hasYounger = ({ pages }: Account, first: Item): boolean =>
  pages.some(({ items }) => items.some(({ id }) => id > first.id));

/** Without another own post or a younger original, nothing says whether the first own post is pinned. */
const mayBePinned = (account: Account): boolean => {
  const first = firstOwnPost(account);
  return first !== undefined && ownItems(account).length === 1 && !hasYounger(account, first);
};

const isUndecided = (account: Account): boolean => mayBePinned(account) && account.idle <= MAX_UNDECIDED;

/** @returns for each page the posts that no younger post of the page follows, each in the first page that has it so */
const placedPosts = (account: Account): readonly (readonly Item[])[] => {
  const { pages, before } = account;
  const seen = new Set<Id>();
  const first = firstOwnPost(account);
  const pinned = first && hasYounger(account, first) ? first : undefined;
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

interface RepostPlace extends Known {
  readonly page: number;
  readonly isKnown: boolean;
}

const keyOf = ({ id, isOwn }: Item): string => `${isOwn} ${id}`;

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
const repostsOf = (account: Account): readonly RepostPlace[] => {
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

/** Adds a page to an account. */
const addPage = (account: Account, start: PageStart, page: UpstreamPage<Post>, input: TimelineInput): void => {
  const { handle, before, posts, pages } = account;
  const { kind, since } = input;
  const isOwn = isPostOf(handle);
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
  for (const post of page.items.filter(belongs)) posts.set(BigInt(post.id), post);
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
  account.isLoose = repostsOf(account).filter(({ isKnown }) => !isKnown).length > MAX_PENDING_REPOSTS;
  account.next = isEnd ? undefined : { cursor: next, provider };
};

/** @param passed the posts that were shown, or left out because they were shown before */
const positionAfter = (account: Account, passed: ReadonlySet<Known>, known: readonly Known[]): AccountPosition => {
  const { missing, mark, pages, next, position, isLoose } = account;
  if (missing !== undefined) return { missing };
  if (pages.length === 0) return position ?? { idle: account.idle };
  const isAnchored = ({ id, page }: Known): boolean => page === undefined || !isLoose || !isBelow(id, mark);
  const left = known.find((each) => !passed.has(each) && isAnchored(each));
  const before = left === undefined ? mark : left.id + 1n;
  if (before === 0n) return 'ended';
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

/** Drops the longest cursors until the others fit. Their lists go on with the posts before an instant. */
const withinSize = (positions: readonly AccountPosition[], maxBytes: number): readonly AccountPosition[] => {
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
  readonly isSeen: IsSeen;
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
  // A list until an instant can lack reposts, so their timeline is read again from its start.
  const isUntil = isRestart && before !== undefined && !wantsReposts(input);
  const end = isUntil ? Math.min(until ?? Number.POSITIVE_INFINITY, timeOf(before)) : until;
  const period = definedMembers({ since, until: end });
  const reposts = wantsReposts(input) ? ({ reposts: true } as const) : {};
  const request = { list: 'posts', handle, kind, ...period, ...reposts, ...wantedThreads(input) } as const;
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
const openAccounts = (accounts: readonly Account[], limit: number, isSeen: IsSeen): readonly Account[] => {
  const known = firstOf(accounts.flatMap(knownPosts).sort(byPlace), isSeen)[limit - 1]?.id;
  return accounts
    .filter((account) => isOpen(account) && (known === undefined || isBelow(known, floorOf(account))))
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
  const accounts = handles.map((handle, index) => accountAt(handle, position?.accounts?.[index], input));
  const remembered = position?.recentFingerprints ?? [];
  const memory = new Set(remembered);
  const isSeen = (id: string): boolean => memory.has(fingerprint(id));
  const deadline = clock() + USE_CASE_MILLISECONDS;
  const found = await readAccounts(accounts, { input, ports, deadline, isSeen }, requester);
  requireAccounts(accounts);
  const known = accounts.map(knownPosts);
  const ready = readyPosts(accounts, known.flat());
  const fresh = firstOf(ready, isSeen);
  const missing = missingOf(accounts);

  const resultOf = (count: number): UseCaseResult<MergedTimeline> => {
    const shown = fresh.slice(0, count);
    const [left] = fresh.slice(count);
    const passed = new Set(left === undefined ? ready : ready.slice(0, ready.indexOf(left)));
    const positions = accounts.map((account, index) => positionAfter(account, passed, known[index] ?? []));
    const goesOn = (index: number): boolean => {
      const at = positions[index];
      return typeof at === 'object' && !('missing' in at);
    };
    const isShort =
      shown.length < limit && accounts.some(({ failure }, index) => failure === undefined && goesOn(index));
    const posts = shown.map(({ post }) => post);
    const recentFingerprints = wantsReposts(input)
      ? [...remembered, ...posts.map(({ id }) => fingerprint(id))].slice(-MAX_REMEMBERED_POSTS)
      : [];
    const maxBytes = MAX_PAGE_CURSORS_BYTES - (wantsReposts(input) ? REMEMBERED_BYTES : 0);
    const next = { provider: '', size: limit, isPartial: false, emptyPages: 0, recentFingerprints };
    return {
      value: {
        handles: [...handles],
        kind,
        missing,
        posts,
        ...(positions.some((_, index) => goesOn(index)) && {
          next_cursor: cursors.encode(list, { ...next, accounts: withinSize(positions, maxBytes) }),
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
