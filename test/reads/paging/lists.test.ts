// Tests the lists of use cases: the calls to the provider, the whole result, a result of fewer items, and the problems.
import { describe, expect, test } from 'vitest';
import type { HandleInput, ListInput, SearchInput } from '../../../shared/contract/list-inputs.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { warning } from '../../../shared/contract/warnings.ts';
import type { ReplyOrder } from '../../../shared/model/conversation.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, Requester, Upstream, UpstreamPage, UseCaseResult } from '../../../shared/ports/upstream.ts';
import { listFollows } from '../../../shared/reads/follows/read.ts';
import { POST_PROBLEMS, problemFromOutcome, rejectedParameter } from '../../../shared/reads/outcome-problems.ts';
import { fingerprint } from '../../../shared/reads/paging/recent-items.ts';
import { readProfile } from '../../../shared/reads/profile/read.ts';
import { listProfilePosts } from '../../../shared/reads/profile-posts/read.ts';
import { listQuotes } from '../../../shared/reads/quotes/read.ts';
import { listReplies } from '../../../shared/reads/replies/read.ts';
import { listReposts } from '../../../shared/reads/reposts/read.ts';
import { searchPosts } from '../../../shared/reads/search/read.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import { conversation, cursors, found, NOW, page, post, upstreamFindingAll, user } from '../../support/test-app.ts';

const ports = (upstream: Partial<Upstream>) => ({
  upstream: { ...upstreamFindingAll, ...upstream },
  cursors,
  ...clocksOf(() => NOW),
});

const position = {
  provider: 'fxtwitter',
  size: 20,
  cursor: 'n',
  isPartial: false,
  emptyPages: 0,
  recentFingerprints: [],
};
const of = (more: Partial<HandleInput> = {}): HandleInput => ({
  handle: 'jack',
  limit: 20,
  list: ['followers', 'jack'],
  ...more,
});
const query = (more: Partial<SearchInput> = {}): SearchInput => ({
  query: 'tide',
  feed: 'latest',
  limit: 20,
  list: ['search', 'latest', 'tide'],
  ...more,
});

const refusal = async (answer: Promise<unknown>): Promise<Problem> => {
  const thrown: unknown = await answer.catch((error: unknown) => error);
  if (!(thrown instanceof Problem)) throw new Error('no Problem was thrown');
  return thrown;
};

type Profile = Outcome<User>;

const SUSPENDED = { kind: 'gone', reason: 'suspended' } as const;
const LOCKED: Profile = found(user('jack', { protected: true }));
const OPEN: Profile = found(user('jack'));

test('listFollows throws profile_protected also when the empty list has a cursor', async () => {
  let calls = 0;
  const upstream = {
    readProfile: async () => LOCKED,
    listUsers: async () => {
      calls += 1;
      return found(page<User>([], `more ${calls}`));
    },
  };
  expect((await refusal(listFollows('followers')(of(), ports(upstream)))).code).toBe('profile_protected');
  expect(calls).toBe(1);
});

describe('readProfile', () => {
  const read = (profile: Profile, posts: Outcome<UpstreamPage<Post>>, input = of({ list: ['posts', 'jack'] })) =>
    readProfile(input, ports({ readProfile: async () => profile, listPosts: async () => posts }));
  const POSTS = found(page([post('21'), post('20')]));

  test.each([SUSPENDED, LOCKED])(
    'readProfile requests no further page of posts when the posts cannot be shown: %o',
    async (profile) => {
      let calls = 0;
      const upstream = {
        readProfile: async () => profile,
        listPosts: async () => {
          calls += 1;
          return found(page([post(String(calls))], `more ${calls}`));
        },
      };
      await readProfile(of(), ports(upstream)).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls).toBeLessThan(3);
    },
  );

  test('fetched_at of a profile is the older of its two parts', async () => {
    const late: Outcome<UpstreamPage<Post>> = { ...POSTS, ...(POSTS.kind === 'found' && { fetchedAt: NOW - 5000 }) };
    expect((await read(OPEN, late)).fetchedAt).toBe(NOW - 5000);
  });
});

test('[threads 6] lists of posts have a warning when an article, also a quoted one, is a preview', async () => {
  const article = { title: 'Fjords', blocks: [] };
  const whole: Post['article'] = { title: 'Fjords', blocks: [{ type: 'divider' }] };
  const codes = async (posts: readonly Post[]) => {
    const from = ports({ listPosts: async () => found(page(posts)) });
    const reads = [searchPosts(query(), from), readProfile(of(), from)];
    return (await Promise.all(reads)).map(({ warnings }) => warnings.map(({ code }) => code));
  };
  expect(await codes([post('20'), { ...post('21'), article }])).toEqual([['article_previews'], ['article_previews']]);
  const quoting = { ...post('21'), quote: { ...post('10'), article } };
  expect(await codes([post('20'), quoting])).toEqual([['article_previews'], ['article_previews']]);
  expect(await codes([post('20'), { ...post('21'), article: whole }])).toEqual([[], []]);
});

test('the cursors of a profile and of its posts name the old posts that were returned early', async () => {
  const from = ports({
    listPosts: async () =>
      found(
        page(
          ['20', '30', '29'].map((id) => post(id)),
          'n',
        ),
      ),
  });
  const reads = [readProfile(of({ limit: 3 }), from), listProfilePosts({ ...of({ limit: 3 }), kind: 'posts' }, from)];
  for (const { value } of await Promise.all(reads)) {
    const next = 'next_cursor' in value ? value.next_cursor : undefined;
    expect(cursors.decode(of().list, String(next))).toMatchObject({ earlyIds: ['20'] });
  }
});

describe('the rest of a provider page that was sorted again', () => {
  /** The posts 1 and 2 were returned. */
  const again: HandleInput['position'] = {
    ...position,
    isPartial: true,
    recentFingerprints: ['1', '2'].map(fingerprint),
  };
  const sorted = ['3', '1', '2', '4'];
  const posts = ports({ listPosts: async () => found(page(sorted.map((id) => post(id)))) });
  const users = ports({ listUsers: async () => found(page(sorted.map((id) => user(`u${id}`, { id })))) });
  const replies = (order: ReplyOrder) =>
    listReplies({ id: '20', order, limit: 20, list: ['replies', '20'], position: again }, posts);

  test.each([
    ['a search of the best', () => searchPosts(query({ feed: 'top', position: again }), posts), ['3', '4']],
    ['a search of accounts', () => searchPosts(query({ feed: 'users', position: again }), users), ['3', '4']],
    ['a search by time', () => searchPosts(query({ position: again }), posts), ['4']],
    ['a search with media', () => searchPosts(query({ feed: 'media', position: again }), posts), ['4']],
    ['replies by likes', () => replies('top'), ['3', '4']],
    ['replies by time', () => replies('recent'), ['4']],
  ] as const)('of %s', async (_, run, ids) => {
    const { value } = await run();
    const items = ('users' in value && value.users) || ('posts' in value && value.posts) || [];
    expect(items.map(({ id }) => id)).toEqual(ids);
  });
});

const REQUESTER = { name: 'a caller' } as unknown as Requester;
const DEADLINE = readingAt(NOW + 8000);
const LIST = ['a list'];
const POSTS = ['23', '22', '21'].map((id) => post(id));
const USERS = ['ada', 'bo', 'cy'].map((handle) => user(handle));

type Calls = [method: keyof Upstream, ...unknown[]][];

/** Notes its calls. The lists have one page and a next one. */
const upstreamWith = (calls: Calls, members: Partial<Upstream>): Upstream => {
  const noting =
    <Facts extends readonly unknown[], T>(method: keyof Upstream, answer: (...facts: Facts) => Promise<T>) =>
    (...facts: Facts): Promise<T> => {
      calls.push([method, ...facts]);
      return answer(...facts);
    };
  const all: Upstream = {
    readPost: async ({ id }) => found(conversation(id)),
    readProfile: async (name) => found(user(name === 'id:12' ? 'Jack' : name)),
    listPosts: async () => found(page(POSTS, 'n')),
    listUsers: async () => found(page(USERS, 'n')),
    ...members,
  };
  return {
    readPost: noting('readPost', all.readPost),
    readProfile: noting('readProfile', all.readProfile),
    listPosts: noting('listPosts', all.listPosts),
    listUsers: noting('listUsers', all.listUsers),
  };
};

type Ports = Parameters<typeof listProfilePosts>[1];
type Run = (ports: Ports, input: ListInput & { readonly limit: number }) => Promise<UseCaseResult<object>>;

/** @param members the members beside the items and the cursor */
type ListCase = readonly [name: string, items: 'posts' | 'users', run: Run, calls: Calls, members: object];

/** The call of a page of three items. */
const pageOf = (method: 'listPosts' | 'listUsers', request: object): Calls[number] => [
  method,
  request,
  { size: 3 },
  DEADLINE,
  REQUESTER,
];
const JACKS = pageOf('listPosts', { list: 'posts', handle: 'jack', kind: 'posts' });

const CASES: readonly ListCase[] = [
  [
    'replies',
    'posts',
    (ports, input) => listReplies({ ...input, id: '20', order: 'recent' }, ports, REQUESTER),
    [pageOf('listPosts', { list: 'replies', id: '20', order: 'recent' })],
    { id: '20' },
  ],
  [
    'quotes',
    'posts',
    (ports, input) => listQuotes({ ...input, id: '20' }, ports, REQUESTER),
    [pageOf('listPosts', { list: 'quotes', id: '20' })],
    { id: '20' },
  ],
  [
    'reposts',
    'users',
    (ports, input) => listReposts({ ...input, id: '20' }, ports, REQUESTER),
    [pageOf('listUsers', { list: 'reposts', id: '20' })],
    { id: '20' },
  ],
  [
    'followers',
    'users',
    (ports, input) => listFollows('followers')({ ...input, handle: 'Jack' }, ports, REQUESTER),
    [pageOf('listUsers', { list: 'followers', handle: 'jack' })],
    { handle: 'jack' },
  ],
  [
    'the posts of a profile',
    'posts',
    (ports, input) => listProfilePosts({ ...input, handle: 'Jack', kind: 'replies', until: NOW }, ports, REQUESTER),
    [pageOf('listPosts', { list: 'posts', handle: 'jack', kind: 'replies', until: NOW })],
    { handle: 'jack', kind: 'replies' },
  ],
  [
    'a profile',
    'posts',
    (ports, input) => readProfile({ ...input, handle: 'Jack' }, ports, REQUESTER),
    [JACKS, ['readProfile', 'jack', DEADLINE, REQUESTER]],
    { profile: user('jack') },
  ],
  [
    'a profile by id',
    'posts',
    (ports, input) => readProfile({ ...input, id: '12' }, ports, REQUESTER),
    [['readProfile', 'id:12', DEADLINE, REQUESTER], JACKS],
    { profile: user('Jack') },
  ],
  [
    'a search for posts',
    'posts',
    (ports, input) => searchPosts({ ...input, query: 'tide', feed: 'top' }, ports, REQUESTER),
    [pageOf('listPosts', { list: 'search', query: 'tide', feed: 'top' })],
    { query: 'tide', feed: 'top' },
  ],
  [
    'a search for users',
    'users',
    (ports, input) => searchPosts({ ...input, query: 'tide', feed: 'users' }, ports, REQUESTER),
    [pageOf('listUsers', { list: 'users', query: 'tide' })],
    { query: 'tide', feed: 'users' },
  ],
];

const cursorOf = (result: object): unknown =>
  'next_cursor' in result && typeof result.next_cursor === 'string'
    ? cursors.decode(LIST, result.next_cursor)
    : undefined;

const withoutCursor = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'next_cursor'));

test.each(CASES)(
  '%s: a result of fewer items continues after them, says that it is short, and calls no provider',
  async (_, name, run, expectedCalls, members) => {
    const items: readonly unknown[] = name === 'posts' ? POSTS : USERS;
    const calls: Calls = [];
    const ports = { upstream: upstreamWith(calls, {}), cursors, ...clocksOf(() => NOW) };
    const { parts } = await run(ports, { list: LIST, limit: 3 });
    const { value = {}, parts: ofTwo, continuations = [], ...rest } = parts?.keep(2) ?? {};
    expect(withoutCursor(value)).toEqual({ ...members, [name]: items.slice(0, 2) });
    expect(cursorOf(value)).toMatchObject({ provider: 'fxtwitter', size: 3, emptyPages: 0, isPartial: true });
    expect(rest).toEqual({ source: 'fxtwitter', fetchedAt: NOW, warnings: [warning('partial_page')] });
    expect(continuations).toEqual([]);
    expect(ofTwo).toMatchObject({ count: 2, minimum: 1 });
    expect(withoutCursor(ofTwo?.keep(1).value ?? {})).toEqual({ ...members, [name]: items.slice(0, 1) });
    expect(calls).toEqual(expectedCalls);
  },
);

test.each<readonly [string, Outcome<UpstreamPage<User>>, string, string]>([
  ['gone', { kind: 'gone', reason: 'suspended' }, 'upstream_unavailable', 'a search that is gone'],
  ['absent', { kind: 'absent' }, 'upstream_unavailable', 'a search that is absent'],
  ['refused', { kind: 'refused', why: '400' }, 'invalid_query', '400'],
])('a search for users that is %s has a cause for the log', async (_, outcome, code, cause) => {
  const upstream = upstreamWith([], { listUsers: async () => outcome });
  const thrown = await refusal(
    searchPosts({ query: 'tide', feed: 'users', list: LIST, limit: 3 }, { upstream, cursors, ...clocksOf(() => NOW) }),
  );
  expect([thrown.code, thrown.options.cause]).toEqual([code, cause]);
});

test('a list that is not found although its owner is has a cause for the log', async () => {
  const upstream = upstreamWith([], { listUsers: async () => ({ kind: 'ambiguous' }) });
  const thrown = await refusal(
    listFollows('following')({ handle: 'jack', list: LIST, limit: 3 }, { upstream, cursors, ...clocksOf(() => NOW) }),
  );
  expect([thrown.code, thrown.options.cause]).toEqual(['upstream_unavailable', 'found the owner, not the list']);
});

test.each([
  ['cursor', 'invalid_cursor', 'cursor', 'is no longer known to the source of the list'],
  ['until', 'invalid_parameter', 'until', 'is earlier than the source of the list reaches'],
  ['query', 'invalid_query', 'q', 'is not accepted by the source'],
] as const)('a refused %s names its parameter and says what is wrong', (name, code, parameter, message) => {
  const problem = problemFromOutcome({ kind: 'refused', why: '400' }, POST_PROBLEMS, rejectedParameter[name]);
  expect({ code: problem.code, ...problem.options }).toEqual({
    code,
    errors: [{ parameter, message }],
    detail: `${parameter} ${message}.`,
    cause: '400',
  });
  expect(problemFromOutcome({ kind: 'down', why: 'a' }, POST_PROBLEMS, rejectedParameter[name])).toBeInstanceOf(
    Problem,
  );
});

test('[pages 3] a profile repeats no old part of a thread when the end of a page divides another thread', async () => {
  const numbers = (from: number, count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => from - index);
  // The threads are 10, 1000 and 5, 650. Their old parts come again at their own places.
  const pages = [[10, 1000], numbers(990, 50), [5], [650, 640], numbers(630, 50), [10], [5]];
  const upstream: Upstream = {
    ...upstreamFindingAll,
    listPosts: async (_, { cursor = '0' }) => {
      const number = Number(cursor);
      const items = (pages[number] ?? []).map((id) => post(String(id), 'ada'));
      return found(page(items, number + 1 < pages.length ? String(number + 1) : undefined));
    },
  };
  const list = ['profile', 'ada'];
  const shown: string[] = [];
  let cursor: string | undefined;
  do {
    const position = cursor === undefined ? undefined : cursors.decode(list, cursor);
    const input = { handle: 'ada', kind: 'posts', limit: 53, list, ...(position && { position }) } as const;
    const { value } = await listProfilePosts(input, { upstream, cursors, ...clocksOf(() => NOW) });
    shown.push(...value.posts.map(({ id }) => id));
    cursor = value.next_cursor;
  } while (cursor !== undefined);
  expect(shown).toEqual([...new Set(pages.flat())].map(String));
});
