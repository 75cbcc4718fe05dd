// Tests RateLimit-Policy on every answer of a route with an allowance, and RateLimit on answers that no shared cache stores.
import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../shared/contract/allowances.ts';
import { newApiKey } from '../../support/access-control.ts';
import { allowanceOf, BROWSE_TARGETS, type RouteTargets, routesOf, withQuery } from '../../support/browse-routes.ts';
import {
  counterStoreNotCalled,
  createLimitedApp,
  createTestKey,
  parseRateLimitField,
  TINY_ALLOWANCES,
} from '../../support/limited-app.ts';
import { type TestResponse, upstreamFindingAll, upstreamNotCalled, upstreamReturning } from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';
const LISTS_ARE_EMPTY = upstreamReturning({ kind: 'gone', reason: 'suspended' });

/** RateLimit-Policy as a client parses it. */
const policyOf = (read: RouteTargets, whose: 'anonymous' | 'keyed') => {
  const { count, seconds } = TINY_ALLOWANCES[allowanceOf(read)][whose];
  return { [allowanceOf(read)]: { q: count, w: seconds } };
};

/** One answer of every status of a route, each from an app of its own, so that nothing was spent before. */
const everyStatus = async (
  route: string,
  headers: Readonly<Record<string, string>>,
  keys: ReturnType<typeof createTestKey>['keys'],
): Promise<readonly (readonly [number, TestResponse])[]> => {
  const access = { keys };
  const ask = (
    target = route,
    options: Parameters<ReturnType<typeof createLimitedApp>['get']>[1] = {},
    upstream = upstreamFindingAll,
  ) => createLimitedApp({ upstream, access }).get(target, { ...options, headers: { ...headers, ...options.headers } });
  const spent = createLimitedApp({ access });
  await spent.statuses(10, route, headers);
  return [
    [200, await ask()],
    [200, await ask(route, { method: 'HEAD' })],
    [304, await ask(route, { headers: { 'if-none-match': '*' } })],
    [400, await ask(withQuery(route, 'limit=0'))],
    [401, await ask(route, { headers: { authorization: `Bearer ${newApiKey()}` } })],
    [401, await ask(route, { headers: { authorization: 'Bearer' } })],
    [403, await ask(route, { secret: 'wrong' })],
    [405, await ask(route, { method: 'POST' })],
    [406, await ask(route, { headers: { accept: 'image/png' } })],
    [414, await ask(withQuery(route, `cursor=${'x'.repeat(9000)}`))],
    [429, await spent.get(route, { headers })],
    [500, await ask(route, {}, upstreamNotCalled)],
    [502, await ask(route, {}, upstreamReturning({ kind: 'failed', why: '' }))],
    [503, await ask(route, {}, upstreamReturning({ kind: 'down', why: '' }))],
    [204, await ask(route, { method: 'OPTIONS' })],
    ...(route.includes('search') ? [] : [[404, await ask(route, {}, LISTS_ARE_EMPTY)] as const]),
  ];
};

/** Statuses that are sent before the key check; they know only the anonymous allowance. */
const KEY_UNKNOWN = [204, 401, 403, 405, 414];

describe.each(BROWSE_TARGETS)('$resource', (read) => {
  test('[allowances 2] [allowances 6] has RateLimit-Policy on every status, and RateLimit on no answer that a shared cache may store', async () => {
    const { keys } = createTestKey();
    for (const route of routesOf([read])) {
      for (const [status, answer] of await everyStatus(route, {}, keys)) {
        expect(answer.status).toBe(status);
        expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual(policyOf(read, 'anonymous'));
        expect('ratelimit' in answer.headers, `${status}`).toBe(status === 429);
      }
    }
  });

  test('[allowances 2] [caching 1] has the policy of keys with a key, and every answer is private', async () => {
    const { headers, keys } = createTestKey();
    for (const route of routesOf([read])) {
      for (const [status, answer] of await everyStatus(route, headers, keys)) {
        expect(answer.status).toBe(status);
        const whose = KEY_UNKNOWN.includes(status) ? 'anonymous' : 'keyed';
        expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual(policyOf(read, whose));
        expect('ratelimit' in answer.headers, `${status}`).toBe([200, 304, 404, 429].includes(status));
        if (status !== 204) expect(answer.headers['cache-control'], `${status}`).toBe('private, no-store');
        if (!KEY_UNKNOWN.includes(status)) expect(answer.headers['x-api-key-status']).toBe('valid');
      }
    }
  });

  test('[allowances 2] has RateLimit with the remaining units and seconds on each answer to a key', async () => {
    const { headers, keys } = createTestKey();
    const { get, clock } = createLimitedApp({ access: { keys } });
    const name = allowanceOf(read);
    const { count } = TINY_ALLOWANCES[name].keyed;
    for (let left = count - 1; left >= 0; left -= 1) {
      const { r, t = Number.NaN } = parseRateLimitField(await get(read.v1, { headers }), 'ratelimit')[name] ?? {};
      expect(r).toBe(left);
      expect(t).toBeGreaterThan(0);
      expect(t).toBeLessThanOrEqual(61);
      clock.wait(10);
    }
    const { t = Number.NaN } = parseRateLimitField(await get(read.v1, { headers }), 'ratelimit')[name] ?? {};
    clock.wait(t * 1000);
    expect(parseRateLimitField(await get(read.v1, { headers }), 'ratelimit')[name]).toMatchObject({ r: count - 1 });
  });
});

describe('[allowances 2] RateLimit-Policy', () => {
  test.each<[string, Allowance, string]>([
    ['the allowance of the key', { count: 2, seconds: 30 }, '"search";q=2;w=30'],
    [
      'a burst limit',
      { count: 9, seconds: 60, burst: { count: 3, seconds: 6 } },
      '"search";q=9;w=60, "search-burst";q=3;w=6',
    ],
  ])('with a key names %s', async (_, search, policy) => {
    const { headers, keys } = createTestKey({ search });
    const { get } = createLimitedApp({ access: { keys } });
    expect((await get(SEARCH, { headers })).headers['ratelimit-policy']).toBe(policy);
    expect((await get('/search', { headers })).headers['ratelimit-policy']).toBe(policy);
    expect((await get('/jack', { headers })).headers['ratelimit-policy']).toBe('"browse";q=4;w=60');
  });

  test('names the pool without a key, if there is one', async () => {
    const { headers, keys } = createTestKey();
    const allowances = { search: { ...TINY_ALLOWANCES.search, pool: { count: 20, seconds: 3600 } } };
    const { get } = createLimitedApp({ access: { keys, allowances } });
    const policy = '"search";q=3;w=60, "search-pool";q=20;w=3600';
    for (const target of [SEARCH, '/search', '/api/browse?resource=search'])
      expect((await get(target)).headers['ratelimit-policy']).toBe(policy);
    expect((await get(SEARCH, { method: 'OPTIONS' })).headers['ratelimit-policy']).toBe(policy);
    expect((await get(SEARCH, { headers })).headers['ratelimit-policy']).toBe('"search";q=6;w=60');
  });

  test('of the alias is that of the resource, and is unset for an unknown resource', async () => {
    const { get } = createLimitedApp();
    const policy = async (query: string): Promise<string | undefined> =>
      (await get(`/api/browse${query}`)).headers['ratelimit-policy'];
    for (const resource of ['profile', 'followers', 'following'])
      expect(await policy(`?resource=${resource}`)).toBe('"browse";q=4;w=60');
    expect(await policy('?resource=search')).toBe('"search";q=3;w=60');
    for (const query of ['', '?resource=', '?resource=posts', '?resource=search&resource=search', '?q=fjord'])
      expect(await policy(query)).toBeUndefined();
  });

  test('is unset on every other route', async () => {
    const { get } = createLimitedApp();
    const elsewhere = ['/jack/status/20', '/api/v1/posts', '/api/convert?handle=jack&id=20', '/', '/api', '/docs'];
    for (const route of [...elsewhere, '/no-where', '/api/v1/profiles', '/api/v1/search/', '/api/browse/']) {
      const { headers } = await get(route);
      for (const name of ['ratelimit', 'ratelimit-policy']) expect(headers).not.toHaveProperty(name);
    }
  });
});

describe('[allowances 6] RateLimit is unset', () => {
  test('when only memory counted', async () => {
    const { headers, keys } = createTestKey();
    const { get, statuses } = createLimitedApp({ access: { keys, counters: counterStoreNotCalled } });
    const admitted = await get(SEARCH, { headers });
    expect(admitted.status).toBe(200);
    await statuses(5, SEARCH, headers);
    const refused = await get(SEARCH, { headers });
    expect(refused.status).toBe(429);
    for (const answer of [admitted, refused]) {
      expect(answer.headers).not.toHaveProperty('ratelimit');
      expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ search: { q: 6, w: 60 } });
    }
  });

  test('when nothing was charged: the answer was cached, or the charge was refunded', async () => {
    const { headers, keys } = createTestKey();
    const remembering = createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 });
    await remembering.get(SEARCH);
    expect((await remembering.get(SEARCH, { headers })).headers).not.toHaveProperty('ratelimit');
    const failing = createLimitedApp({ upstream: upstreamReturning({ kind: 'down', why: '' }), access: { keys } });
    expect((await failing.get(SEARCH, { headers })).headers).not.toHaveProperty('ratelimit');
  });

  test('on an answer that a shared cache may store, because every reader gets the same answer', async () => {
    const { get } = createLimitedApp();
    const [first, second] = [await get('/jack'), await get('/jack')].map(({ headers }) => ({
      ...headers,
      'x-request-id': '',
    }));
    expect(second).toEqual(first);
  });
});
