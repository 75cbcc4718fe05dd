// Proves merged timelines against a brute-force merge: generated accounts, whose pages are short, empty, overlapping or
// repeated, and which get posts, fail, come back, or cannot be read. Some posts are withheld. With reposts, accounts repost
// the same posts, and posts of each other.
import { expect, test } from 'vitest';
import type { MergedTimelineInput } from '../../../shared/contract/list-inputs.ts';
import { MAX_CURSOR_CHARACTERS } from '../../../shared/contract/parameters.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { type RepostChoice, TIMELINE_KINDS } from '../../../shared/model/lists.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { MergedTimeline } from '../../../shared/model/resources.ts';
import { byAge } from '../../../shared/model/snowflake.ts';
import type { Withheld } from '../../../shared/model/withheld.ts';
import type { FailedOutcome, Outcome, Upstream, UseCaseResult } from '../../../shared/ports/upstream.ts';
import { MIN_REMEMBERED } from '../../../shared/reads/paging/recent-items.ts';
import { belongsToKind, wantsReposts } from '../../../shared/reads/profile-posts/read.ts';
import { mergeTimelines } from '../../../shared/reads/timeline/read.ts';
import { withhold } from '../../../shared/upstream/withhold.ts';
import { clocksOf } from '../../support/clocks.ts';
import { countLaterWork } from '../../support/count-work.ts';
import { cases } from '../../support/full-form.ts';
import { pick, type Random, seededRandom } from '../../support/random.ts';
import { cursors, found, NOW, page, post, upstreamFindingAll, user } from '../../support/test-app.ts';

const EPOCH = 1288834974657;
/** Unique, as the ids of X. */
const idAt = (time: number, handle: string): string => String((BigInt(time - EPOCH) << 22n) + BigInt(handle.slice(1)));

/** An entry of a timeline. A repost has the id of a post of another account. */
interface Entry {
  readonly time: number;
  readonly post: Post;
}

interface Account {
  readonly handle: string;
  /** Newest first. */
  readonly entries: Entry[];
  /** It has reposts only, before posts arrive. */
  readonly isReposter: boolean;
  readonly pinned: Post | undefined;
  readonly earlyAt: ReadonlyMap<Post, Post>;
  readonly cursorLength: number;
  readonly state: 'public' | 'protected' | 'suspended' | 'renamed';
  /** The own posts at the first successful read. */
  readable: readonly Post[] | undefined;
  /** The same with its reposts. */
  listed: readonly Entry[];
  hasFailed: boolean;
}

const ownPost = (random: Random, handle: string, time: number): Post => ({
  ...post(idAt(time, handle), handle),
  created_at: new Date(time).toISOString(),
  ...(random() < 0.2 && { in_reply_to: { handle: 'ada', id: '1' } }),
  ...(random() < 0.3 && { media: [{ type: 'photo' as const, url: 'https://pbs.twimg.com/media/a.jpg' }] }),
  ...(random() < 0.1 && { article: { title: 'T', blocks: [] } }),
});

const HOUR = 3_600_000;

const entryAt = (random: Random, handle: string, time: number, reposts: number): Entry => {
  if (random() >= reposts) return { time, post: ownPost(random, handle, time) };
  // The accounts of an hour can have the same repost.
  const old = time - 1 - Math.floor(random() * 1e8);
  const at = old % 2 === 0 ? time - (time % HOUR) - 1 : old;
  const original = post(idAt(at, 'a99'), 'other');
  return { time, post: { ...original, reposted_by: user(handle) } };
};

/** Makes some of the reposts reposts of own posts of the accounts. An account reposts a post once. */
const repostEachOther = (random: Random, accounts: readonly Account[]): void => {
  for (const { handle, entries } of accounts) {
    const seen = new Set<string>();
    for (const [index, { time, post: reposted }] of entries.entries()) {
      if (reposted.reposted_by === undefined) continue;
      const other = pick(random, accounts).entries.find((entry) => entry.time < time);
      const isPost = other !== undefined && other.post.reposted_by === undefined;
      const original = isPost && random() < 0.3 ? other.post : reposted;
      const isNew = !seen.has(original.id) && seen.add(original.id);
      const replaced = isNew ? original : post(idAt(time - 1, handle), 'other');
      entries[index] = { time, post: { ...replaced, reposted_by: user(handle) } };
    }
  }
};

interface PlacedEntry extends Entry {
  readonly place: bigint;
}

/** @returns the entries at their places: reposts are not older than what stands below them */
const placesOf = (entries: readonly Entry[]): readonly PlacedEntry[] => {
  let place = 0n;
  return entries
    .toReversed()
    .map((entry) => {
      const id = BigInt(entry.post.id);
      const isHidden = entry.post.reposted_by !== undefined && isWithheld(entry.post.id);
      if (!isHidden && id > place) place = id;
      return { ...entry, place };
    })
    .reverse();
};

const accountOf = (random: Random, index: number, choice: RepostChoice): Account => {
  const handle = `a${String(index).padStart(2, '0')}`;
  const reposts = pick(random, [0, 0.2, 0.8, ...(random() < 0.1 ? [1] : [])]);
  const step = pick(random, [1000, 60_000, 86_400_000]);
  const entries: Entry[] = [];
  let time = NOW - Math.floor(random() * 1000);
  for (let left = Math.floor(random() * pick(random, [3, 40, 150])); left > 0; left -= 1) {
    entries.push(entryAt(random, handle, time, reposts));
    time -= 1 + Math.floor(random() * step) * (random() < 0.05 ? 50 : 1);
  }
  const own = entries.map((entry) => entry.post).filter((each) => each.reposted_by === undefined);
  const earlyAt = new Map<Post, Post>();
  for (const [position, each] of own.entries()) {
    const older = own[position + 1 + Math.floor(random() * 30)];
    if (older !== undefined && random() < 0.05) earlyAt.set(each, older);
  }
  return {
    handle,
    entries,
    isReposter: own.length === 0,
    pinned: random() < 0.3 && own.length > 0 ? pick(random, own) : undefined,
    earlyAt,
    cursorLength: pick(random, choice === 'include' ? [0, 80] : [0, 80, 400]),
    state: random() < 0.85 ? 'public' : pick(random, ['protected', 'suspended', 'renamed']),
    readable: undefined,
    listed: [],
    hasFailed: false,
  };
};

const isWithheld = (id: string): boolean => BigInt(id) % 13n === 0n;

const WITHHELD: Withheld = {
  post: (id) => (id !== undefined && isWithheld(id) ? 'court' : undefined),
  account: () => undefined,
  see: () => {},
  hasProfiles: () => false,
  hasIds: () => false,
  isEmpty: false,
};

/** The own posts that may be shown. */
const ownPosts = ({ entries }: Account): readonly Post[] =>
  entries.map((entry) => entry.post).filter((each) => each.reposted_by === undefined && !isWithheld(each.id));

/** The cursor is the time of the next entry, a mark of repetition, and filling. */
const readEntries = (random: Random, account: Account, cursor: string | undefined, until: number) => {
  const [time, repeats] = cursor?.split('/') ?? [];
  const at = time === undefined ? 0 : account.entries.findIndex((entry) => entry.time <= Number(time));
  const first = at === -1 ? account.entries.length : at;
  const overlap = random() < 0.2 ? Math.floor(random() * 3) : 0;
  const skipped = account.entries.filter((entry) => entry.time >= until).length;
  const start = Math.max(first - overlap, skipped);
  const end = Math.max(start, first) + (repeats === '0' && random() < 0.1 ? 0 : 1 + Math.floor(random() * 20));
  const shown = account.entries.slice(start, end);
  const items = shown.flatMap((entry) => [
    ...(account.earlyAt.has(entry.post) ? [account.earlyAt.get(entry.post)] : []),
    entry.post,
  ]);
  const isPinned = cursor === undefined && until === Number.POSITIVE_INFINITY && account.pinned !== undefined;
  const isEmpty = end === first && first < account.entries.length;
  const isRepeated = repeats !== '1' && (isEmpty || random() < 0.1);
  const next = isRepeated && time !== undefined ? Number(time) : account.entries[end]?.time;
  return {
    items: [...(isPinned ? [account.pinned] : []), ...items].flatMap((each) => each ?? []),
    next: next === undefined ? undefined : `${next}/${isRepeated ? 1 : 0}/${'x'.repeat(account.cursorLength)}`,
  };
};

const FAILURES: readonly FailedOutcome[] = [
  { kind: 'down', why: 'test' },
  { kind: 'failed', why: 'test' },
];

const worldOf = (random: Random, reposts: RepostChoice) => {
  const accounts = Array.from({ length: 1 + Math.floor(random() * pick(random, [3, 20])) }, (_, index) =>
    accountOf(random, index, reposts),
  );
  if (reposts === 'include') repostEachOther(random, accounts);
  const failureRate = pick(random, [0, 0, 0.1, 0.4]);
  const calls = { pages: 0, firstPages: new Set<string>() };
  let requests = 0;
  const find = (handle: string): Account => {
    const account = accounts.find((each) => each.handle === handle);
    if (account === undefined) throw new Error(`unknown ${handle}`);
    return account;
  };
  const isGone = ({ state }: Account): boolean => state === 'suspended' || (state === 'renamed' && requests > 2);
  const upstream: Upstream = {
    ...upstreamFindingAll,
    async readProfile(handle): Promise<Outcome<ReturnType<typeof user>>> {
      const account = find(handle);
      if (account.state === 'suspended') return { kind: 'gone', reason: 'suspended' };
      if (isGone(account)) return { kind: 'absent' };
      return found(user(handle, { protected: account.state === 'protected' }));
    },
    async listPosts(request, { cursor }) {
      if (request.list !== 'posts') throw new Error('not a timeline');
      const account = find(request.handle);
      calls.pages += 1;
      if (isGone(account)) return { kind: 'ambiguous' };
      if (random() < failureRate) {
        account.hasFailed = true;
        return pick(random, FAILURES);
      }
      if (account.state === 'protected') return found(page<Post>([]));
      if (account.readable === undefined) account.listed = [...account.entries];
      account.readable ??= ownPosts(account);
      const { items, next } = readEntries(random, account, cursor, request.until ?? Number.POSITIVE_INFINITY);
      return found(page(items, next));
    },
  };
  /** Before the next request, posts arrive. */
  const advance = (): void => {
    requests += 1;
    calls.pages = 0;
    for (const account of accounts) {
      const time = (account.entries[0]?.time ?? NOW) + 1 + Math.floor(random() * 5000);
      const at = Math.max(time, NOW + requests);
      if (random() < 0.3) account.entries.unshift(entryAt(random, account.handle, at, 0.2));
    }
  };
  return { accounts, upstream: withhold(upstream, () => WITHHELD), calls, advance };
};

const inputOf = (handles: readonly string[], more: Partial<MergedTimelineInput> = {}): MergedTimelineInput => ({
  handles,
  kind: 'posts',
  limit: 20,
  list: ['merged', 'test'],
  ...more,
});

const portsOf = (upstream: Partial<Upstream>) => ({
  upstream: { ...upstreamFindingAll, ...upstream },
  cursors,
  ...clocksOf(() => NOW),
});

const hasWarning = ({ warnings }: UseCaseResult<unknown>, code: string): boolean =>
  warnings.some((each) => each.code === code);

const lastOf = (items: readonly string[], count: number): readonly string[] =>
  items.slice(Math.max(0, items.length - count));

const isDescending = (posts: readonly Post[]): boolean =>
  posts.every((each, index) => index === 0 || byAge(posts[index - 1] ?? each, each) > 0);

const MAX_REQUESTS = 3000;

/** The longest run of reposts. More than 60 are placed before the next own post is known. */
const longestRun = ({ entries }: Account): number => {
  let run = 0;
  return entries.reduce((longest, entry) => {
    run = entry.post.reposted_by === undefined ? 0 : run + 1;
    return Math.max(longest, run);
  }, 0);
};

/** Compares what was shown with the reposts with the brute-force merge. */
const expectMerged = (
  shown: readonly Post[],
  accounts: readonly Account[],
  belongs: (entry: PlacedEntry) => boolean,
  seed: number,
): void => {
  const isPublic = accounts.filter(({ state }) => state === 'public');
  const ids = shown.map(({ id }) => id);
  const last = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const before = last.get(id);
    if (before !== undefined) expect(index - before, `once, seed ${seed}`).toBeGreaterThan(MIN_REMEMBERED);
    last.set(id, index);
  }

  const all = isPublic.flatMap(({ listed }) => placesOf(listed).filter(belongs));
  all.sort((a, b) =>
    a.place === b.place
      ? Number(a.post.reposted_by === undefined) - Number(b.post.reposted_by === undefined)
      : a.place < b.place
        ? 1
        : -1,
  );
  const expected = [...new Set(all.map((entry) => entry.post.id))];
  const known = new Set(
    accounts.flatMap(({ entries }) => placesOf(entries).filter(belongs)).map((entry) => entry.post.id),
  );
  expect(
    ids.filter((id) => !known.has(id)),
    `nothing else, seed ${seed}`,
  ).toEqual([]);
  const others = accounts.some(({ state, hasFailed }) => state === 'renamed' || hasFailed);
  // An own post that arrives above nothing but reposts can be the pinned one, until pages show that it is not.
  const hasArrivals = accounts.some((account) => account.isReposter && ownPosts(account).length > 0);
  const isStrict = !others && !hasArrivals && accounts.every((account) => longestRun(account) <= 60);
  const was = new Set(expected);
  const unique = [...last.keys()].filter((id) => was.has(id));
  if (isStrict) expect(unique, `order, seed ${seed}`).toEqual(expected);
  else expect(unique.toSorted(), `all, seed ${seed}`).toEqual(expected.toSorted());
};

/** Reads all pages and checks each. */
const walk = async (seed: number, reposts: RepostChoice = 'exclude'): Promise<void> => {
  const random = seededRandom(seed);
  const { accounts, upstream, calls, advance } = worldOf(random, reposts);
  const kind = pick(random, TIMELINE_KINDS);
  const limit = pick(random, [1, 2, 5, 20, 100]);
  const since = random() < 0.2 ? NOW - Math.floor(random() * 1e8) : undefined;
  const input = inputOf(
    accounts.map(({ handle }) => handle),
    { kind, limit, reposts, ...(since !== undefined && { since }) },
  );
  const shown: Post[] = [];
  let cursor: string | undefined;
  let last: UseCaseResult<MergedTimeline> | undefined;
  for (let requests = 0; ; requests += 1) {
    if (requests === MAX_REQUESTS) throw new Error(`seed ${seed} does not end`);
    advance();
    const position = cursor === undefined ? undefined : cursors.decode(input.list, cursor);
    let result: UseCaseResult<MergedTimeline>;
    try {
      result = await mergeTimelines({ ...input, ...(position && { position }) }, portsOf(upstream));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isUnread = accounts.every(({ readable, state }) => readable === undefined || state === 'renamed');
      if (error.code === 'profile_not_found' || error.code === 'profile_protected') {
        expect(isUnread, `seed ${seed}`).toBe(true);
        return;
      }
      expect(error.code, `seed ${seed}`).toMatch(/^upstream_/);
      continue;
    }
    last = result;
    expect(calls.pages, `seed ${seed}`).toBeLessThanOrEqual(accounts.length + 20);
    // Sometimes the answer is too large.
    const count = result.value.posts.length;
    if (count > 1 && random() < 0.2) result = result.parts?.keep(1 + Math.floor(random() * count)) ?? result;
    const { posts, missing, next_cursor: next } = result.value;
    if (reposts === 'exclude') expect(isDescending(posts), `order within a page, seed ${seed}`).toBe(true);
    shown.push(...posts);
    const isIncomplete = missing.some(({ reason }) => reason === 'failed');
    expect(hasWarning(result, 'timeline_incomplete')).toBe(isIncomplete);
    if (posts.length < limit && next !== undefined && !isIncomplete)
      expect(hasWarning(result, 'partial_page'), `seed ${seed}`).toBe(true);
    if (next === undefined) break;
    expect(next.length).toBeLessThanOrEqual(MAX_CURSOR_CHARACTERS);
    cursor = next;
  }
  const timeOf = ({ created_at: created = '' }: Post): number => Date.parse(created);
  if (reposts === 'include') {
    expectMerged(
      shown,
      accounts,
      ({ post: each, place }) => {
        if (isWithheld(each.id)) return false;
        if (each.reposted_by === undefined)
          return belongsToKind(kind, each) && (since === undefined || timeOf(each) >= since);
        return wantsReposts({ reposts, kind }) && (since === undefined || Number(place >> 22n) + EPOCH >= since);
      },
      seed,
    );
    return;
  }
  const isPublic = ({ state }: Account): boolean => state === 'public';
  if (accounts.every(({ hasFailed }) => !hasFailed))
    expect(isDescending(shown), `order over all pages, seed ${seed}`).toBe(true);
  for (const account of accounts) {
    const own = shown.filter(({ author }) => author?.handle === account.handle).map(({ id }) => id);
    const listed = (posts: readonly Post[] = []): string[] =>
      posts
        .filter((each) => belongsToKind(kind, each) && (since === undefined || timeOf(each) >= since))
        .map(({ id }) => id);
    const expected = listed(account.readable);
    if (isPublic(account)) {
      expect(lastOf(own, expected.length), `posts of ${account.handle}, seed ${seed}`).toEqual(expected);
      // Posts that arrive before the first post of the account is shown may be shown.
      expect(own, `seed ${seed}`).toEqual(lastOf(listed(ownPosts(account)), own.length));
    } else if (account.state === 'renamed') expect(own.length, `seed ${seed}`).toBeLessThanOrEqual(expected.length);
    else {
      expect(own).toEqual([]);
      const reason = account.state;
      expect(last?.value.missing, `seed ${seed}`).toContainEqual({ handle: account.handle, reason });
    }
  }
};

test('[timelines 1] a timeline equals the merge of its accounts over any paging, for each generated world', async () => {
  for (let seed = 1; seed <= cases(60, 1000); seed += 1) await walk(seed);
}, 600_000);

test('[reposts 2] a timeline with reposts equals the merge of its accounts over any paging, each post once', async () => {
  for (let seed = 1; seed <= cases(60, 1000); seed += 1) await walk(seed, 'include');
}, 600_000);

/** An account of an own post and of pages of 20 reposts, which never end. */
const reposter = (hasOwnPost: boolean) => {
  let pages = 0;
  const repost = (index: number): Post => ({
    ...post(String(10n ** 18n - BigInt(index) * 10n ** 9n), 'bob'),
    reposted_by: user('ada'),
  });
  const listPosts: Upstream['listPosts'] = async (_, { cursor = '0' }) => {
    pages += 1;
    const start = Number(cursor) * 20;
    const reposts = Array.from({ length: 20 }, (__, index) => repost(start + index));
    const own = cursor === '0' && hasOwnPost ? [post(String(10n ** 18n + 1n), 'ada')] : [];
    return found(page([...own, ...reposts], String(Number(cursor) + 1)));
  };
  return { pages: () => pages, upstream: { ...upstreamFindingAll, listPosts } };
};

const READ_UNTIL = 250;

/** @returns the number of posts that each request returned, until the timeline ends or READ_UNTIL pages were read */
const walkReposter = async (
  { pages, upstream }: ReturnType<typeof reposter>,
  more: Partial<MergedTimelineInput>,
): Promise<readonly number[]> => {
  const input = inputOf(['ada'], more);
  const counts: number[] = [];
  let cursor: string | undefined;
  do {
    const position = cursor === undefined ? undefined : cursors.decode(input.list, cursor);
    const { value } = await mergeTimelines({ ...input, ...(position && { position }) }, portsOf(upstream));
    counts.push(value.posts.length);
    cursor = value.next_cursor;
  } while (cursor !== undefined && pages() < READ_UNTIL);
  return counts;
};

test('an account without own posts ends after about 160 pages, over all requests', async () => {
  const ada = reposter(false);
  const counts = await walkReposter(ada, {});
  expect(new Set(counts)).toEqual(new Set([0]));
  expect(ada.pages()).toBeGreaterThan(150);
  expect(ada.pages()).toBeLessThan(180);
});

test('an account goes on for as long as its reposts are shown', async () => {
  const ada = reposter(false);
  const counts = await walkReposter(ada, { reposts: 'include', limit: 100 });
  expect(ada.pages()).toBeGreaterThanOrEqual(READ_UNTIL);
  expect(counts.every((count) => count > 0)).toBe(true);
});

test('the only own post of an account is taken for the newest after 8 more pages without another', async () => {
  const ada = reposter(true);
  const { value } = await mergeTimelines(inputOf(['ada'], { limit: 1 }), portsOf(ada.upstream));
  expect([value.posts.length, ada.pages()]).toEqual([1, 9]);
});

test('the work grows linearly with the posts and reposts of a page', async () => {
  const workFor = (count: number): Promise<number> => {
    const posts = Array.from({ length: count }, (_, index) => {
      const written = post(String(2n * 10n ** 18n - BigInt(index) * 10n ** 6n), index % 2 === 0 ? 'ada' : 'bob');
      return index % 2 === 0 ? written : { ...written, reposted_by: user('ada') };
    });
    const upstream: Upstream = { ...upstreamFindingAll, listPosts: async () => found(page(posts, 'n')) };
    const input: MergedTimelineInput = {
      handles: ['ada'],
      kind: 'posts',
      limit: 20,
      list: ['merged'],
      reposts: 'include',
    };
    return countLaterWork(() => mergeTimelines(input, { upstream, cursors, ...clocksOf(() => NOW) }));
  };
  expect((await workFor(1600)) / (await workFor(800))).toBeLessThan(2.3);
});
