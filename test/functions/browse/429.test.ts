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

/** @returns the seconds to wait, which header and body must agree on */
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

  /** Spends the allowance of the key, or of the client network. */
  const spent = async (whose: 'with a key' | 'without') => {
    const { keys, ...testKey } = createTestKey();
    const headers = whose === 'without' ? {} : testKey.headers;
    const built = createLimitedApp({ access: { keys } });
    const { count } = whose === 'without' ? anonymous : keyed;
    expect(new Set(await built.statuses(count, read.v1, headers))).toEqual(new Set([200]));
    return { ...built, headers };
  };

  test('[allowances 1] [allowances 3] returns 429 with Retry-After at every URL of the use case', async () => {
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

  test('[lifecycle 10] returns 429 with deprecation headers at the alias', async () => {
    const { get } = await spent('without');
    const [path = ''] = read.v1.split('?');
    expectLifecycle(await get(read.alias), path);
    expectLifecycle(await get(read.alias, { method: 'HEAD' }), path);
  });

  test('[allowances 1] ends after Retry-After, and not earlier', async () => {
    const { get, clock, statuses } = await spent('without');
    const seconds = expectRefused(await get(read.permalink));
    clock.wait((seconds - 2) * 1000);
    const rest = expectRefused(await get(read.permalink));
    expect(rest).toBe(2);
    clock.wait(rest * 1000);
    expect(await statuses(anonymous.count + 1, read.permalink)).toEqual([...Array(anonymous.count).fill(200), 429]);
  });

  test('[methods 1] [allowances 1] returns 429 to HEAD as to GET', async () => {
    const { get } = await spent('without');
    for (const route of routesOf([read])) {
      const withBody = await get(route);
      expect(comparableAnswer(await get(route, { method: 'HEAD' }))).toEqual(
        comparableAnswer({ ...withBody, body: '' }),
      );
    }
  });

  test('[allowances 1] returns 429 before a 304', async () => {
    const { get } = await spent('without');
    expectRefused(await get(read.v1, { headers: { 'if-none-match': '*' } }));
  });

  test('[allowances 2] returns RateLimit with 0 units and the seconds until the end', async () => {
    const { get } = await spent('without');
    const answer = await get(read.v1);
    const name = allowanceOf(read);
    const seconds = expectRefused(answer);
    const limits = parseRateLimitField(answer, 'ratelimit');
    expect(limits).toEqual({ [name]: { r: 0, t: expect.any(Number) } });
    expect(limits[name]?.['t']).toBeLessThanOrEqual(seconds);
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ [name]: { q: anonymous.count, w: 60 } });
  });

  test('[allowances 1] [caching 1] of a key returns a private 429', async () => {
    const { get, headers } = await spent('with a key');
    const answer = await get(read.v1, { headers });
    const seconds = expectRefused(answer);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-api-key-status': 'valid' });
    const name = allowanceOf(read);
    expect(parseRateLimitField(answer, 'ratelimit')[name]).toMatchObject({ r: 0 });
    expect(parseRateLimitField(answer, 'ratelimit')[name]?.['t']).toBeLessThanOrEqual(seconds);
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ [name]: { q: keyed.count, w: 60 } });
  });

  test('[cors 4] returns a 429 that pages of other origins can read', async () => {
    const { get } = await spent('without');
    const { headers } = await get(read.v1, { headers: { origin: 'https://elsewhere.example' } });
    expect(headers['access-control-allow-origin']).toBe('*');
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'Deprecation', 'X-Api-Key-Status'])
      expect(headers['access-control-expose-headers']?.split(', ')).toContain(name);
  });
});

test('[allowances 1] a denied search calls no provider', async () => {
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

  test('[allowances 1] [allowances 2] denies until the end of its burst part', async () => {
    const { get, statuses, clock } = createLimitedApp({ access: { allowances } });
    expect(await statuses(2, SEARCH)).toEqual([200, 200]);
    const answer = await get(SEARCH);
    const seconds = expectRefused(answer);
    expect(seconds).toBeLessThanOrEqual(11);
    expect(answer.json()['detail']).toContain('2 requests per 10 seconds');
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({
      search: { q: 5, w: 60 },
      'search-burst': { q: 2, w: 10 },
    });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ 'search-burst': { r: 0, t: seconds } });
    clock.wait(seconds * 1000);
    expect(await statuses(3, SEARCH)).toEqual([200, 200, 429]);
  });

  test('[allowances 2] of a key is in RateLimit while units are left', async () => {
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

describe('a pool of all searches without a key', () => {
  const access = { allowances: { search: { ...TINY_ALLOWANCES.search, pool: { count: 2, seconds: 60 } } } };

  test('[allowances 1] [allowances 2] returns 429 to every caller without a key when it is spent, and names the pool', async () => {
    const { get, statuses, clock } = createLimitedApp({ access });
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.1'))).toEqual([200]);
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.2'))).toEqual([200]);
    const answer = await get(SEARCH, { headers: viewerIp('192.0.2.3') });
    const seconds = expectRefused(answer);
    expect(answer.json()['detail']).toMatch(/that all callers without an API key share is 2 requests per 60 seconds/);
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({
      search: { q: 3, w: 60 },
      'search-pool': { q: 2, w: 60 },
    });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ 'search-pool': { r: 0, t: seconds } });
    clock.wait(seconds * 1000);
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.3'))).toEqual([200]);
  });

  test('[allowances 4] does not limit callers with a key, nor profiles', async () => {
    const { headers, keys } = createTestKey();
    const { get, statuses } = createLimitedApp({ access: { ...access, keys } });
    expect(await statuses(3, SEARCH)).toEqual([200, 200, 429]);
    expect(await statuses(7, SEARCH, headers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(await statuses(4, '/jack')).toEqual([200, 200, 200, 200]);
    const keyed = await get(SEARCH, { headers });
    expect(parseRateLimitField(keyed, 'ratelimit-policy')).toEqual({ search: { q: 6, w: 60 } });
    expect(parseRateLimitField(await get('/jack'), 'ratelimit-policy')).toEqual({ browse: { q: 4, w: 60 } });
  });

  test('[allowances 4] is not spent by a caller whose allowance is spent', async () => {
    const allowances = { search: { ...TINY_ALLOWANCES.search, pool: { count: 4, seconds: 60 } } };
    const { statuses, get } = createLimitedApp({ access: { allowances } });
    expect(await statuses(6, SEARCH, viewerIp('192.0.2.1'))).toEqual([200, 200, 200, 429, 429, 429]);
    const answer = await get(SEARCH, { headers: viewerIp('192.0.2.1') });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ search: { r: 0, t: expect.any(Number) } });
    expect(answer.json()['detail']).toMatch(/^The search allowance is 3 requests per 60 seconds/);
    expect(await statuses(2, SEARCH, viewerIp('192.0.2.2'))).toEqual([200, 429]);
  });

  test('[allowances 1] causes no provider call for a caller that it denies, even if the caller has units left', async () => {
    const search = { anonymous: { count: 100, seconds: 60 }, keyed: { count: 1, seconds: 60 } };
    const { upstream, calls } = countingUpstream();
    const pooled = { search: { ...search, pool: { count: 2, seconds: 60 } } };
    const { statuses } = createLimitedApp({ upstream, access: { allowances: pooled } });
    expect(await statuses(9, SEARCH)).toEqual([200, 200, ...Array(7).fill(429)]);
    expect(calls()).toBe(2);
  });

  test('[allowances 4] charges nothing to the allowance of a caller that it denies', async () => {
    const { statuses, counters } = createLimitedApp({ access });
    await statuses(2, SEARCH, viewerIp('192.0.2.1'));
    await statuses(5, SEARCH, viewerIp('192.0.2.2'));
    const callerCharges = counters.calls.filter(({ counter }) => counter.partition.startsWith('search#a:'));
    const spent = callerCharges
      .map(({ verb, units }) => (verb === 'charge' ? units : -units))
      .reduce((sum, units) => sum + units);
    expect(spent).toBe(2);
  });
});
