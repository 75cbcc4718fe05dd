// Tests which requests are charged, to which caller, which cost nothing, and what the fields of the answer say.
import { describe, expect, test } from 'vitest';
import { type Allowance, buildAllowances } from '../../../shared/contract/allowances.ts';
import type { FailedOutcome, Upstream } from '../../../shared/ports/upstream.ts';
import { newApiKey } from '../../support/access-control.ts';
import {
  allowanceOf,
  BROWSE_TARGETS,
  PROFILE_TARGETS,
  routesOf,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import {
  counterStoreNotCalled,
  countingUpstream,
  createLimitedApp,
  createTestKey,
  keyReaderNotCalled,
  type LimitedApp,
  parseRateLimitField,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import {
  found,
  page,
  type TestResponse,
  upstreamFindingAll,
  upstreamNotCalled,
  upstreamReturning,
  user,
} from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';
const DOWN = upstreamReturning({ kind: 'down', why: '' });

/** The statuses of `count` admitted requests and one denied request. */
const admitted = (count: number): readonly number[] => [...Array<number>(count).fill(200), 429];

const per = (count: number, seconds = 60) => ({ count, seconds });

/** Searches with a pool of this many units. */
const pooled = (count: number) => ({ search: { ...TINY_ALLOWANCES.search, pool: per(count) } });

/** @returns the seconds to wait, which header and body agree on */
const expectDenied = (answer: TestResponse): number => {
  const document = expectProblem(answer, 429, 'rate_limited');
  const seconds = Number(answer.headers['retry-after']);
  expect(document['retry_after']).toBe(seconds);
  return seconds;
};

const fieldsOf = (answer: TestResponse) => ({
  policy: parseRateLimitField(answer, 'ratelimit-policy'),
  limits: parseRateLimitField(answer, 'ratelimit'),
});

describe.each(BROWSE_TARGETS)('[allowances 1] [allowances 3] [allowances 4] the allowance of $resource', (read) => {
  const { anonymous, keyed } = TINY_ALLOWANCES[allowanceOf(read)];

  test('is one for all URLs of the use case, ends after Retry-After, and not earlier', async () => {
    const { get, clock, statuses } = createLimitedApp();
    const all: number[] = [];
    for (const route of [...routesOf([read]), ...routesOf([read])]) all.push((await get(route)).status);
    expect(all).toEqual([...Array(anonymous.count).fill(200), ...Array(6 - anonymous.count).fill(429)]);
    clock.wait((expectDenied(await get(read.v1)) - 2) * 1000);
    expect(expectDenied(await get(read.v1))).toBe(2);
    clock.wait(2000);
    expect(await statuses(anonymous.count + 1, read.permalink)).toEqual(admitted(anonymous.count));
  });

  test('[allowances 2] is another with a key, whose answers have the remaining units and seconds', async () => {
    const { headers, keys } = createTestKey();
    const { get, clock, statuses } = createLimitedApp({ access: { keys } });
    expect((await statuses(anonymous.count + 1, read.v1)).at(-1)).toBe(429);
    for (let left = keyed.count - 1; left >= 0; left -= 1) {
      const { [allowanceOf(read)]: { r, t = Number.NaN } = {} } = fieldsOf(await get(read.v1, { headers })).limits;
      expect([r, t > 0, t <= 61]).toEqual([left, true, true]);
      clock.wait(10);
    }
    const denied = await get(read.v1, { headers });
    expect(denied.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-api-key-status': 'valid' });
    clock.wait(expectDenied(denied) * 1000);
    expect(await statuses(keyed.count + 1, read.v1, headers)).toEqual(admitted(keyed.count));
  });
});

describe('[allowances 3] [allowances 4] one allowance', () => {
  test('covers profiles, followers and following together, and another all feeds of searches', async () => {
    const { get, statuses } = createLimitedApp();
    for (const route of ['/jack', '/api/v1/profiles/ada/followers', '/api/browse?resource=following&handle=ann'])
      expect((await get(route)).status).toBe(200);
    expect(await statuses(2, '/ada/followers?limit=3')).toEqual([200, 429]);
    for (const route of routesOf(PROFILE_TARGETS)) expect((await get(route)).status).toBe(429);
    for (const feed of ['latest', 'top', 'users'])
      expect((await get(withQuery(SEARCH, `feed=${feed}`))).status).toBe(200);
    expect((await get(withQuery(SEARCH, 'feed=media'))).status).toBe(429);
  });

  test('is shared by all instances, and belongs to a key wherever its caller is', async () => {
    const [key, other] = [createTestKey({ id: 'one' }), createTestKey({ id: 'other' })];
    const keys = { read: async (hash: string) => (await key.keys.read(hash)) ?? (await other.keys.read(hash)) };
    const first = createLimitedApp({ access: { keys } });
    const second = createLimitedApp({ access: { keys, counters: first.counters } });
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      const headers = { ...key.headers, ...viewerIp(`192.0.2.${index}`) };
      statuses.push(...(await (index % 2 === 0 ? first : second).statuses(1, SEARCH, headers)));
    }
    expect(statuses).toEqual(admitted(6));
    expect(await first.statuses(7, SEARCH, other.headers)).toEqual(admitted(6));
    await first.statuses(1, '/jack', key.headers);
    expect(first.counters.calls.at(-1)?.counter.partition).toBe('browse#k:one');
  });
});

describe('the allowance of a key', () => {
  test.each<[Allowance | undefined, number, string]>([
    [undefined, 6, '"search";q=6;w=60'],
    [per(8), 8, '"search";q=8;w=60'],
    [per(1, 86_400), 1, '"search";q=1;w=86400'],
    [{ ...per(8), burst: per(2, 10) }, 2, '"search";q=8;w=60, "search-burst";q=2;w=10'],
  ])('[allowances 2] is that of all keys, or its own, for searches only: %o', async (search, count, policy) => {
    const { headers, keys } = createTestKey({ ...(search && { search }) });
    const { get, statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(count + 1, SEARCH, headers)).toEqual(admitted(count));
    for (const target of [SEARCH, '/search'])
      expect((await get(target, { headers })).headers['ratelimit-policy']).toBe(policy);
    expect(await statuses(5, '/jack', headers)).toEqual(admitted(4));
    expect((await get('/jack', { headers })).headers['ratelimit-policy']).toBe('"browse";q=4;w=60');
  });

  test('[keys 7] changes at once when the operator raises or lowers it', async () => {
    const { headers, keys, change } = createTestKey();
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(7, SEARCH, headers)).toEqual(admitted(6));
    for (const [count, expected] of [
      [8, [200, 200, 429]],
      [7, [429]],
      [9, [200, 429]],
    ] as const) {
      change({ search: per(count) });
      expect(await statuses(expected.length, SEARCH, headers)).toEqual(expected);
    }
  });
});

/** True if the second caller is denied because of the charges of the first. */
const areOne = async (first: Readonly<Record<string, string>>, second: Readonly<Record<string, string>>) => {
  const { statuses } = createLimitedApp();
  expect(await statuses(3, SEARCH, first)).toEqual([200, 200, 200]);
  return (await statuses(1, SEARCH, second))[0] === 429;
};

describe('[allowances 4] callers without a key', () => {
  test.each([
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['garbage', '<script>', true],
    ['garbage', '192.0.2.1', false],
  ])('are the networks that the edge saw: %o and %o are one: %s', async (first, second, expected) => {
    expect(await areOne(viewerIp(first), viewerIp(second))).toBe(expected);
  });

  test('are not identified by headers that the client sends, nor by the address of the gateway', async () => {
    const edge = viewerIp('192.0.2.1');
    const names = 'x-forwarded-for forwarded x-real-ip cf-connecting-ip true-client-ip via user-agent cookie'.split(
      ' ',
    );
    for (const name of names)
      expect(await areOne({ ...edge, [name]: '198.51.100.1' }, { ...edge, [name]: '198.51.100.2' }), name).toBe(true);
    expect(await areOne({}, viewerIp('not an address'))).toBe(true);
    expect(await areOne({}, edge)).toBe(false);
  });

  test('[keys 12] have IP addresses that neither a counter nor a log line shows, nor a plain hash of them', async () => {
    const partitionOf = async (networkSecret: string): Promise<string | undefined> => {
      const { statuses, counters, log } = createLimitedApp({ access: { networkSecret } });
      await statuses(5, SEARCH, viewerIp('192.0.2.77'));
      await statuses(15, SEARCH, { ...viewerIp('192.0.2.77'), authorization: 'Bearer x' });
      expect(JSON.stringify([counters.calls, log])).not.toContain('192.0.2');
      return counters.calls[0]?.counter.partition;
    };
    expect(await partitionOf('one secret')).toMatch(/^search#a:[\w-]{22}$/);
    expect(await partitionOf('one secret')).toBe(await partitionOf('one secret'));
    expect(await partitionOf('one secret')).not.toBe(await partitionOf('another'));
  });
});

test('[allowances 1] [allowances 2] a burst limit denies until the end of its part', async () => {
  const allowances = buildAllowances({
    searchAnonymous: { ...per(5), burst: per(2, 10) },
    searchKeyed: { ...per(6), burst: per(3, 20) },
    browse: per(4),
  });
  const { headers, keys } = createTestKey();
  const { get, statuses, clock } = createLimitedApp({ access: { keys, allowances } });
  expect(await statuses(2, SEARCH)).toEqual([200, 200]);
  const answer = await get(SEARCH);
  const seconds = expectDenied(answer);
  expect(seconds).toBeLessThanOrEqual(11);
  expect(answer.json()['detail']).toContain('2 requests per 10 seconds');
  expect(fieldsOf(answer)).toEqual({
    policy: { search: { q: 5, w: 60 }, 'search-burst': { q: 2, w: 10 } },
    limits: { 'search-burst': { r: 0, t: seconds } },
  });
  const t = expect.any(Number);
  expect(fieldsOf(await get(SEARCH, { headers }))).toEqual({
    policy: { search: { q: 6, w: 60 }, 'search-burst': { q: 3, w: 20 } },
    limits: { search: { r: 5, t }, 'search-burst': { r: 2, t } },
  });
  clock.wait(seconds * 1000);
  expect(await statuses(3, SEARCH)).toEqual([200, 200, 429]);
  clock.wait(10_000);
  expect(await statuses(2, SEARCH)).toEqual([200, 429]);
  expect((await get(SEARCH)).json()['detail']).toContain('5 requests per 60 seconds');
});

describe('[allowances 1] [allowances 2] [allowances 4] a pool of all searches without a key', () => {
  test('denies every caller without a key when it is spent, names itself, and limits no one else', async () => {
    const { headers, keys } = createTestKey();
    const { upstream, calls } = countingUpstream();
    const { get, statuses, clock, counters } = createLimitedApp({ upstream, access: { keys, allowances: pooled(2) } });
    for (const caller of [1, 2]) expect(await statuses(1, SEARCH, viewerIp(`192.0.2.${caller}`))).toEqual([200]);
    const answer = await get(SEARCH, { headers: viewerIp('192.0.2.3') });
    const seconds = expectDenied(answer);
    expect(answer.json()['detail']).toMatch(/that all callers without an API key share is 2 requests per 60 seconds/);
    expect(fieldsOf(answer)).toEqual({
      policy: { search: { q: 3, w: 60 }, 'search-pool': { q: 2, w: 60 } },
      limits: { 'search-pool': { r: 0, t: seconds } },
    });
    expect(await statuses(3, SEARCH, viewerIp('192.0.2.3'))).toEqual([429, 429, 429]);
    // The instance knows that the pool is spent.
    expect(fieldsOf(await get(SEARCH, { headers: viewerIp('192.0.2.4') })).limits).toEqual({
      'search-pool': { r: 0, t: expect.any(Number) },
    });
    expect(calls()).toBe(2);
    const units = counters.calls
      .filter(({ counter }) => counter.partition.startsWith('search#a:'))
      .map((call) => (call.verb === 'charge' ? call.units : -call.units));
    expect(units.reduce((sum, count) => sum + count)).toBe(2);
    expect(await statuses(7, SEARCH, headers)).toEqual(admitted(6));
    expect(fieldsOf(await get(SEARCH, { headers })).policy).toEqual({ search: { q: 6, w: 60 } });
    expect(await statuses(4, '/jack')).toEqual([200, 200, 200, 200]);
    clock.wait(seconds * 1000);
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.3'))).toEqual([200]);
  });

  test('is not spent by a caller whose allowance is spent', async () => {
    const { statuses, get } = createLimitedApp({ access: { allowances: pooled(4) } });
    expect(await statuses(6, SEARCH, viewerIp('192.0.2.1'))).toEqual([200, 200, 200, 429, 429, 429]);
    const answer = await get(SEARCH, { headers: viewerIp('192.0.2.1') });
    expect(fieldsOf(answer).limits).toEqual({ search: { r: 0, t: expect.any(Number) } });
    expect(answer.json()['detail']).toMatch(/^The search allowance is 3 requests per 60 seconds/);
    expect(await statuses(2, SEARCH, viewerIp('192.0.2.2'))).toEqual([200, 429]);
  });
});

test('[allowances 2] [allowances 6] RateLimit and RateLimit-Policy have no units if only memory counted, or if nothing was charged', async () => {
  const { headers, keys } = createTestKey();
  const inMemory = createLimitedApp({ access: { keys, counters: counterStoreNotCalled } });
  for (const status of admitted(6)) {
    const answer = await inMemory.get(SEARCH, { headers });
    expect([answer.status, fieldsOf(answer)]).toEqual([status, { policy: { search: { q: 6, w: 60 } }, limits: {} }]);
  }
  const remembering = createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 });
  await remembering.get(SEARCH);
  expect((await remembering.get(SEARCH, { headers })).headers).not.toHaveProperty('ratelimit');
  const failing = createLimitedApp({ upstream: DOWN, access: { keys } });
  expect((await failing.get(SEARCH, { headers })).headers).not.toHaveProperty('ratelimit');
});

describe('[allowances 5] [allowances 7] the allowances are unchanged after', () => {
  /** Requests of one caller before the caller spends the allowances of searches and profiles. */
  const costsNothing = async (prelude: (built: LimitedApp) => Promise<void>): Promise<void> => {
    const built = createLimitedApp();
    await prelude(built);
    expect(await built.statuses(4, SEARCH)).toEqual(admitted(3));
    expect(await built.statuses(5, '/jack')).toEqual(admitted(4));
  };

  test.each(['GET', 'HEAD'])('%s with invalid parameters, an unacceptable Accept or an invalid key', async (method) => {
    await costsNothing(async ({ get }) => {
      for (const route of routesOf(BROWSE_TARGETS)) {
        for (const query of ['limit=0', 'limit=1&limit=2', 'format=xml', 'cursor=x'])
          expect((await get(withQuery(route, query), { method })).status).toBe(400);
        expect((await get(route, { method, headers: { accept: 'image/png' } })).status).toBe(406);
        for (const authorization of ['Bearer', `Bearer ${newApiKey()}`])
          expect((await get(route, { method, headers: { authorization } })).status).toBe(401);
      }
      for (const route of ['/search', '/search?q=x&feed=y', '/api/browse', '/api/browse?resource=profile'])
        expect((await get(route, { method })).status).toBe(400);
    });
  });

  test('OPTIONS, other methods, unknown routes, and requests that bypass the edge', async () => {
    await costsNothing(async ({ get }) => {
      for (const route of routesOf(BROWSE_TARGETS)) {
        expect((await get(route, { method: 'OPTIONS' })).status).toBe(204);
        expect((await get(route, { method: 'POST' })).status).toBe(405);
        expect((await get(route, { secret: 'wrong' })).status).toBe(403);
        expect((await get(withQuery(route, `cursor=${'x'.repeat(9000)}`))).status).toBe(414);
      }
      for (const route of ['/api/v1/profiles', '/no-where']) expect((await get(route)).status).toBe(404);
    });
  });

  const UNCHARGED = [
    '/jack/status/20',
    '/api/v1/posts?handle=jack&id=20',
    '/api/convert?handle=jack&id=20',
    '/api',
    '/docs',
  ];

  test('posts and documents, which are answered without a store and when the allowances are spent', async () => {
    const stores = { keys: keyReaderNotCalled, counters: counterStoreNotCalled };
    for (const access of [stores, {}])
      for (const route of UNCHARGED) {
        const { statuses } = createLimitedApp({ access });
        if (access !== stores) expect((await statuses(4, SEARCH)).at(-1)).toBe(429);
        expect(new Set(await statuses(10, route))).toEqual(new Set([200]));
      }
    await costsNothing(async ({ statuses }) => {
      for (const route of UNCHARGED) await statuses(2, route);
    });
  });

  test('cached answers', async () => {
    const { get, statuses, clock } = createLimitedApp({ memoryMilliseconds: 10_000 });
    expect((await get(SEARCH)).status).toBe(200);
    for (const route of ['/search?q=fjord', '/api/v1/search?q=fjord', '/api/browse?resource=search&q=fjord'])
      expect(new Set(await statuses(10, route))).toEqual(new Set([200]));
    for (const query of ['format=json', 'format=markdown', 'max_tokens=500'])
      expect((await get(withQuery(SEARCH, query))).status).toBe(200);
    expect((await get(SEARCH, { headers: { 'if-none-match': '*' } })).status).toBe(304);
    expect(await statuses(3, '/search?q=tide')).toEqual([200, 200, 200]);
    expect(await statuses(2, '/search?q=gull')).toEqual([200, 200]);
    expect(await statuses(1, '/search?q=whale')).toEqual([429]);
    expect(await statuses(1, SEARCH)).toEqual([200]);
    clock.wait(10_000);
    expect(await statuses(1, SEARCH)).toEqual([429]);
  });

  test('searches that the provider refuses, as many as the allowance has units for different ones', async () => {
    const refused = async (): Promise<FailedOutcome> => ({ kind: 'refused', why: 'no' });
    const upstream = { listPosts: refused };
    const remembering = createLimitedApp({ upstream, memoryMilliseconds: 60_000 });
    expect(await remembering.statuses(6, SEARCH)).toEqual(Array(6).fill(400));
    const { get } = createLimitedApp({ upstream });
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1) statuses.push((await get(`${SEARCH}${index}`)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
  });

  test.each([
    ['an unusable answer', upstreamReturning({ kind: 'failed', why: '' }), 502],
    ['an outage', DOWN, 503],
    ['a bare 404 without confirmation', upstreamReturning({ kind: 'ambiguous' }), 503],
    ['a programming error', upstreamNotCalled, 500],
  ] as const)('a request that fails by %s, which is refunded', async (_, upstream, status) => {
    const { headers, keys } = createTestKey();
    const { statuses, counters } = createLimitedApp({ upstream, access: { keys } });
    for (const { v1 } of BROWSE_TARGETS)
      for (const caller of [{}, headers]) expect(await statuses(1, v1, caller)).toEqual([status]);
    const count = (verb: string): number => counters.verbs().filter((each) => each === verb).length;
    expect(count('charge')).toBeGreaterThan(0);
    expect(count('refund')).toBe(count('charge'));
  });

  test('a failed request, whose unit, also of the pool, the next request can spend', async () => {
    const listPosts = [upstreamFindingAll.listPosts, upstreamFindingAll.listPosts, DOWN.listPosts];
    const { statuses } = createLimitedApp({
      upstream: { listPosts: (...request) => (listPosts.shift() ?? upstreamFindingAll.listPosts)(...request) },
    });
    expect(await statuses(5, SEARCH)).toEqual([200, 200, 503, 200, 429]);
    const failing = createLimitedApp({ upstream: DOWN, access: { allowances: pooled(2) } });
    for (let caller = 1; caller <= 10; caller += 1)
      expect(await failing.statuses(1, SEARCH, viewerIp(`192.0.2.${caller}`))).toEqual([503]);
  });

  test.each([
    ['the same', {}, [200, 200, 429, 429]],
    ['another', { allowances: pooled(2) }, [200, 429]],
  ])('a request that fails while %s caller spends', async (which, access, meanwhile) => {
    const { promise, resolve: fail } = Promise.withResolvers<void>();
    const listPosts: Upstream['listPosts'] = async (request, ...rest) => {
      if (request.list !== 'search' || request.query !== 'fails') return upstreamFindingAll.listPosts(request, ...rest);
      await promise;
      return { kind: 'down', why: '' };
    };
    const { get, statuses } = createLimitedApp({ upstream: { listPosts }, access });
    const failing = get('/search?q=fails');
    const caller = which === 'the same' ? {} : viewerIp('192.0.2.2');
    expect(await statuses(meanwhile.length, SEARCH, caller)).toEqual(meanwhile);
    fail();
    expect((await failing).status).toBe(503);
    expect(await statuses(2, SEARCH, caller)).toEqual([200, 429]);
  });
});

describe('[allowances 5] one unit is charged for', () => {
  test('a second failed request for the same search within a minute', async () => {
    const { statuses } = createLimitedApp({ upstream: { listPosts: DOWN.listPosts } });
    expect(await statuses(5, SEARCH)).toEqual([503, 503, 503, 503, 429]);
    expect(await statuses(5, `${SEARCH}&limit=7`)).toEqual(Array(5).fill(429));
  });

  test('a profile that does not exist or must not be shown', async () => {
    const gone = createLimitedApp({ upstream: upstreamReturning({ kind: 'gone', reason: 'suspended' }) });
    expect(await gone.statuses(5, '/jack')).toEqual([404, 404, 404, 404, 429]);
    const readProfile = async () => found(user('jack', { protected: true }));
    const kept = createLimitedApp({ upstream: { listUsers: async () => found(page<never>([])), readProfile } });
    expect(await kept.statuses(5, '/jack/followers')).toEqual([403, 403, 403, 403, 429]);
  });

  test('an answer that the caller has cached, and HEAD as for GET', async () => {
    const { get, statuses } = createLimitedApp();
    expect((await get(SEARCH, { method: 'HEAD' })).status).toBe(200);
    expect(await statuses(3, SEARCH, { 'if-none-match': '*' })).toEqual([304, 304, 429]);
  });

  test('a request, however many provider calls it takes, and each page of a list', async () => {
    const { upstream, calls } = countingUpstream(upstreamWithLists(30));
    const { get, statuses } = createLimitedApp({ upstream });
    expect(await statuses(4, '/search?q=fjord&limit=20')).toEqual(admitted(3));
    expect(calls()).toBe(9);
    const all: number[] = [];
    for (let cursor: unknown = ''; all.length < 5; ) {
      const answer = await get(`/ada/followers?limit=3&format=json&cursor=${cursor}`);
      all.push(answer.status);
      if (answer.status === 200) cursor = answer.json()['next_cursor'];
    }
    expect(all).toEqual(admitted(4));
  });

  test('each request that joins a pending provider call', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { upstream, calls } = countingUpstream({
      listPosts: (...request) => promise.then(() => upstreamFindingAll.listPosts(...request)),
    });
    const allowances = { search: { anonymous: per(10), keyed: per(1) } };
    const { get } = createLimitedApp({ upstream, memoryMilliseconds: 60_000, access: { allowances } });
    const answers = Array.from({ length: 50 }, () => get(SEARCH));
    setImmediate(resolve);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(40).fill(429)]);
    expect(calls()).toBe(1);
  });

  test('[allowances 1] each request up to the limit, and no provider is called beyond it', async () => {
    const { upstream, calls } = countingUpstream();
    const allowances = { search: { anonymous: per(30), keyed: per(1) } };
    const { get, counters } = createLimitedApp({ upstream, access: { allowances } });
    const answers = await Promise.all(Array.from({ length: 51 }, (_, index) => get(`${SEARCH}${index}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(21);
    expect(counters.verbs()).toEqual(Array(51).fill('charge'));
    expect(calls()).toBe(30);
  });
});
