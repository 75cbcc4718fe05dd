// Tests which requests are charged, to which caller, and which cost nothing.
import { describe, expect, test } from 'vitest';
import type { FailedOutcome, Upstream } from '../../../shared/ports/upstream.ts';
import { newApiKey } from '../../support/access-control.ts';
import {
  allowanceOf,
  BROWSE_TARGETS,
  PROFILE_TARGETS,
  type RouteTargets,
  routesOf,
  SEARCH_TARGETS,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { faultServer, json, recorded, slowHead } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import {
  countingUpstream,
  createLimitedApp,
  createTestKey,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { pagesBehaviour, profileBehaviour } from '../../support/list-provider.ts';
import { expectProblem } from '../../support/problem.ts';
import {
  createTestApp,
  found,
  page,
  upstreamFindingAll,
  upstreamNotCalled,
  upstreamReturning,
  user,
} from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';

const limitOf = (read: RouteTargets): number => TINY_ALLOWANCES[allowanceOf(read)].anonymous.count;

/** The statuses of `count` admitted requests and one denied request. */
const admitted = (count: number): readonly number[] => [...Array<number>(count).fill(200), 429];

describe('[allowances 3] one allowance', () => {
  test.each(BROWSE_TARGETS)('covers all URLs of a use case: $resource', async (read) => {
    const { get } = createLimitedApp();
    const statuses: number[] = [];
    for (const route of [...routesOf([read]), ...routesOf([read])]) statuses.push((await get(route)).status);
    expect(statuses).toEqual([...Array(limitOf(read)).fill(200), ...Array(6 - limitOf(read)).fill(429)]);
  });

  test('covers profiles, followers and following together', async () => {
    const { get, statuses } = createLimitedApp();
    for (const route of ['/jack', '/api/v1/profiles/ada/followers', '/api/browse?resource=following&handle=ann'])
      expect((await get(route)).status).toBe(200);
    expect(await statuses(2, '/ada/followers?limit=3')).toEqual([200, 429]);
    for (const route of routesOf(PROFILE_TARGETS)) expect((await get(route)).status).toBe(429);
  });

  test('covers searches of all feeds together', async () => {
    const { get } = createLimitedApp();
    for (const feed of ['latest', 'top', 'users'])
      expect((await get(withQuery(SEARCH, `feed=${feed}`))).status).toBe(200);
    expect((await get(withQuery(SEARCH, 'feed=media'))).status).toBe(429);
  });

  test('of searches is separate from that of profiles and their lists', async () => {
    const { statuses } = createLimitedApp();
    expect(await statuses(4, SEARCH)).toEqual(admitted(3));
    expect(await statuses(5, '/jack')).toEqual(admitted(4));
    const other = createLimitedApp();
    expect(await other.statuses(5, '/jack')).toEqual(admitted(4));
    expect(await other.statuses(4, SEARCH)).toEqual(admitted(3));
  });

  test('is shared by all instances', async () => {
    const one = createLimitedApp();
    const other = createLimitedApp({ access: { counters: one.counters } });
    expect(await one.statuses(2, SEARCH)).toEqual([200, 200]);
    expect(await other.statuses(2, SEARCH)).toEqual([200, 429]);
    expect(await one.statuses(1, SEARCH)).toEqual([429]);
  });
});

describe('[allowances 4] callers with and without a key', () => {
  test.each(BROWSE_TARGETS)('spend separate allowances: $resource', async (read) => {
    const { keyed } = TINY_ALLOWANCES[allowanceOf(read)];
    const { headers, keys } = createTestKey();
    const plainFirst = createLimitedApp({ access: { keys } });
    expect((await plainFirst.statuses(limitOf(read) + 1, read.v1)).at(-1)).toBe(429);
    expect(await plainFirst.statuses(keyed.count + 1, read.v1, headers)).toEqual(admitted(keyed.count));
    const keyedFirst = createLimitedApp({ access: { keys } });
    expect((await keyedFirst.statuses(keyed.count + 1, read.v1, headers)).at(-1)).toBe(429);
    expect(await keyedFirst.statuses(limitOf(read) + 1, read.v1)).toEqual(admitted(limitOf(read)));
  });

  test('spend one allowance per key, from every address', async () => {
    const { headers, keys } = createTestKey();
    const { get } = createLimitedApp({ access: { keys } });
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1)
      statuses.push((await get(SEARCH, { headers: { ...headers, ...viewerIp(`192.0.2.${index}`) } })).status);
    expect(statuses).toEqual(admitted(6));
  });

  test('spend separate allowances with two keys from one address', async () => {
    const [one, other] = [createTestKey({ id: 'one' }), createTestKey({ id: 'other' })];
    const keys = {
      read: async (hash: string) => (await one.keys.read(hash)) ?? (await other.keys.read(hash)),
    };
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(7, SEARCH, one.headers)).toEqual(admitted(6));
    expect(await statuses(7, SEARCH, other.headers)).toEqual(admitted(6));
  });
});

describe('[allowances 5] the search allowance is unchanged after', () => {
  /** Requests of one caller before the caller spends the allowances of searches and profiles. */
  const costsNothing = async (
    prelude: (built: ReturnType<typeof createLimitedApp>) => Promise<void>,
    options?: Parameters<typeof createLimitedApp>[0],
  ): Promise<void> => {
    const built = createLimitedApp(options);
    await prelude(built);
    expect(await built.statuses(4, SEARCH)).toEqual(admitted(3));
    expect(await built.statuses(5, '/jack')).toEqual(admitted(4));
  };

  test.each(['GET', 'HEAD'])('%s with invalid parameters or an unacceptable Accept', async (method) => {
    await costsNothing(async ({ get }) => {
      for (const read of BROWSE_TARGETS) {
        for (const route of routesOf([read])) {
          for (const query of ['limit=0', 'limit=1&limit=2', 'format=xml', 'cursor=x'])
            expect((await get(withQuery(route, query), { method })).status).toBe(400);
          expect((await get(route, { method, headers: { accept: 'image/png' } })).status).toBe(406);
        }
      }
      for (const route of ['/search', '/search?q=x&feed=y', '/api/browse', '/api/browse?resource=profile'])
        expect((await get(route, { method })).status).toBe(400);
    });
  });

  test('a search or a page that the provider refuses', async () => {
    const refused = async (): Promise<FailedOutcome> => ({ kind: 'refused', why: 'no' });
    const upstream = { listPosts: refused, listUsers: refused };
    const { statuses, get } = createLimitedApp({ upstream, memoryMilliseconds: 60_000 });
    expect(await statuses(6, SEARCH)).toEqual([400, 400, 400, 400, 400, 400]);
    expectProblem(await get(SEARCH), 400, 'invalid_query');
  });

  test('as many refused searches as the allowance has units, each with a provider call', async () => {
    const { get } = createLimitedApp({ upstream: { listPosts: async () => ({ kind: 'refused', why: 'no' }) } });
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1) statuses.push((await get(`${SEARCH}${index}`)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
  });

  test('an invalid key', async () => {
    await costsNothing(async ({ statuses }) => {
      for (const authorization of ['Bearer', `Bearer ${newApiKey()}`])
        for (const route of routesOf(BROWSE_TARGETS))
          expect(await statuses(3, route, { authorization })).toEqual([401, 401, 401]);
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
      for (const route of ['/api/v1/profiles', '/api/v1/search/', '/docs/followers', '/no-where'])
        expect((await get(route)).status).toBe(404);
    });
  });

  test('posts and documents', async () => {
    await costsNothing(async ({ statuses }) => {
      for (const route of ['/jack/status/20', '/api/v1/posts?handle=jack&id=20', '/api', '/docs'])
        expect(new Set(await statuses(10, route))).toEqual(new Set([200]));
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
    expect((await get('/search?q=whale')).status).toBe(429);
    expect((await get(SEARCH)).status).toBe(200);
    clock.wait(10_000);
    expect((await get(SEARCH)).status).toBe(429);
  });

  const faults = [
    ['502', upstreamReturning({ kind: 'failed', why: '' }), 502],
    ['503', upstreamReturning({ kind: 'down', why: '' }), 503],
    ['a bare 404 without confirmation', upstreamReturning({ kind: 'ambiguous' }), 503],
    ['a programming error', upstreamNotCalled, 500],
  ] as const;

  test.each(faults)('a failed request: %s is refunded', async (_, upstream, status) => {
    const { headers, keys } = createTestKey();
    const { statuses, counters } = createLimitedApp({ upstream, access: { keys } });
    for (const read of BROWSE_TARGETS) {
      for (const who of [{}, headers]) {
        const [route = ''] = routesOf([read]);
        expect(await statuses(1, route, who)).toEqual([status]);
      }
    }
    const verbs = counters.verbs();
    expect(verbs.filter((verb) => verb === 'charge').length).toBeGreaterThan(0);
    expect(verbs.filter((verb) => verb === 'refund')).toHaveLength(verbs.filter((verb) => verb === 'charge').length);
  });

  test('a failed request: the last unit can be spent by the next request', async () => {
    const listPosts = [
      upstreamFindingAll.listPosts,
      upstreamFindingAll.listPosts,
      upstreamReturning({ kind: 'down', why: '' }).listPosts,
    ];
    const { statuses } = createLimitedApp({
      upstream: { listPosts: (...request) => (listPosts.shift() ?? upstreamFindingAll.listPosts)(...request) },
    });
    expect(await statuses(5, SEARCH)).toEqual([200, 200, 503, 200, 429]);
  });

  test('a failed request: the pool is refunded as well', async () => {
    const { statuses } = createLimitedApp({
      upstream: { listPosts: upstreamReturning({ kind: 'down', why: '' }).listPosts },
      access: { allowances: { search: { ...TINY_ALLOWANCES.search, pool: { count: 2, seconds: 60 } } } },
    });
    const failed: number[] = [];
    for (let caller = 1; caller <= 10; caller += 1)
      failed.push(...(await statuses(1, SEARCH, viewerIp(`192.0.2.${caller}`))));
    expect(new Set(failed)).toEqual(new Set([503]));
  });

  test('a second failed request for the same subject within a minute is charged', async () => {
    const { statuses } = createLimitedApp({
      upstream: { listPosts: upstreamReturning({ kind: 'down', why: '' }).listPosts },
    });
    expect(await statuses(5, SEARCH)).toEqual([503, 503, 503, 503, 429]);
    expect(await statuses(5, `${SEARCH}&limit=7`)).toEqual(Array(5).fill(429));
  });

  describe('a request that fails while another caller spends', () => {
    /** The search for `fails` waits until the test lets it fail. */
    const failingLater = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listPosts: Upstream['listPosts'] = async (request, ...rest) => {
        if (request.list !== 'search' || request.query !== 'fails')
          return upstreamFindingAll.listPosts(request, ...rest);
        await promise;
        return { kind: 'down', why: '' };
      };
      return { upstream: { listPosts }, fail: resolve };
    };

    test('is refunded for the next request, although another one was denied meanwhile', async () => {
      const { upstream, fail } = failingLater();
      const { get, statuses } = createLimitedApp({ upstream });
      const failing = get('/search?q=fails');
      expect(await statuses(4, SEARCH)).toEqual([200, 200, 429, 429]);
      fail();
      expect((await failing).status).toBe(503);
      expect(await statuses(2, SEARCH)).toEqual([200, 429]);
    });

    test('refunds the pool', async () => {
      const { upstream, fail } = failingLater();
      const allowances = { search: { ...TINY_ALLOWANCES.search, pool: { count: 2, seconds: 60 } } };
      const { get, statuses } = createLimitedApp({ upstream, access: { allowances } });
      const failing = get('/search?q=fails');
      expect(await statuses(2, SEARCH, viewerIp('192.0.2.2'))).toEqual([200, 429]);
      fail();
      expect((await failing).status).toBe(503);
      expect(await statuses(2, SEARCH, viewerIp('192.0.2.3'))).toEqual([200, 429]);
    });
  });

  test('a request that ran out of time', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { get, log } = createTestApp({
      upstream: {
        ...upstreamFindingAll,
        readProfile: (_handle, _deadline, requester) => requester?.admit().then(never) ?? never(),
      },
      access: { allowances: { browse: { anonymous: { count: 2, seconds: 60 }, keyed: { count: 2, seconds: 60 } } } },
      remainingMilliseconds: 0,
    });
    const handles = ['/jack', '/jill'];
    for (const handle of handles) expectProblem(await get(handle), 503, 'upstream_unavailable');
    expect(log.filter(({ event }) => event === 'request')).toHaveLength(handles.length);
  });
});

describe('one unit is charged for', () => {
  test('[allowances 5] a profile that does not exist or must not be shown', async () => {
    const gone = createLimitedApp({ upstream: upstreamReturning({ kind: 'gone', reason: 'suspended' }) });
    expect(await gone.statuses(5, '/jack')).toEqual([404, 404, 404, 404, 429]);
    const kept = createLimitedApp({
      upstream: {
        listUsers: async () => found(page<never>([])),
        readProfile: async () => found(user('jack', { protected: true })),
      },
    });
    expect(await kept.statuses(5, '/jack/followers')).toEqual([403, 403, 403, 403, 429]);
  });

  test('[allowances 5] an answer that the caller has cached, if a provider was called', async () => {
    const { statuses } = createLimitedApp();
    expect(await statuses(4, SEARCH, { 'if-none-match': '*' })).toEqual([304, 304, 304, 429]);
  });

  test('HEAD as for GET', async () => {
    const { get, statuses } = createLimitedApp();
    expect((await get(SEARCH, { method: 'HEAD' })).status).toBe(200);
    expect(await statuses(3, SEARCH)).toEqual(admitted(2));
  });

  test('a request, however many provider calls it takes', async () => {
    const { upstream, calls } = countingUpstream(upstreamWithLists(30));
    const { statuses } = createLimitedApp({ upstream });
    expect(await statuses(4, '/search?q=fjord&limit=20')).toEqual(admitted(3));
    expect(calls()).toBe(9);
    expect(await statuses(5, '/jack?limit=20')).toEqual(admitted(4));
  });

  test('each page of a list', async () => {
    const { get } = createLimitedApp({ upstream: upstreamWithLists(30) });
    const statuses: number[] = [];
    let target = '/ada/followers?limit=3&format=json';
    for (let pages = 0; pages < 5; pages += 1) {
      const answer = await get(target);
      statuses.push(answer.status);
      if (answer.status === 200) target = `/ada/followers?limit=3&format=json&cursor=${answer.json()['next_cursor']}`;
    }
    expect(statuses).toEqual(admitted(4));
  });

  test('each request that joins a pending provider call', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { upstream, calls } = countingUpstream({
      listPosts: (...request) => promise.then(() => upstreamFindingAll.listPosts(...request)),
    });
    const search = { anonymous: { count: 10, seconds: 60 }, keyed: { count: 1, seconds: 60 } };
    const { get } = createLimitedApp({ upstream, memoryMilliseconds: 60_000, access: { allowances: { search } } });
    const answers = Array.from({ length: 50 }, () => get(SEARCH));
    setImmediate(resolve);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(40).fill(429)]);
    expect(calls()).toBe(1);
  });

  test('[allowances 5] each request up to the limit, and no provider is called beyond it', async () => {
    const search = { anonymous: { count: 30, seconds: 60 }, keyed: { count: 1, seconds: 60 } };
    const { get, counters } = createLimitedApp({ access: { allowances: { search } } });
    await get(SEARCH);
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(SEARCH)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(29);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(21);
    expect(counters.verbs()).toEqual(Array(51).fill('charge'));
  });
});

describe('allowances with the real provider client', () => {
  const startApp = async (behaviours: Parameters<typeof faultServer>[0], count: number) => {
    const server = await faultServer(behaviours);
    const upstream = fxTwitterAt(server);
    const allowance = { anonymous: { count, seconds: 60 }, keyed: { count, seconds: 60 } };
    return { ...createTestApp({ upstream, access: { allowances: { search: allowance, browse: allowance } } }), server };
  };
  const pages = pagesBehaviour([['1', '2', '3']]);

  test('ten of fifty concurrent equal requests are admitted, with one provider call of each kind', async () => {
    const { get, server } = await startApp({ fxtwitter: slowHead(20, pages) }, 10);
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => get(SEARCH)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(40).fill(429)]);
    expect(new Set(server.calls()).size).toBe(server.calls().length);
  });

  test('[allowances 5] cached profiles, lists and searches cost nothing', async () => {
    const { get, server } = await startApp(
      {
        fxtwitter: (incoming, response) =>
          (incoming.url?.includes('/jack?') ? profileBehaviour('jack') : pages)(incoming, response),
      },
      3,
    );
    const targets = ['/jack', '/jack/followers', '/jack/following', SEARCH];
    for (const target of targets) expect((await get(target)).status).toBe(200);
    const calls = server.calls().length;
    for (const target of [...targets, ...targets, ...targets]) expect((await get(target)).status).toBe(200);
    expect(server.calls()).toHaveLength(calls);
    expect((await get('/ada/followers')).status).toBe(429);
    expect(server.calls()).toHaveLength(calls);
  });

  test('[allowances 5] failed requests are refunded, and missing subjects are charged', async () => {
    const { get, server } = await startApp({ fxtwitter: json({}, 500) }, 2);
    expect((await get('/ada/followers')).status).toBe(503);
    server.script({ fxtwitter: [recorded('fxtwitter/errors/backend_429_followers.json', 404)] });
    expect((await get('/ada/following')).status).toBe(503);
    server.script({ fxtwitter: pages });
    expect((await get('/ann/following')).status).toBe(200);
    expect((await get('/bob/following')).status).toBe(200);
    expect((await get('/eve/following')).status).toBe(429);
  });
});

test('[allowances 1] [allowances 5] searches for different queries are charged one by one', async () => {
  const { get } = createLimitedApp({ memoryMilliseconds: 60_000 });
  const statuses: number[] = [];
  for (const { v1 } of SEARCH_TARGETS)
    for (let index = 0; index < 5; index += 1) statuses.push((await get(`${v1}${index}`)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
});
