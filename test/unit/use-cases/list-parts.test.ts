// Tests the lists of use cases: the calls to the provider, the whole result, and a result of fewer items.
import { describe, expect, test } from 'vitest';
import type { ListInput } from '../../../shared/contract/list-inputs.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { warning } from '../../../shared/contract/warnings.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, Requester, Upstream, UpstreamPage, UseCaseResult } from '../../../shared/ports/upstream.ts';
import { listFollows, listQuotes, listReplies, listReposts } from '../../../shared/use-cases/list-items.ts';
import { readProfile } from '../../../shared/use-cases/read-profile.ts';
import { readTimeline } from '../../../shared/use-cases/read-timeline.ts';
import { searchPosts } from '../../../shared/use-cases/search-posts.ts';
import { conversation, cursors, found, NOW, page, post, user } from '../../support/test-app.ts';

const REQUESTER = { name: 'a caller' } as unknown as Requester;
const DEADLINE = NOW + 8000;
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

type Ports = Parameters<typeof readTimeline>[1];
type Run = (ports: Ports, input: ListInput & { readonly limit: number }) => Promise<UseCaseResult<object>>;

interface ListCase {
  readonly name: string;
  readonly run: Run;
  readonly calls: Calls;
  /** The members beside the items and the cursor. */
  readonly members: object;
  readonly items: 'posts' | 'users';
  readonly warnings?: readonly ReturnType<typeof warning>[];
}

const SIZE = { size: 3 };

const CASES: readonly ListCase[] = [
  {
    name: 'replies',
    run: (ports, input) => listReplies({ ...input, id: '20', order: 'recent' }, ports, REQUESTER),
    calls: [['listPosts', { list: 'replies', id: '20', order: 'recent' }, SIZE, DEADLINE, REQUESTER]],
    members: { id: '20' },
    items: 'posts',
  },
  {
    name: 'quotes',
    run: (ports, input) => listQuotes({ ...input, id: '20' }, ports, REQUESTER),
    calls: [['listPosts', { list: 'quotes', id: '20' }, SIZE, DEADLINE, REQUESTER]],
    members: { id: '20' },
    items: 'posts',
  },
  {
    name: 'reposts',
    run: (ports, input) => listReposts({ ...input, id: '20' }, ports, REQUESTER),
    calls: [['listUsers', { list: 'reposts', id: '20' }, SIZE, DEADLINE, REQUESTER]],
    members: { id: '20' },
    items: 'users',
  },
  {
    name: 'followers',
    run: (ports, input) => listFollows('followers')({ ...input, handle: 'Jack' }, ports, REQUESTER),
    calls: [['listUsers', { list: 'followers', handle: 'jack' }, SIZE, DEADLINE, REQUESTER]],
    members: { handle: 'jack' },
    items: 'users',
  },
  {
    name: 'the posts of a profile',
    run: (ports, input) => readTimeline({ ...input, handle: 'Jack', kind: 'replies', until: NOW }, ports, REQUESTER),
    calls: [['listPosts', { list: 'posts', handle: 'jack', kind: 'replies', until: NOW }, SIZE, DEADLINE, REQUESTER]],
    members: { handle: 'jack', kind: 'replies' },
    items: 'posts',
  },
  {
    name: 'a profile',
    run: (ports, input) => readProfile({ ...input, handle: 'Jack' }, ports, REQUESTER),
    calls: [
      ['listPosts', { list: 'posts', handle: 'jack', kind: 'posts' }, SIZE, DEADLINE, REQUESTER],
      ['readProfile', 'jack', DEADLINE, REQUESTER],
    ],
    members: { profile: user('jack') },
    items: 'posts',
  },
  {
    name: 'a profile by id',
    run: (ports, input) => readProfile({ ...input, id: '12' }, ports, REQUESTER),
    calls: [
      ['readProfile', 'id:12', DEADLINE, REQUESTER],
      ['listPosts', { list: 'posts', handle: 'jack', kind: 'posts' }, SIZE, DEADLINE, REQUESTER],
    ],
    members: { profile: user('Jack') },
    items: 'posts',
  },
  {
    name: 'a search for posts',
    run: (ports, input) => searchPosts({ ...input, query: 'tide', feed: 'top' }, ports, REQUESTER),
    calls: [['listPosts', { list: 'search', query: 'tide', feed: 'top' }, SIZE, DEADLINE, REQUESTER]],
    members: { query: 'tide', feed: 'top' },
    items: 'posts',
  },
  {
    name: 'a search for users',
    run: (ports, input) => searchPosts({ ...input, query: 'tide', feed: 'users' }, ports, REQUESTER),
    calls: [['listUsers', { list: 'users', query: 'tide' }, SIZE, DEADLINE, REQUESTER]],
    members: { query: 'tide', feed: 'users' },
    items: 'users',
    warnings: [warning('users_partial')],
  },
];

const position = { provider: 'fxtwitter', size: 3, emptyPages: 0 };

const cursorOf = (result: object): unknown =>
  'next_cursor' in result && typeof result.next_cursor === 'string'
    ? cursors.decode(LIST, result.next_cursor)
    : undefined;

const withoutCursor = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'next_cursor'));

describe.each(CASES)('$name', ({ run, calls: expectedCalls, members, items: name, warnings = [] }) => {
  const items: readonly unknown[] = name === 'posts' ? POSTS : USERS;
  const read = (calls: Calls = [], upstream: Partial<Upstream> = {}) =>
    run({ upstream: upstreamWith(calls, upstream), cursors, clock: () => NOW }, { list: LIST, limit: 3 });

  test('a result of fewer items continues after them, says that it is short, and calls no provider', async () => {
    const calls: Calls = [];
    const { parts } = await read(calls);
    const two = parts?.keep(2);
    const { value = {}, parts: ofTwo, ...rest } = two ?? {};
    expect(withoutCursor(value)).toEqual({ ...members, [name]: items.slice(0, 2) });
    expect(cursorOf(value)).toMatchObject({ ...position, isPartial: true });
    expect(rest).toEqual({ source: 'fxtwitter', fetchedAt: NOW, warnings: [warning('partial_page'), ...warnings] });
    expect(ofTwo).toMatchObject({ count: 2, minimum: 1 });
    const one = ofTwo?.keep(1).value ?? {};
    expect(withoutCursor(one)).toEqual({ ...members, [name]: items.slice(0, 1) });
    expect(calls).toEqual(expectedCalls);
  });
});

const problemOf = async (answer: Promise<unknown>): Promise<Problem> => {
  const thrown: unknown = await answer.catch((error: unknown) => error);
  if (!(thrown instanceof Problem)) throw new Error('no Problem was thrown');
  return thrown;
};

test.each<readonly [string, Outcome<UpstreamPage<User>>, string, string]>([
  ['gone', { kind: 'gone', reason: 'suspended' }, 'upstream_unavailable', 'a search that is gone'],
  ['absent', { kind: 'absent' }, 'upstream_unavailable', 'a search that is absent'],
  ['refused', { kind: 'refused', why: '400' }, 'invalid_query', '400'],
])('a search for users that is %s has a cause for the log', async (_, outcome, code, cause) => {
  const upstream = upstreamWith([], { listUsers: async () => outcome });
  const thrown = await problemOf(
    searchPosts({ query: 'tide', feed: 'users', list: LIST, limit: 3 }, { upstream, cursors, clock: () => NOW }),
  );
  expect([thrown.code, thrown.options.cause]).toEqual([code, cause]);
});

test('a list that is not found although its owner is has a cause for the log', async () => {
  const upstream = upstreamWith([], { listUsers: async () => ({ kind: 'ambiguous' }) });
  const thrown = await problemOf(
    listFollows('following')({ handle: 'jack', list: LIST, limit: 3 }, { upstream, cursors, clock: () => NOW }),
  );
  expect([thrown.code, thrown.options.cause]).toEqual(['upstream_unavailable', 'found the owner, not the list']);
});
