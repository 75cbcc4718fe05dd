import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LogFields } from '../../../shared/ports/system.ts';
import { newApiKey } from '../../support/access-control.ts';
import { BROWSE_TARGETS, comparableAnswer, routesOf, withQuery } from '../../support/browse-routes.ts';
import {
  counterStoreNotCalled,
  countingUpstream,
  createLimitedApp,
  createTestKey,
  keyReaderNotCalled,
  viewerIp,
} from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, type TestResponse, upstreamNotCalled } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);

interface Vectors {
  readonly cases: readonly { readonly value: string | null; readonly expect: 'anonymous' | 'key' | 'malformed' }[];
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../fixtures/vectors/bearer.json', import.meta.url), 'utf8'),
) as Vectors;

/** Values of the Authorization field with this result in the test vectors. */
const valuesOf = (kind: Vectors['cases'][number]['expect']): readonly string[] =>
  cases.flatMap(({ value, expect: is }) => (is === kind && value !== null ? [value] : []));

const expectInvalid = (answer: TestResponse): void => {
  expectProblem(answer, 401, 'invalid_key');
  expect(answer.headers).toMatchObject({ 'x-api-key-status': 'invalid', 'cache-control': 'private, no-store' });
};

/** Changes one character, as a copying mistake does. */
const mistyped = (key: string): string => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

describe('an unknown key', () => {
  test('[keys 10] returns 401 before any error of parameters or Accept', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    const headers = { authorization: 'Bearer x', accept: 'image/png', 'if-none-match': '*' };
    for (const route of ROUTES) {
      for (const query of ['limit=0', 'limit=1&limit=2', 'format=xml', 'format=', 'cursor=x', 'max_tokens=1'])
        expectProblem(await get(withQuery(route, query), { headers }), 401, 'invalid_key');
    }
    for (const route of [
      '/api/v1/profiles/ja-ck',
      '/ja-ck/followers',
      '/api/v1/profiles/%zz',
      '/search',
      '/search?q=&feed=x',
    ])
      expectProblem(await get(route, { headers }), 401, 'invalid_key');
  });

  test('[keys 10] [keys 9] returns 404 on an unknown route, without a key check', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const route of [
      '/api/v1/profiles',
      '/api/v1/profiles/jack/',
      '/ja-ck',
      '/docs/followers',
      '/api/nope',
      '/Search?q=x',
    ]) {
      const answer = await get(route, { headers: { authorization: 'Bearer x' } });
      expectProblem(answer, 404, 'route_not_found');
      expect(answer.headers).not.toHaveProperty('x-api-key-status');
    }
  });
});

test('[keys 6] a valid key is served as unverified after 30 unknown keys from its network, and the log says unread', async () => {
  const { headers, keys } = createTestKey();
  const { get, log } = createLimitedApp({ access: { keys } });
  for (let count = 0; count < 30; count += 1)
    expectInvalid(await get('/jack', { headers: { authorization: `Bearer ${newApiKey()}` } }));
  const answer = await get('/jack', { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({ 'x-api-key-status': 'unverified', 'cache-control': 'private, no-store' });
  expect(log.at(-1)).toMatchObject({ event: 'request', key: 'unread' });
  const elsewhere = await get('/jack', { headers: { ...headers, ...viewerIp('192.0.2.9') } });
  expect(elsewhere.headers['x-api-key-status']).toBe('valid');
});

describe('a malformed key', () => {
  const nothingAsked = {
    upstream: upstreamNotCalled,
    access: { keys: keyReaderNotCalled, counters: counterStoreNotCalled },
  };

  test.each(valuesOf('malformed'))(
    '[keys 5] %o returns 401 without a store or provider call',
    async (authorization) => {
      const { upstream, calls } = countingUpstream();
      const { get } = createTestApp({ ...nothingAsked, upstream });
      for (const route of ROUTES) expectInvalid(await get(route, { headers: { authorization } }));
      expect(calls()).toBe(0);
    },
  );

  test.each(valuesOf('key'))(
    '[keys 5] %o is one token but not a key: it returns 401 without a store call',
    async (value) => {
      const { get } = createTestApp(nothingAsked);
      for (const route of ROUTES) expectInvalid(await get(route, { headers: { authorization: value } }));
    },
  );

  test('[keys 5] a mistyped, doubled or truncated key returns 401 without a store call', async () => {
    const key = newApiKey();
    const { get } = createTestApp(nothingAsked);
    for (const token of [
      mistyped(key),
      key.slice(0, -1),
      `${key}0`,
      key.toUpperCase(),
      key.replace('pstn_', ''),
      `${key}=`,
      `${key} ${key}`,
      `${key}, Bearer ${key}`,
      `${key},Bearer ${newApiKey()}`,
    ]) {
      for (const route of ROUTES) expectInvalid(await get(route, { headers: { authorization: `Bearer ${token}` } }));
    }
  });

  test.each(valuesOf('anonymous'))(
    '[keys 4] %o is not a Bearer token: the answer is anonymous',
    async (authorization) => {
      const { get } = createTestApp({ access: { keys: keyReaderNotCalled } });
      for (const route of ROUTES)
        expect(comparableAnswer(await get(route, { headers: { authorization } }))).toEqual(
          comparableAnswer(await get(route)),
        );
    },
  );
});

describe('an unknown or disabled key', () => {
  const refusedKeys = () => ({
    unknown: { ...createTestKey(), headers: { authorization: `Bearer ${newApiKey()}` } },
    disabled: createTestKey({ state: 'disabled' }),
  });

  test.each(['unknown', 'disabled'] as const)(
    '[keys 3] that is %s returns 401 without a provider call',
    async (kind) => {
      const { headers, keys, reads } = refusedKeys()[kind];
      const { upstream, calls } = countingUpstream();
      const { get } = createLimitedApp({ upstream, access: { keys, counters: counterStoreNotCalled } });
      for (const route of ROUTES) expectInvalid(await get(route, { headers }));
      expect(reads()).toBe(ROUTES.length);
      expect(calls()).toBe(0);
    },
  );

  test.each(['unknown', 'disabled'] as const)(
    '[keys 10] that is %s returns 401 before errors of parameters, Accept and conditions',
    async (kind) => {
      const { headers, keys } = refusedKeys()[kind];
      const { get } = createTestApp({ upstream: upstreamNotCalled, access: { keys } });
      for (const route of [...ROUTES, '/search', '/api/v1/profiles/ja-ck', '/api/browse', '/api/browse?resource=x']) {
        for (const query of ['', 'limit=0', 'limit=1&limit=2', 'format=xml', 'cursor=x'])
          expectInvalid(await get(withQuery(route, query), { headers }));
        expectInvalid(await get(route, { headers: { ...headers, accept: 'image/png', 'if-none-match': '*' } }));
      }
    },
  );

  test('[keys 3] causes no provider call while it is looked up, although the client network has units left', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { upstream, calls } = countingUpstream();
    const { get } = createLimitedApp({
      upstream,
      access: {
        keys: { read: () => promise },
        allowances: { search: { anonymous: { count: 30, seconds: 60 }, keyed: { count: 60, seconds: 60 } } },
      },
    });
    expect((await get('/search?q=fjord')).status).toBe(200);
    const answer = get('/search?q=fjord', { headers: { authorization: `Bearer ${newApiKey()}` } });
    await new Promise((done) => setImmediate(done));
    resolve(undefined);
    expectInvalid(await answer);
    expect(calls()).toBe(1);
  });

  test('[keys 10] that is disabled returns 401 although the answer is cached', async () => {
    const { headers, keys, change } = createTestKey();
    const { get } = createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 });
    for (const route of ROUTES) expect((await get(route, { headers })).status).toBe(200);
    change({ state: 'disabled' });
    for (const route of ROUTES) {
      expectInvalid(await get(route, { headers }));
      expectInvalid(await get(route, { headers: { ...headers, 'if-none-match': '*' } }));
      expect((await get(route)).headers['x-api-key-status']).toBe('anonymous');
    }
  });

  test('[keys 10] [keys 9] is not looked up on an unknown route, nor for a request that bypasses the edge', async () => {
    const { headers, keys, reads } = createTestKey({ state: 'disabled' });
    const { get } = createTestApp({ upstream: upstreamNotCalled, access: { keys } });
    expectProblem(await get('/api/v1/profiles', { headers }), 404, 'route_not_found');
    expectProblem(await get('/jack', { headers, secret: 'wrong' }), 403, 'forbidden_origin');
    expectProblem(await get('/jack', { headers, method: 'POST' }), 405, 'method_not_allowed');
    expectProblem(await get(`/jack?q=${'x'.repeat(9000)}`, { headers }), 414, 'uri_too_long');
    expect((await get('/jack', { headers, method: 'OPTIONS' })).status).toBe(204);
    expect(reads()).toBe(0);
  });
});

describe('[keys 11] a rejected key', () => {
  const MANY = 12;

  test('spends no units of the client network and none of the key', async () => {
    const { headers, keys, change } = createTestKey();
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(1, '/search?q=fjord', headers)).toEqual([200]);
    change({ state: 'disabled' });
    for (const authorization of [headers.authorization, `Bearer ${newApiKey()}`, 'Bearer', 'Bearer x'])
      expect(new Set(await statuses(MANY, '/search?q=fjord', { authorization }))).toEqual(new Set([401]));
    expect(await statuses(4, '/search?q=fjord')).toEqual([200, 200, 200, 429]);
    change({ state: 'enabled' });
    expect(await statuses(6, '/search?q=fjord', headers)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('returns 401 even if the allowance of the client network is spent', async () => {
    const { statuses, get } = createLimitedApp();
    expect((await statuses(4, '/search?q=fjord')).at(-1)).toBe(429);
    for (const authorization of ['Bearer x', `Bearer ${newApiKey()}`])
      expectInvalid(await get('/search?q=fjord', { headers: { authorization } }));
  });

  const heard = (log: readonly LogFields[]) => log.filter(({ event }) => event === 'repeated_invalid_key');

  test.each(['Bearer x', `Bearer ${newApiKey()}`])(
    'causes a warning after 10 from one client network, and the answer stays 401: %s',
    async (authorization) => {
      const { statuses, log } = createLimitedApp();
      await statuses(9, '/jack', { authorization, ...viewerIp('192.0.2.7') });
      await statuses(9, '/jack', { authorization, ...viewerIp('192.0.2.8') });
      expect(heard(log)).toEqual([]);
      expect(await statuses(12, '/jack', { authorization, ...viewerIp('192.0.2.7') })).toEqual(Array(12).fill(401));
      expect(heard(log)).toMatchObject([
        { level: 'warn', rejections: 10 },
        { level: 'warn', rejections: 20 },
      ]);
      expect(JSON.stringify(log)).not.toMatch(/192\.0\.2/);
    },
  );

  test('is counted once when parameters are invalid too', async () => {
    const { statuses, log } = createLimitedApp();
    await statuses(10, '/jack?limit=0', { authorization: `Bearer ${newApiKey()}` });
    expect(heard(log)).toHaveLength(1);
  });
});
