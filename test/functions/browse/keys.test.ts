import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import type { ApiKeyReader } from '../../../shared/ports/stores.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { issuedKey, newApiKey } from '../../support/access-control.ts';
import { BROWSE_TARGETS, routesOf, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import {
  counterStoreNotCalled,
  countingUpstream,
  createLimitedApp,
  createTestKey,
  keyReaderNotCalled,
  parseRateLimitField,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, type TestApp, type TestResponse } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);
const SEARCH = '/search?q=fjord';

class StoreError extends Error {
  readonly code = 'ECONNREFUSED';
}

const expectInvalid = (answer: TestResponse): void => {
  expectProblem(answer, 401, 'invalid_key');
  expect(answer.headers).toMatchObject({ 'x-api-key-status': 'invalid', 'cache-control': 'private, no-store' });
};
const expectUnverified = (answer: TestResponse): void => {
  expect(answer.headers).toMatchObject({ 'x-api-key-status': 'unverified', 'cache-control': 'private, no-store' });
};

describe('a valid key', () => {
  test.each(['Bearer ', 'bEaReR ', 'Bearer    '])('[keys 2] [caching 1] is known by the scheme %o', async (scheme) => {
    const { key, keys } = issuedKey();
    const { get } = createTestApp({ access: { keys } });
    const answer = await get(SEARCH, { headers: { authorization: `${scheme}${key}  ` } });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'x-api-key-status': 'valid', 'cache-control': 'private, no-store' });
  });

  test('[keys 13] changes neither bytes nor ETag, and tags and cursors of both callers are good for the other', async () => {
    const { bearer: authorization, keys } = issuedKey();
    const { get } = createTestApp({ upstream: upstreamWithLists(30), access: { keys } });
    for (const route of ROUTES) {
      for (const query of ['limit=3&format=json', 'limit=0', 'cursor=x']) {
        const target = withQuery(route, query);
        const [plain, keyed] = [await get(target), await get(target, { headers: { authorization } })];
        const [{ headers: one }, { headers: other }] = [plain, keyed];
        for (const name of ['etag', 'content-type', 'link', 'vary']) expect(other[name]).toBe(one[name]);
        expect([keyed.status, keyed.body]).toEqual([plain.status, plain.body]);
        if (plain.status !== 200) continue;
        const tagOf = ({ headers }: TestResponse) => ({ 'if-none-match': headers['etag'] ?? '' });
        expect((await get(target, { headers: { authorization, ...tagOf(plain) } })).status).toBe(304);
        expect((await get(target, { headers: tagOf(keyed) })).status).toBe(304);
        const next = `${target}&cursor=${keyed.json()['next_cursor']}`;
        expect((await get(next)).status).toBe(200);
        expect((await get(next, { headers: { authorization } })).body).toBe((await get(next)).body);
      }
    }
  });
});

test.each(ROUTES)(
  '[keys 7] [keys 10] a change of a key holds for the next request to %s, although it is cached',
  async (route) => {
    const { headers, keys, change, delete: remove } = createTestKey();
    const apps = [1, 2].map(() => createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 }));
    const statusesAre = async (expected: string): Promise<void> => {
      for (const { get } of apps) {
        const answer = await get(route, { headers });
        expect(`${answer.status} ${answer.headers['x-api-key-status']}`).toBe(expected);
        if (answer.status === 200) continue;
        expectInvalid(await get(route, { headers: { ...headers, 'if-none-match': '*' } }));
        expect((await get(route)).headers['x-api-key-status']).toBe('anonymous');
      }
    };
    remove();
    await statusesAre('401 invalid');
    change({});
    await statusesAre('200 valid');
    change({ state: 'disabled' });
    await statusesAre('401 invalid');
    change({ state: 'enabled' });
    await statusesAre('200 valid');
    remove();
    await statusesAre('401 invalid');
  },
);

describe.each(['unknown', 'disabled', 'malformed'] as const)('a key that is %s', (kind) => {
  const refused = () => {
    const testKey = createTestKey({ state: 'disabled' });
    if (kind === 'malformed') return { ...testKey, headers: { authorization: 'Bearer x' }, keys: keyReaderNotCalled };
    return kind === 'disabled' ? testKey : { ...testKey, headers: { authorization: `Bearer ${newApiKey()}` } };
  };

  test('[keys 3] [keys 10] is 401 before any other error, without a charge or a provider call', async () => {
    const { headers, keys, reads } = refused();
    const { upstream, calls } = countingUpstream();
    const { get } = createLimitedApp({ upstream, access: { keys, counters: counterStoreNotCalled } });
    const wrong = ['/search', '/api/v1/profiles/ja-ck', '/ja-ck/followers', '/api/v1/profiles/%zz', '/api/browse'];
    const targets = [...ROUTES, ...wrong];
    for (const target of targets)
      for (const query of ['', 'limit=0', 'limit=1&limit=2', 'format=xml', 'cursor=x'])
        expectInvalid(await get(withQuery(target, query), { headers: { ...headers, accept: 'image/png' } }));
    expect(reads()).toBeLessThanOrEqual(targets.length * 5);
    expect(calls()).toBe(0);
  });
});

describe('[keys 22] after 30 unknown keys from its client network', () => {
  /** @returns the last of the unknown keys */
  const spendBound = async (get: TestApp['get']): Promise<Readonly<Record<string, string>>> => {
    let headers = {};
    for (let count = 0; count < 30; count += 1) {
      headers = { authorization: `Bearer ${newApiKey()}` };
      expectInvalid(await get('/jack', { headers }));
    }
    return headers;
  };

  test.each(ROUTES)(
    'a key that was never found is 429 at %s, without a read, a charge or a provider call',
    async (route) => {
      const { headers, keys, reads } = createTestKey();
      const { upstream, calls } = countingUpstream();
      const { get, clock, log } = createLimitedApp({ upstream, access: { keys, counters: counterStoreNotCalled } });
      const unknown = await spendBound(get);
      const [before, called] = [reads(), calls()];
      for (const query of ['', 'limit=0', 'format=xml', 'cursor=x'])
        for (const authorization of [headers.authorization, `Bearer ${newApiKey()}`]) {
          const answer = await get(withQuery(route, query), { headers: { authorization, accept: 'application/json' } });
          expectProblem(answer, 429, 'rate_limited');
          expect(answer.json()).toMatchObject({
            retry_after: 61,
            resolution: expect.stringContaining('Authorization'),
          });
          expect(answer.headers).toMatchObject({ 'retry-after': '61', 'cache-control': 'private, no-store' });
          for (const name of ['x-api-key-status', 'ratelimit']) expect(answer.headers).not.toHaveProperty(name);
          expect(log.at(-1)).toMatchObject({ event: 'request', status: 429, code: 'rate_limited', key: undefined });
        }
      expectInvalid(await get(route, { headers: unknown }));
      expect([reads(), calls()]).toEqual([before, called]);
      const elsewhere = await get('/jack?limit=0', { headers: { ...headers, ...viewerIp('192.0.2.9') } });
      expect(elsewhere.headers['x-api-key-status']).toBe('valid');
      clock.wait(60_999);
      const waited = await get('/jack?limit=0', { headers });
      expect([waited.status, waited.headers['x-api-key-status']]).toEqual([400, 'valid']);
    },
  );

  test('a key that was found is read for each request: disabled it is 401, enabled it is valid', async () => {
    const { headers, keys, change, delete: remove } = createTestKey();
    const { get } = createLimitedApp({ access: { keys } });
    expect((await get('/jack', { headers })).headers['x-api-key-status']).toBe('valid');
    await spendBound(get);
    change({ state: 'disabled' });
    expectInvalid(await get('/jack', { headers }));
    change({ state: 'enabled' });
    expect((await get('/jack', { headers })).headers['x-api-key-status']).toBe('valid');
    remove();
    expectInvalid(await get('/jack', { headers }));
    expectInvalid(await get('/jack', { headers }));
  });

  test('a disabled key that was found before is 401, and a caller without a key is served', async () => {
    const { headers, keys } = createTestKey({ state: 'disabled' });
    const { get } = createLimitedApp({ access: { keys } });
    expectInvalid(await get('/jack', { headers }));
    await spendBound(get);
    expectInvalid(await get('/jack', { headers }));
    const anonymous = await get('/jack');
    expect([anonymous.status, anonymous.headers['x-api-key-status']]).toEqual([200, 'anonymous']);
  });

  test('a key is unverified once the store cannot be reached, if it was found before', async () => {
    const testKey = createTestKey();
    let isDown = false;
    const read: ApiKeyReader['read'] = (hash) =>
      isDown ? Promise.reject(new StoreError('down')) : testKey.keys.read(hash);
    const { get } = createLimitedApp({ access: { keys: { read } } });
    await get('/jack', testKey);
    const unknown = await spendBound(get);
    isDown = true;
    expectUnverified(await get('/jack', testKey));
    expectInvalid(await get('/jack', { headers: unknown }));
  });
});

describe('[keys 11] a rejected key', () => {
  test('spends no units of the client network and none of the key, and is 401 after they are spent', async () => {
    const { headers, keys, change } = createTestKey();
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(1, SEARCH, headers)).toEqual([200]);
    change({ state: 'disabled' });
    const wrong = [headers.authorization, `Bearer ${newApiKey()}`, 'Bearer', 'Bearer x'];
    const expectRejections = async (): Promise<void> => {
      for (const authorization of wrong)
        expect(new Set(await statuses(12, SEARCH, { authorization }))).toEqual(new Set([401]));
    };
    await expectRejections();
    expect(await statuses(4, SEARCH)).toEqual([200, 200, 200, 429]);
    await expectRejections();
    change({ state: 'enabled' });
    expect(await statuses(6, SEARCH, headers)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  const heard = (log: readonly LogFields[]) => log.filter(({ event }) => event === 'repeated_invalid_key');

  test('is not a valid key that is repeated', async () => {
    const { keys, headers } = createTestKey();
    const { statuses, log } = createLimitedApp({ access: { keys } });
    await statuses(12, '/jack', headers);
    expect(heard(log)).toEqual([]);
  });

  test.each(['Bearer x', `Bearer ${newApiKey()}`])(
    'causes a warning after 10 from one client network, also if parameters are wrong: %s',
    async (authorization) => {
      const { statuses, log } = createLimitedApp();
      await statuses(9, '/jack', { authorization, ...viewerIp('192.0.2.7') });
      await statuses(9, '/jack', { authorization, ...viewerIp('192.0.2.8') });
      expect(heard(log)).toEqual([]);
      const headers = { authorization, ...viewerIp('192.0.2.7') };
      expect(await statuses(12, '/jack?limit=0', headers)).toEqual(Array(12).fill(401));
      expect(heard(log)).toMatchObject([10, 20].map((rejections) => ({ level: 'warn', rejections })));
      expect(JSON.stringify(log)).not.toMatch(/192\.0\.2/);
    },
  );
});

test('[keys 12] neither a key nor its hash is sent or logged in any case', async () => {
  const { key, hash, headers, keys, change, delete: remove } = createTestKey();
  const { get, log, counters } = createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 });
  const told: unknown[] = [];
  const askAll = async (): Promise<void> => {
    for (const route of [...ROUTES, '/search', '/jack?limit=0', '/no-where', '/jack/status/20', '/api/v1/profiles']) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) told.push(await get(route, { method, headers }));
      for (const wrong of [`${key}x`, `${key} ${key}`, `${key}, Bearer ${key}`])
        told.push(await get(route, { headers: { authorization: `Bearer ${wrong}` } }));
      told.push(await get(withQuery(route, `api_key=${key}`), { headers: { 'x-api-key': key, cookie: `key=${key}` } }));
    }
  };
  await askAll();
  change({ state: 'disabled' });
  await askAll();
  remove();
  await askAll();
  counters.fail(new Error(`no answer about ${hash}`));
  await askAll();
  const all = JSON.stringify([told, log, counters.calls]).toLowerCase();
  for (const secret of [key, key.slice('pstn_'.length), hash]) expect(all).not.toContain(secret.toLowerCase());
});

/** The errors repeat the hash, which no answer and no log line may. */
const outages: readonly (readonly [string, (hash: string) => Promise<never>])[] = [
  ['refuses connections', (hash) => Promise.reject(new StoreError(`no answer about ${hash}`))],
  ['never answers', () => new Promise(() => undefined)],
  ['holds an item that is not a key', (hash) => Promise.reject(new TypeError(`${hash} is not a key`))],
  ['throws a value that is not an error', (hash) => Promise.reject(hash)],
];

test.each(outages)(
  '[keys 5] [keys 6] [keys 12] a key store that %s makes a well-formed key unverified, and the answer that without a key',
  async (_, read) => {
    const key = newApiKey();
    const { get, log } = createTestApp({ access: { keys: { read } } });
    for (const route of ROUTES) {
      const [plain, keyed] = [await get(route), await get(route, { headers: { authorization: `Bearer ${key}` } })];
      expectUnverified(keyed);
      expect([keyed.status, keyed.body]).toEqual([200, plain.body]);
      expect(keyed.headers['etag']).toBe(plain.headers['etag']);
      expectInvalid(await get(route, { headers: { authorization: 'Bearer x' } }));
    }
    for (const secret of [key, sha256Hex(key)]) expect(JSON.stringify(log)).not.toContain(secret);
  },
);

describe('[keys 6] a caller with an unverified key', () => {
  const headers = { authorization: `Bearer ${newApiKey()}` };
  const down: ApiKeyReader = { read: () => Promise.reject(new StoreError('down')) };

  /** A key whose store the test switches off and on. */
  const keyBehindSwitch = () => {
    const testKey = createTestKey();
    const store = { isDown: false };
    const read: ApiKeyReader['read'] = (hash) => (store.isDown ? down.read(hash) : testKey.keys.read(hash));
    return { ...testKey, keys: { read }, store };
  };

  test('spends the allowance of the client network and the pool, with and without the key together', async () => {
    const pooled = { search: { ...TINY_ALLOWANCES.search, pool: { count: 3, seconds: 60 } } };
    const { get, statuses } = createLimitedApp({ access: { keys: down, allowances: pooled } });
    const first = await get(SEARCH, { headers });
    expect(parseRateLimitField(first, 'ratelimit-policy')).toEqual({
      search: { q: 3, w: 60 },
      'search-pool': { q: 3, w: 60 },
    });
    expect(parseRateLimitField(first, 'ratelimit')).toEqual({ search: { r: 2, t: expect.any(Number) } });
    expect(await statuses(1, SEARCH, headers)).toEqual([200]);
    expect(await statuses(1, SEARCH)).toEqual([200]);
    const denied = await get(SEARCH, { headers });
    expectProblem(denied, 429, 'rate_limited');
    expectUnverified(denied);
    expect(await statuses(1, SEARCH, { ...headers, ...viewerIp('192.0.2.9') })).toEqual([429]);
  });

  test('has the whole allowance of the key, or 401, when the store answers again', async () => {
    const { headers: own, keys, change, store } = keyBehindSwitch();
    const { statuses, get, clock } = createLimitedApp({ access: { keys } });
    expect(await statuses(1, SEARCH, own)).toEqual([200]);
    store.isDown = true;
    expectUnverified(await get(SEARCH, { headers: own }));
    expect(await statuses(3, SEARCH, own)).toEqual([200, 200, 429]);
    store.isDown = false;
    clock.wait(2000);
    expect(await statuses(6, SEARCH, own)).toEqual([200, 200, 200, 200, 200, 429]);
    change({ state: 'disabled' });
    expect(await statuses(1, '/jack', own)).toEqual([401]);
    store.isDown = true;
    expect(await statuses(1, '/jack', own)).toEqual([200]);
    store.isDown = false;
    clock.wait(2000);
    expect(await statuses(1, '/jack', own)).toEqual([401]);
  });

  test('is served up to the anonymous limit while the counter store does not answer either', async () => {
    const { statuses } = createLimitedApp({ access: { keys: down, counters: counterStoreNotCalled } });
    expect(await statuses(5, SEARCH, headers)).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(5, '/jack', headers)).toEqual([200, 200, 200, 200, 429]);
  });
});

test('[keys 6] a key store is read again after one failure, and after three in a row only once in 1 to 2 s', async () => {
  const { headers, keys } = createTestKey();
  let calls = 0;
  const failing = (until: number): ApiKeyReader => ({
    read(hash) {
      calls += 1;
      if (calls > until) return keys.read(hash);
      throw new StoreError('away');
    },
  });
  const { get } = createTestApp({ access: { keys: failing(1) } });
  expect((await get('/jack', { headers })).headers['x-api-key-status']).toBe('valid');
  calls = 0;
  const { statuses, clock } = createLimitedApp({ access: { keys: failing(Number.POSITIVE_INFINITY) } });
  await statuses(20, SEARCH, headers);
  expect(calls).toBe(3);
  clock.wait(2000);
  await statuses(20, SEARCH, headers);
  expect(calls).toBe(4);
});
