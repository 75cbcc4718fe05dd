// Proves that a timeline of several accounts passes over no post that it has read. Generated accounts have pages that stand out
// of order: threads with their oldest part first, of any age, and a pinned post. What stood before its place may come again or not.
// A failing world is shrunk and printed with its seed.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { MergedTimelineInput } from '../../../shared/contract/list-inputs.ts';
import { MAX_CURSOR_CHARACTERS } from '../../../shared/contract/parameters.ts';
import { TIMELINE_LEFT_OUT } from '../../../shared/contract/warnings.ts';
import type { Post } from '../../../shared/model/post.ts';
import { byAge } from '../../../shared/model/snowflake.ts';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { mergeTimelines } from '../../../shared/reads/timeline/read.ts';
import { clocksOf } from '../../support/clocks.ts';
import { cases } from '../../support/full-form.ts';
import { conversation, cursors, found, NOW, page, post, upstreamFindingAll, user } from '../../support/test-app.ts';

/** What stands together in a timeline: the newest part decides its place. */
interface Module {
  /** The ages of the parts before the last one, counted in ids below it. None: a single post. */
  readonly olderBy: readonly number[];
  /** It is a repost, whose original is older by this. */
  readonly repost: number | undefined;
  /** The older parts come again at their own places. */
  readonly repeats: boolean;
}

interface World {
  readonly accounts: readonly {
    readonly modules: readonly Module[];
    readonly pageSizes: readonly number[];
    /** The place of the pinned post among the own posts. */
    readonly pinned: number | undefined;
    readonly cursorLength: number;
  }[];
  readonly limit: number;
  readonly reposts: 'exclude' | 'include';
  /** A page that is read again lacks what stood before its place. */
  readonly forgets: boolean;
}

const STEP = 1000n;
const FIRST_ID = 10n ** 18n;
const MODULES = 400n;

/** @returns the pages of an account, and what a reader must see of it */
const accountOf = ({ accounts, reposts }: World, index: number) => {
  const { modules, pageSizes, pinned, cursorLength } = accounts[index] ?? {};
  if (modules === undefined || pageSizes === undefined) throw new Error(`no account ${index}`);
  const handle = `a${index}`;
  // Each module has its range of ids, and each account its ids within it.
  const place = (at: number): bigint => FIRST_ID + (MODULES - BigInt(at)) * STEP + BigInt(index) * 40n;
  const own = new Set<bigint>();
  const unique = (id: bigint): bigint => {
    let free = id;
    while (own.has(free)) free -= 1n;
    own.add(free);
    return free;
  };
  const newest = modules.map(({ repost }, at) => (repost === undefined ? unique(place(at)) : place(at)));
  const shown = modules.map(({ olderBy, repost, repeats }, at) => {
    const id = newest[at] ?? 0n;
    if (repost !== undefined) {
      // An account reposts a post once.
      const original = id - BigInt(repost) * STEP - 500n - BigInt(at);
      return { posts: [{ ...post(String(original), 'other'), reposted_by: user(handle) }], later: [] as bigint[], at };
    }
    const older = olderBy.map((age) => unique(id - BigInt(age) * STEP - 7n)).sort((a, b) => (a < b ? -1 : 1));
    return { posts: [...older, id].map((each) => post(String(each), handle)), later: repeats ? older : [], at };
  });
  const again = shown.flatMap(({ later }) => later);
  const entries = [
    ...shown.map(({ posts, at }) => ({ place: place(at), posts })),
    ...again.map((id) => ({ place: id, posts: [post(String(id), handle)] })),
  ].sort((a, b) => (a.place < b.place ? 1 : -1));
  const ids = [...own].sort((a, b) => (a < b ? 1 : -1));
  const pages: Post[][] = [];
  for (let start = 0, number = 0; start < entries.length; number += 1) {
    const size = pageSizes[number % pageSizes.length] ?? 1;
    pages.push(entries.slice(start, start + size).flatMap(({ posts }) => posts));
    start += size;
  }
  const pin = pinned === undefined ? undefined : ids[pinned % Math.max(ids.length, 1)];
  if (pin !== undefined) pages[0]?.unshift(post(String(pin), handle));
  const repostIds =
    reposts === 'include' ? shown.flatMap(({ posts: [first] }) => (first?.reposted_by ? [first.id] : [])) : [];
  return { handle, pages, ids: ids.map(String), repostIds, filling: 'x'.repeat(cursorLength ?? 0) };
};

/** Reads a timeline to its end. */
const readAll = async (world: World) => {
  const accounts = world.accounts.map((_, index) => accountOf(world, index));
  const early = world.accounts.flatMap(({ modules }) => modules.flatMap(({ olderBy }) => olderBy)).length;
  // A cursor has room for so many posts.
  const forgets = world.forgets && early + accounts.length <= 160;
  const readPages = new Set<string>();
  const upstream: Upstream = {
    ...upstreamFindingAll,
    readPost: async ({ id, handle }) => found(conversation(id, handle)),
    async listPosts(request, { cursor }) {
      if (request.list !== 'posts') throw new Error('not a timeline');
      const { handle, pages, filling } = accounts[Number(request.handle.slice(1))] ?? accountOf(world, 0);
      const number = Number(cursor?.split('/')[0] ?? 0);
      const name = `${handle}/${number}`;
      const all = pages[number] ?? [];
      const isLost = forgets && readPages.has(name);
      readPages.add(name);
      const isAtPlace = ({ id, reposted_by: by }: Post, at: number): boolean =>
        by !== undefined || all.slice(at).every((next) => byAge(next, { id }) <= 0);
      const items = isLost ? all.filter(isAtPlace) : all;
      return found(page(items, number + 1 < pages.length ? `${number + 1}/${filling}` : undefined));
    },
  };
  const input: MergedTimelineInput = {
    handles: accounts.map(({ handle }) => handle),
    kind: 'posts',
    limit: world.limit,
    reposts: world.reposts,
    list: ['merged', 'held'],
  };
  const shown: Post[] = [];
  let cursor: string | undefined;
  for (let requests = 0; ; requests += 1) {
    if (requests > 4000) throw new Error('the timeline does not end');
    const position = cursor === undefined ? undefined : cursors.decode(input.list, cursor);
    const ports = { upstream, cursors, ...clocksOf(() => NOW) };
    const { value } = await mergeTimelines({ ...input, ...(position && { position }) }, ports);
    shown.push(...value.posts);
    cursor = value.next_cursor;
    if (cursor === undefined) return { accounts, shown };
    expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_CHARACTERS);
  }
};

const descending = (ids: readonly string[]): readonly string[] =>
  [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));

const module: fc.Arbitrary<Module> = fc.record({
  olderBy: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }) },
  ),
  repost: fc.option(fc.nat(5), { freq: 4, nil: undefined }),
  repeats: fc.boolean(),
});

const world: fc.Arbitrary<World> = fc.record({
  accounts: fc.oneof({ weight: 3, arbitrary: accountsOf(1, 3, 20) }, { weight: 1, arbitrary: accountsOf(20, 20, 4) }),
  limit: fc.constantFrom(1, 2, 3, 7, 20, 100),
  reposts: fc.constantFrom('exclude', 'include'),
  forgets: fc.boolean(),
});

function accountsOf(minLength: number, maxLength: number, modules: number): fc.Arbitrary<World['accounts']> {
  const account = fc.record({
    modules: fc.array(module, { maxLength: modules }),
    pageSizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
    pinned: fc.option(fc.nat(40), { nil: undefined }),
    cursorLength: fc.constantFrom(0, 80),
  });
  return fc.array(account, { minLength, maxLength });
}

test('[timelines 13] every post that was read is shown once at its place, whether or not it comes again', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (generated) => {
      const { accounts, shown } = await readAll(generated);
      const own = shown.flatMap(({ id, reposted_by: by }) => (by === undefined ? [id] : []));
      expect(own).toEqual(descending(accounts.flatMap(({ ids }) => ids)));
      const reposts = new Set(shown.flatMap(({ id, reposted_by: by }) => (by === undefined ? [] : [id])));
      expect([...reposts].sort()).toEqual([...new Set(accounts.flatMap(({ repostIds }) => repostIds))].sort());
    }),
    { numRuns: cases(60, 2000) },
  );
}, 600_000);

/** Reads a timeline of one account, whose posts have small ids. */
const readPages = async (pages: readonly (readonly number[])[], limit: number): Promise<readonly string[]> => {
  const listPosts: Upstream['listPosts'] = async (_, { cursor = '0' }) => {
    const number = Number(cursor);
    const items = (pages[number] ?? []).map((id) => post(String(id), 'ada'));
    return found(page(items, number + 1 < pages.length ? String(number + 1) : undefined));
  };
  const input: MergedTimelineInput = { handles: ['ada'], kind: 'posts', limit, list: ['merged', 'small'] };
  const upstream = { ...upstreamFindingAll, readPost: failing, listPosts };
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const position = cursor === undefined ? undefined : cursors.decode(input.list, cursor);
    const ports = { upstream, cursors, ...clocksOf(() => NOW) };
    const { value } = await mergeTimelines({ ...input, ...(position && { position }) }, ports);
    ids.push(...value.posts.map(({ id }) => id));
    cursor = value.next_cursor;
  } while (cursor !== undefined);
  return ids;
};

const failing: Upstream['readPost'] = async () => {
  throw new Error('the page still has the posts');
};

test.each([1, 2, 3, 4, 5, 6])(
  '[timelines 13] pages of %i posts lose nothing of a thread that stands before its place, read from its page once more',
  async (limit) => {
    expect(
      (
        await readPages(
          [
            [9, 6, 7, 8],
            [5, 4],
          ],
          limit,
        )
      ).join(),
    ).toBe('9,8,7,6,5,4');
    expect((await readPages([[9, 2, 1, 8], [7], [6, 5], [4, 3]], limit)).join()).toBe('9,8,7,6,5,4,3,2,1');
  },
);

test('[timelines 13] a held post that arrives after its page was made stays in the position', async () => {
  vi.useFakeTimers();
  const pages = new Map([
    ['ada', [[80, 79]]],
    [
      'bob',
      [
        [99, 97],
        [95, 60],
      ],
    ],
  ]);
  const upstream: Upstream = {
    ...upstreamFindingAll,
    readPost: async ({ id, handle }) => {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return found(conversation(id, handle));
    },
    async listPosts(request, { cursor = '0' }) {
      const handle = request.list === 'posts' ? request.handle : '';
      const items = (pages.get(handle)?.[Number(cursor)] ?? []).map((id) => post(String(id), handle));
      return found(page(items, String(Number(cursor) + 1)));
    },
  };
  const accounts = [
    { before: '100', idle: 0, held: [{ ids: ['98'] }] },
    { before: '100', idle: 0 },
  ];
  const position = { provider: '', size: 3, isPartial: false, emptyPages: 0, recentFingerprints: [], accounts };
  const list = ['merged', 'late'];
  const input: MergedTimelineInput = { handles: ['ada', 'bob'], kind: 'posts', limit: 3, list, position };
  const reading = mergeTimelines(input, { upstream, cursors, ...clocksOf(() => NOW) });
  await vi.advanceTimersByTimeAsync(2500);
  const { value, parts } = await reading;
  const shown = value.posts.map(({ id }) => id);
  await vi.advanceTimersByTimeAsync(3000);
  vi.useRealTimers();
  const shorter = parts?.keep(2).value.next_cursor ?? '';
  expect(shown).toEqual(['99', '97', '95']);
  expect(cursors.decode(list, shorter)?.accounts?.[0]).toMatchObject({ before: '99', held: [{ ids: ['98'] }] });
});

const SNOWFLAKE = 1_990_000_000_000_000_000n;
const HALF_HOUR = 1_800_000n << 22n;

/**
 * Reads a timeline of 20 accounts with 120 posts each to its end. A page that is read again lacks what stood before its place.
 *
 * @param pageOf the places of the posts of a page, by the number of the page
 * @returns the number of posts, and the warnings of the answers
 */
const readTwenty = async (pageOf: (number: number) => readonly number[], cursorLength: number) => {
  const accounts = Array.from({ length: 20 }, (_, index) => {
    const idAt = (place: number) => String(SNOWFLAKE - BigInt(place) * HALF_HOUR - BigInt(index) * 7_000_123n);
    const pages = Array.from({ length: 12 }, (__, number) => pageOf(number).map(idAt));
    return { handle: `a${index}`, pages };
  });
  const wasRead = new Set<string>();
  const upstream: Upstream = {
    ...upstreamFindingAll,
    readPost: async ({ id, handle }) => found(conversation(id, handle)),
    async listPosts(request, { cursor = '0' }) {
      const handle = request.list === 'posts' ? request.handle : '';
      const number = Number(cursor.split('/')[0]);
      const all = accounts[Number(handle.slice(1))]?.pages[number] ?? [];
      const isAgain = wasRead.has(`${handle} ${number}`);
      wasRead.add(`${handle} ${number}`);
      const items = isAgain ? all.filter((id, at) => all.slice(at).every((next) => next <= id)) : all;
      const next = number < 11 ? `${number + 1}/${'x'.repeat(cursorLength)}` : undefined;
      return found(
        page(
          items.map((id) => post(id, handle)),
          next,
        ),
      );
    },
  };
  const handles = accounts.map(({ handle }) => handle);
  const input: MergedTimelineInput = { handles, kind: 'posts', limit: 100, list: ['merged', 'twenty'] };
  const shown: string[] = [];
  const told = new Set<string>();
  let cursor: string | undefined;
  do {
    const position = cursor === undefined ? undefined : cursors.decode(input.list, cursor);
    const ports = { upstream, cursors, ...clocksOf(() => NOW) };
    const { value, warnings } = await mergeTimelines({ ...input, ...(position && { position }) }, ports);
    shown.push(...value.posts.map(({ id }) => id));
    for (const { message } of warnings) told.add(message);
    cursor = value.next_cursor;
    expect(cursor?.length ?? 0).toBeLessThanOrEqual(MAX_CURSOR_CHARACTERS);
  } while (cursor !== undefined);
  expect(shown).toEqual(descending(shown));
  return { count: new Set(shown).size, isTold: told.has(TIMELINE_LEFT_OUT) };
};

const places = (start: number): readonly number[] => Array.from({ length: 10 }, (_, index) => start + index);

/** The oldest posts stand before the newest ones. */
const oldestFirst = (number: number): readonly number[] =>
  number === 0 ? [...places(110).toReversed(), ...places(0)] : number < 11 ? places(number * 10) : [];

const backwards = (number: number): readonly number[] => places(number * 10).toReversed();

test.each([
  ['10 old posts before the newest ones', oldestFirst, 0],
  ['10 old posts before the newest ones, with long cursors', oldestFirst, 80],
  ['all pages backwards', backwards, 0],
] as const)(
  '[timelines 13] 20 accounts lose no post that does not come again when they have %s',
  async (_, pageOf, length) => {
    expect(await readTwenty(pageOf, length)).toEqual({ count: 2400, isTold: false });
  },
);

test('[timelines 14] an answer says that posts are left out when its cursor has no room for them', async () => {
  const { count, isTold } = await readTwenty(backwards, 120);
  expect([count < 2400, isTold]).toEqual([true, true]);
});

test('[timelines 13] a post that is held back takes 11 characters of the cursor, and comes out as it went in', () => {
  const heldIds = Array.from({ length: 40 }, (_, index) => String(2n ** 62n + BigInt(index)));
  const lengthWith = (count: number): number => {
    const held = [{ ids: heldIds.slice(0, count), page: { cursor: 'c', provider: 'fxtwitter' } }, { ids: ['7'] }];
    const other = { idle: 1, held: [{ ids: ['8'], page: {} }] };
    const accounts = [{ before: '9', cursor: 'd', provider: 'fxtwitter', idle: 0, held }, other];
    const position = { provider: '', size: 1, isPartial: false, emptyPages: 0, recentFingerprints: [1, 2], accounts };
    const cursor = cursors.encode(['merged'], position);
    expect(cursors.decode(['merged'], cursor)).toEqual(position);
    return cursor.length;
  };
  expect(lengthWith(39) - lengthWith(10)).toBeLessThanOrEqual(29 * 11);
});
