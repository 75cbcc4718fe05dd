// Tests which provider is called for which page.
import { describe, expect, test } from 'vitest';
import { monotonic, NEVER } from '../../../shared/model/time.ts';
import type { User } from '../../../shared/model/user.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import type { Outcome, PostListRequest, UserListRequest } from '../../../shared/ports/upstream.ts';
import { createListReader, type ListOptions, type NamedProvider } from '../../../shared/upstream/list-reader.ts';
import type { Provider, ProviderPage, ReadPage } from '../../../shared/upstream/provider.ts';
import { clocksOf } from '../../support/clocks.ts';
import { found, user } from '../../support/test-app.ts';

type Answer = Outcome<ProviderPage<User>>;
const listRequest = { list: 'followers', handle: 'jack' } as const;
const items = [user('ada')];

type Page = Parameters<ReadPage<User>>[0];

const createReaders = (providers: readonly NamedProvider[], options: ListOptions) => ({
  listPosts: createListReader(providers, (given, request: PostListRequest) => given.listPosts?.(request), options),
  listUsers: createListReader(providers, (given, request: UserListRequest) => given.listUsers?.(request), options),
});

const createTestReaders = (answers: Readonly<Record<string, Answer | (() => never)>>, more: Partial<Provider> = {}) => {
  const calls: string[] = [];
  const log: LogFields[] = [];
  let now = 0;
  const providers = Object.entries(answers).map(([name, answer]) => ({
    name,
    provider: {
      ...more,
      listUsers: () => async (page: Page) => {
        calls.push([name, page.cursor, page.size].filter((fact) => fact !== undefined).join(' '));
        return typeof answer === 'function' ? answer() : answer;
      },
    },
  }));
  const lists = createReaders(providers, {
    ...clocksOf(() => now),
    log: (fields) => void log.push(fields),
    cacheMilliseconds: 60_000,
    random: () => 0,
  });
  return {
    ...lists,
    calls,
    log,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
};

describe('the first page', () => {
  test('the first page comes from the first provider that has it and names the provider', async () => {
    const { listUsers, calls } = createTestReaders({ a: found({ items, next: 'n' }), b: found({ items }) });
    expect(await listUsers(listRequest, { size: 20 }, NEVER)).toMatchObject({
      value: { items, next: 'n', provider: 'a', isFallback: false },
    });
    expect(calls).toEqual(['a 20']);
  });

  test('the first page of a later provider has isFallback and a warning', async () => {
    const { listUsers, calls } = createTestReaders({ a: { kind: 'down', why: 'time-out' }, b: found({ items }) });
    expect(await listUsers(listRequest, { size: 20 }, NEVER)).toMatchObject({
      value: { provider: 'b', isFallback: true },
      warnings: [{ code: 'fallback_answered' }],
    });
    expect(calls).toEqual(['a 20', 'b 20']);
  });
});

describe('a later page', () => {
  test('a later page is requested only from the provider of the first page, also after a failure', async () => {
    const { listUsers, calls } = createTestReaders({ a: found({ items }), b: { kind: 'down', why: 'time-out' } });
    expect(await listUsers(listRequest, { provider: 'b', cursor: 'n', size: 20 }, NEVER)).toMatchObject({
      kind: 'down',
    });
    expect(calls).toEqual(['b n 20']);
  });

  test('a later page of a provider that is not configured is refused', async () => {
    const { listUsers, calls } = createTestReaders({ a: found({ items }) });
    expect(await listUsers(listRequest, { provider: 'z', cursor: 'n', size: 20 }, NEVER)).toMatchObject({
      kind: 'refused',
    });
    expect(calls).toEqual([]);
  });
});

describe('the cache of pages', () => {
  test('[caching 15] callers of the same page share one call, also during the call', async () => {
    const { listUsers, calls } = createTestReaders(
      { a: found({ items }) },
      { pageSize: (wanted) => (wanted <= 20 ? 20 : 100) },
    );
    await Promise.all([1, 7, 20].map((size) => listUsers(listRequest, { size }, NEVER)));
    await listUsers(listRequest, { size: 5, provider: 'a' }, NEVER);
    expect(calls).toEqual(['a 20']);
  });

  test('pages are cached by list, owner, provider, cursor and size', async () => {
    const { listUsers, calls } = createTestReaders({ a: found({ items }), b: found({ items }) });
    await listUsers(listRequest, { size: 20 }, NEVER);
    await listUsers({ ...listRequest, list: 'following' }, { size: 20 }, NEVER);
    await listUsers({ ...listRequest, handle: 'jill' }, { size: 20 }, NEVER);
    await listUsers(listRequest, { size: 20, provider: 'b' }, NEVER);
    await listUsers(listRequest, { size: 20, provider: 'a', cursor: 'n' }, NEVER);
    await listUsers(listRequest, { size: 30 }, NEVER);
    expect(calls).toEqual(['a 20', 'a 20', 'a 20', 'b 20', 'a n 20', 'a 30']);
  });

  test('a page is cached for 60 s', async () => {
    const { listUsers, calls, wait } = createTestReaders({ a: found({ items }) });
    await listUsers(listRequest, { size: 20 }, NEVER);
    wait(59_999);
    await listUsers(listRequest, { size: 20 }, NEVER);
    wait(1);
    await listUsers(listRequest, { size: 20 }, NEVER);
    expect(calls).toHaveLength(2);
  });
});

test('[bounds 3] a page with a provider cursor above 2,000 bytes is a failed outcome', async () => {
  for (const next of ['x'.repeat(1999), '漢'.repeat(700), '"'.repeat(1000)]) {
    const { listUsers } = createTestReaders({ a: found({ items, next }) });
    expect(await listUsers(listRequest, { size: 20 }, NEVER)).toMatchObject({ kind: 'failed' });
  }
  const { listUsers } = createTestReaders({ a: found({ items, next: 'x'.repeat(1998) }) });
  expect(await listUsers(listRequest, { size: 20 }, NEVER)).toMatchObject({ kind: 'found' });
});

test.each([
  [100, 25, ['a 100', 'a 50', 'a 25'], 25],
  [20, 10, ['a 20', 'a 10'], 10],
  [20, 20, ['a 20'], undefined],
])('a page of %i items that is too large is requested again with half of them', async (size, fits, calls, given) => {
  const requested: string[] = [];
  const read: ReadPage<User> = async (page) => {
    requested.push(`a ${page.size}`);
    return page.size > fits ? { kind: 'failed', why: 'body too large', isTooLarge: true } : found({ items });
  };
  const options = { clock: () => monotonic(0), log: () => {}, cacheMilliseconds: 0, random: () => 0 };
  const { listUsers } = createReaders([{ name: 'a', provider: { listUsers: () => read } }], options);
  const outcome = await listUsers(listRequest, { size }, NEVER);
  expect(requested).toEqual(calls);
  expect(outcome.kind === 'found' && outcome.value.size).toBe(given);
});

test.each<readonly [string, Answer, readonly string[]]>([
  ['too large for 10 items', { kind: 'failed', why: 'body too large', isTooLarge: true }, ['a 20', 'a 10']],
  ['unusable', { kind: 'failed', why: 'not JSON' }, ['a 20']],
  ['down', { kind: 'down', why: 'time-out' }, ['a 20']],
])('a page that is %s is not requested further', async (_, answer, calls) => {
  const { listUsers, calls: requested } = createTestReaders({ a: answer });
  expect((await listUsers(listRequest, { size: 20 }, NEVER)).kind).toBe(answer.kind);
  expect(requested).toEqual(calls);
});
