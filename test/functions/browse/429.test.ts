import { describe, expect, test } from 'vitest';
import { buildAllowances } from '../../../shared/contract/allowances.ts';
import { allowanceOf, BROWSE_TARGETS, comparableAnswer, routesOf } from '../../support/browse-routes.ts';
import { expectLifecycle } from '../../support/lifecycle-headers.ts';
import {
  countingUpstream,
  createLimitedApp,
  createTestKey,
  parseRateLimitField,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import type { TestResponse } from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';

/** @returns the seconds to wait, which header and body agree on */
const expectRefused = (answer: TestResponse): number => {
  const document = expectProblem(answer, 429, 'rate_limited');
  const field = answer.headers['retry-after'] ?? '';
  expect(field).toMatch(/^[1-9][0-9]*$/);
  expect(document['retry_after']).toBe(Number(field));
  expect(document['detail']).toMatch(/allowance/);
  return Number(field);
};

describe.each(BROWSE_TARGETS)('a spent allowance: $resource', (read) => {
  const { anonymous, keyed } = TINY_ALLOWANCES[allowanceOf(read)];

  /** Nothing is left of it, for who has the key or for who has none. */
  const spent = async (whose: 'with a key' | 'without') => {
    const { keys, ...own } = createTestKey();
    const headers = whose === 'without' ? {} : own.headers;
    const built = createLimitedApp({ access: { keys } });
    const { count } = whose === 'without' ? anonymous : keyed;
    expect(new Set(await built.statuses(count, read.v1, headers))).toEqual(new Set([200]));
    return { ...built, headers };
  };

  test('[spec 8.2 #50][spec 8.1 #52] is a problem that says when to come back, at every address of the read', async () => {
    const { get } = await spent('without');
    for (const route of routesOf([read])) {
      const answer = await get(route);
      expectRefused(answer);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-api-key-status': 'anonymous',
        vary: 'Accept, Authorization, Accept-Encoding',
        'access-control-expose-headers': expect.stringMatching(/\bRetry-After, RateLimit, RateLimit-Policy\b/),
      });
    }
  });

  test('[spec 9.4 #10] says at the alias that it is deprecated', async () => {
    const { get } = await spent('without');
    const [path = ''] = read.v1.split('?');
    expectLifecycle(await get(read.alias), path);
    expectLifecycle(await get(read.alias, { method: 'HEAD' }), path);
  });

  test('[spec 8.2 #50] is over when the caller has waited as he was told, and not before', async () => {
    const { get, clock, statuses } = await spent('without');
    const seconds = expectRefused(await get(read.permalink));
    clock.wait((seconds - 2) * 1000);
    const rest = expectRefused(await get(read.permalink));
    expect(rest).toBe(2);
    clock.wait(rest * 1000);
    expect(await statuses(anonymous.count + 1, read.permalink)).toEqual([...Array(anonymous.count).fill(200), 429]);
  });

  test('[spec 4 #20][spec 8.2 #50] refuses HEAD as it does GET', async () => {
    const { get } = await spent('without');
    for (const route of routesOf([read])) {
      const withBody = await get(route);
      expect(comparableAnswer(await get(route, { method: 'HEAD' }))).toEqual(
        comparableAnswer({ ...withBody, body: '' }),
      );
    }
  });

  test('[spec 8.2 #50] goes before whether the caller knows the answer already', async () => {
    const { get } = await spent('without');
    expectRefused(await get(read.v1, { headers: { 'if-none-match': '*' } }));
  });

  test('[decision 6 #51] says that nothing is left, until when at most, and of what', async () => {
    const { get } = await spent('without');
    const answer = await get(read.v1);
    const name = allowanceOf(read);
    const seconds = expectRefused(answer);
    const limits = parseRateLimitField(answer, 'ratelimit');
    expect(limits).toEqual({ [name]: { r: 0, t: expect.any(Number) } });
    expect(limits[name]?.['t']).toBeLessThanOrEqual(seconds);
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ [name]: { q: anonymous.count, w: 60 } });
  });

  test('[spec 8.2 #50][spec 5.6 #57] of a key is for its holder alone', async () => {
    const { get, headers } = await spent('with a key');
    const answer = await get(read.v1, { headers });
    const seconds = expectRefused(answer);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-api-key-status': 'valid' });
    const name = allowanceOf(read);
    expect(parseRateLimitField(answer, 'ratelimit')[name]).toMatchObject({ r: 0 });
    expect(parseRateLimitField(answer, 'ratelimit')[name]?.['t']).toBeLessThanOrEqual(seconds);
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ [name]: { q: keyed.count, w: 60 } });
  });

  test('[decision 7 #69] may be read by pages of other origins', async () => {
    const { get } = await spent('without');
    const { headers } = await get(read.v1, { headers: { origin: 'https://elsewhere.example' } });
    expect(headers['access-control-allow-origin']).toBe('*');
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'Deprecation', 'X-Api-Key-Status'])
      expect(headers['access-control-expose-headers']?.split(', ')).toContain(name);
  });
});

test('[spec 8.2 #50] no provider is asked for who is refused', async () => {
  const { upstream, calls } = countingUpstream();
  const { statuses } = createLimitedApp({ upstream });
  await statuses(20, SEARCH);
  expect(calls()).toBe(3);
});

describe('a burst limit', () => {
  const allowances = buildAllowances({
    searchAnonymous: { count: 5, seconds: 60, burst: { count: 2, seconds: 10 } },
    searchKeyed: { count: 6, seconds: 60, burst: { count: 3, seconds: 20 } },
    browse: { count: 4, seconds: 60 },
  });

  test('[spec 8.2 #50][decision 6 #51] refuses for its own part of the window', async () => {
    const { get, statuses, clock } = createLimitedApp({ access: { allowances } });
    expect(await statuses(2, SEARCH)).toEqual([200, 200]);
    const answer = await get(SEARCH);
    const seconds = expectRefused(answer);
    expect(seconds).toBeLessThanOrEqual(11);
    expect(answer.json()['detail']).toContain('2 in 10 seconds');
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({
      search: { q: 5, w: 60 },
      'search-burst': { q: 2, w: 10 },
    });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ 'search-burst': { r: 0, t: seconds } });
    clock.wait(seconds * 1000);
    expect(await statuses(3, SEARCH)).toEqual([200, 200, 429]);
  });

  test('[decision 6 #51] of a key is said where there is something left of it, too', async () => {
    const { headers, keys } = createTestKey();
    const { get } = createLimitedApp({ access: { keys, allowances } });
    const answer = await get(SEARCH, { headers });
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({
      search: { q: 6, w: 60 },
      'search-burst': { q: 3, w: 20 },
    });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({
      search: { r: 5, t: expect.any(Number) },
      'search-burst': { r: 2, t: expect.any(Number) },
    });
  });
});

describe('a pool that all searches without a key share', () => {
  const access = { allowances: { search: { ...TINY_ALLOWANCES.search, pool: { count: 2, seconds: 60 } } } };

  test('[spec 8.2 #50][decision 6 #51] refuses them all when it is spent, and says so', async () => {
    const { get, statuses, clock } = createLimitedApp({ access });
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.1'))).toEqual([200]);
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.2'))).toEqual([200]);
    const answer = await get(SEARCH, { headers: viewerIp('192.0.2.3') });
    const seconds = expectRefused(answer);
    expect(answer.json()['detail']).toMatch(/that all callers without a key share, 2 in 60 seconds/);
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({
      search: { q: 3, w: 60 },
      'search-pool': { q: 2, w: 60 },
    });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ 'search-pool': { r: 0, t: seconds } });
    clock.wait(seconds * 1000);
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.3'))).toEqual([200]);
  });

  test('[spec 8.1 #53] is nothing to who has a key, nor to who reads a profile', async () => {
    const { headers, keys } = createTestKey();
    const { get, statuses } = createLimitedApp({ access: { ...access, keys } });
    expect(await statuses(3, SEARCH)).toEqual([200, 200, 429]);
    expect(await statuses(7, SEARCH, headers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(await statuses(4, '/jack')).toEqual([200, 200, 200, 200]);
    const keyed = await get(SEARCH, { headers });
    expect(parseRateLimitField(keyed, 'ratelimit-policy')).toEqual({ search: { q: 6, w: 60 } });
    expect(parseRateLimitField(await get('/jack'), 'ratelimit-policy')).toEqual({ browse: { q: 4, w: 60 } });
  });

  test('[spec 8.1 #53] is not spent by who has nothing of his own left', async () => {
    const own = { search: { ...TINY_ALLOWANCES.search, pool: { count: 4, seconds: 60 } } };
    const { statuses, get } = createLimitedApp({ access: { allowances: own } });
    expect(await statuses(6, SEARCH, viewerIp('192.0.2.1'))).toEqual([200, 200, 200, 429, 429, 429]);
    const answer = await get(SEARCH, { headers: viewerIp('192.0.2.1') });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ search: { r: 0, t: expect.any(Number) } });
    expect(answer.json()['detail']).toMatch(/of this caller, 3 in 60 seconds/);
    expect(await statuses(2, SEARCH, viewerIp('192.0.2.2'))).toEqual([200, 429]);
  });

  test('[spec 8.2 #50] asks no provider for who is refused by it, however much he has of his own', async () => {
    const search = { anonymous: { count: 100, seconds: 60 }, keyed: { count: 1, seconds: 60 } };
    const { upstream, calls } = countingUpstream();
    const pooled = { search: { ...search, pool: { count: 2, seconds: 60 } } };
    const { statuses } = createLimitedApp({ upstream, access: { allowances: pooled } });
    expect(await statuses(9, SEARCH)).toEqual([200, 200, ...Array(7).fill(429)]);
    expect(calls()).toBe(2);
  });

  test('[spec 8.1 #53] costs a caller nothing of his own when it refuses him', async () => {
    const { statuses, counters } = createLimitedApp({ access });
    await statuses(2, SEARCH, viewerIp('192.0.2.1'));
    await statuses(5, SEARCH, viewerIp('192.0.2.2'));
    const own = counters.asked.filter(({ counter }) => counter.partition.startsWith('search#a:'));
    const spent = own
      .map(({ verb, units }) => (verb === 'charge' ? units : -units))
      .reduce((sum, units) => sum + units);
    expect(spent).toBe(2);
  });
});
