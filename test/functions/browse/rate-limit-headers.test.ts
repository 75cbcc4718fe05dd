// RateLimit-Policy on every answer of a route that an allowance governs; RateLimit where no shared cache keeps the answer.
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

/** What an allowance is, as a client reads it. */
const policyOf = (read: RouteTargets, whose: 'anonymous' | 'keyed') => {
  const { count, seconds } = TINY_ALLOWANCES[allowanceOf(read)][whose];
  return { [allowanceOf(read)]: { q: count, w: seconds } };
};

/** One answer of every status that a route has, of a house each: nothing is spent before. */
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

/** A key is not looked at before these are said, and no allowance but the public one is known. */
const KEY_UNKNOWN = [204, 401, 403, 405, 414];

describe.each(BROWSE_TARGETS)('$resource', (read) => {
  test('[decision 6 #51][decision 6 #55] has RateLimit-Policy on every status, and RateLimit on no answer that may be stored', async () => {
    const { keys } = createTestKey();
    for (const route of routesOf([read])) {
      for (const [status, answer] of await everyStatus(route, {}, keys)) {
        expect(answer.status).toBe(status);
        expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual(policyOf(read, 'anonymous'));
        expect('ratelimit' in answer.headers, `${status}`).toBe(status === 429);
      }
    }
  });

  test('[decision 6 #51][spec 5.6 #57] with a key it is the policy of keys, and every answer is its holder’s alone', async () => {
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

  test('[decision 6 #51] says with each answer to a key what is left and until when', async () => {
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

describe('[decision 6 #51] the policy', () => {
  test.each<[string, Allowance, string]>([
    ['what the operator gave it', { count: 2, seconds: 30 }, '"search";q=2;w=30'],
    [
      'with a burst limit',
      { count: 9, seconds: 60, burst: { count: 3, seconds: 6 } },
      '"search";q=9;w=60, "search-burst";q=3;w=6',
    ],
  ])('of a key is %s', async (_, search, policy) => {
    const { headers, keys } = createTestKey({ search });
    const { get } = createLimitedApp({ access: { keys } });
    expect((await get(SEARCH, { headers })).headers['ratelimit-policy']).toBe(policy);
    expect((await get('/search', { headers })).headers['ratelimit-policy']).toBe(policy);
    expect((await get('/jack', { headers })).headers['ratelimit-policy']).toBe('"browse";q=4;w=60');
  });

  test('has the pool where there is one, for who has no key', async () => {
    const { headers, keys } = createTestKey();
    const allowances = { search: { ...TINY_ALLOWANCES.search, pool: { count: 20, seconds: 3600 } } };
    const { get } = createLimitedApp({ access: { keys, allowances } });
    const policy = '"search";q=3;w=60, "search-pool";q=20;w=3600';
    for (const target of [SEARCH, '/search', '/api/browse?resource=search'])
      expect((await get(target)).headers['ratelimit-policy']).toBe(policy);
    expect((await get(SEARCH, { method: 'OPTIONS' })).headers['ratelimit-policy']).toBe(policy);
    expect((await get(SEARCH, { headers })).headers['ratelimit-policy']).toBe('"search";q=6;w=60');
  });

  test('of the alias is that of the resource, and there is none where the resource is none', async () => {
    const { get } = createLimitedApp();
    const policy = async (query: string): Promise<string | undefined> =>
      (await get(`/api/browse${query}`)).headers['ratelimit-policy'];
    for (const resource of ['profile', 'followers', 'following'])
      expect(await policy(`?resource=${resource}`)).toBe('"browse";q=4;w=60');
    expect(await policy('?resource=search')).toBe('"search";q=3;w=60');
    for (const query of ['', '?resource=', '?resource=posts', '?resource=search&resource=search', '?q=fjord'])
      expect(await policy(query)).toBeUndefined();
  });

  test('is of no other route', async () => {
    const { get } = createLimitedApp();
    const elsewhere = ['/jack/status/20', '/api/v1/posts', '/api/convert?handle=jack&id=20', '/', '/api', '/docs'];
    for (const route of [...elsewhere, '/no-where', '/api/v1/profiles', '/api/v1/search/', '/api/browse/']) {
      const { headers } = await get(route);
      for (const name of ['ratelimit', 'ratelimit-policy']) expect(headers).not.toHaveProperty(name);
    }
  });
});

describe('[decision 6 #55] what is left is not said', () => {
  test('where it is not known: only memory counts', async () => {
    const { headers, keys } = createTestKey();
    const { get } = createLimitedApp({ access: { keys, counters: counterStoreNotCalled } });
    const admitted = await get(SEARCH, { headers });
    expect(admitted.status).toBe(200);
    await get(SEARCH, { headers });
    const refused = await get(SEARCH, { headers });
    expect(refused.status).toBe(429);
    for (const answer of [admitted, refused]) {
      expect(answer.headers).not.toHaveProperty('ratelimit');
      expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ search: { q: 6, w: 60 } });
    }
  });

  test('of what nothing was spent on: it was remembered, or given back', async () => {
    const { headers, keys } = createTestKey();
    const remembering = createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 });
    await remembering.get(SEARCH);
    expect((await remembering.get(SEARCH, { headers })).headers).not.toHaveProperty('ratelimit');
    const failing = createLimitedApp({ upstream: upstreamReturning({ kind: 'down', why: '' }), access: { keys } });
    expect((await failing.get(SEARCH, { headers })).headers).not.toHaveProperty('ratelimit');
  });

  test('to the next reader: an answer that may be stored is the same for everybody', async () => {
    const { get } = createLimitedApp();
    const [first, second] = [await get('/jack'), await get('/jack')].map(({ headers }) => ({
      ...headers,
      'x-request-id': '',
    }));
    expect(second).toEqual(first);
  });
});
