// Tests RateLimit-Policy on every answer of a route with an allowance, and RateLimit on answers that no shared cache stores.
import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../shared/contract/allowances.ts';
import { allowanceOf, BROWSE_TARGETS } from '../../support/browse-routes.ts';
import {
  counterStoreNotCalled,
  createLimitedApp,
  createTestKey,
  parseRateLimitField,
  TINY_ALLOWANCES,
} from '../../support/limited-app.ts';
import { upstreamReturning } from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';

describe.each(BROWSE_TARGETS)('$resource', (read) => {
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
