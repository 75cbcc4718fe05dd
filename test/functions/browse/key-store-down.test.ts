// Tests browse requests while the key store does not answer: a key then has the allowance of a request without a key.
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import type { ApiKeyReader } from '../../../shared/ports/stores.ts';
import { newApiKey } from '../../support/access-control.ts';
import { BROWSE_TARGETS, routesOf, withQuery } from '../../support/browse-routes.ts';
import {
  counterStoreNotCalled,
  createLimitedApp,
  createTestKey,
  keyReaderNotCalled,
  parseRateLimitField,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, type TestResponse, upstreamNotCalled, upstreamReturning } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);
const SEARCH = '/search?q=fjord';

const expectUnverified = (answer: TestResponse): void => {
  expect(answer.headers).toMatchObject({ 'x-api-key-status': 'unverified', 'cache-control': 'private, no-store' });
};

class StoreError extends Error {
  readonly code = 'ECONNREFUSED';
}

/** @param hash must not be repeated by an error */
const outages: readonly (readonly [string, (hash: string) => Promise<never>])[] = [
  ['refuses connections', (hash) => Promise.reject(new StoreError(`no answer about ${hash}`))],
  ['never answers', () => new Promise(() => undefined)],
  ['holds an item that is not a key', (hash) => Promise.reject(new TypeError(`${hash} is not a key`))],
  ['throws a value that is not an error', (hash) => Promise.reject(hash)],
  [
    'throws at once',
    (hash) => {
      throw new Error(hash);
    },
  ],
  [
    'denies access',
    () => Promise.reject(Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })),
  ],
];

const storeThat = (read: (hash: string) => Promise<never>): ApiKeyReader => ({ read });
const down = storeThat(() => Promise.reject(new StoreError('down')));

/** A key whose store the test switches off and on. */
const keyBehindSwitch = () => {
  const testKey = createTestKey();
  let isDown = false;
  return {
    ...testKey,
    keys: { read: (hash) => (isDown ? down.read(hash) : testKey.keys.read(hash)) } satisfies ApiKeyReader,
    switchOff: () => {
      isDown = true;
    },
    switchOn: () => {
      isDown = false;
    },
  };
};

describe.each(outages)('a key store that %s', (_, read) => {
  test('[keys 6] [keys 12] makes a well-formed key unverified, and the answer that of a request without a key', async () => {
    const key = newApiKey();
    const { get, log } = createTestApp({ access: { keys: storeThat(read) } });
    for (const route of ROUTES) {
      const plain = await get(route);
      const keyed = await get(route, { headers: { authorization: `Bearer ${key}` } });
      expect(keyed.status).toBe(200);
      expectUnverified(keyed);
      expect(keyed.body).toBe(plain.body);
      expect(keyed.headers['etag']).toBe(plain.headers['etag']);
    }
    for (const secret of [key, sha256Hex(key)]) expect(JSON.stringify(log)).not.toContain(secret);
  });

  test('[keys 6] [keys 5] does not prevent 401 for a malformed key', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled, access: { keys: storeThat(read) } });
    for (const authorization of ['Bearer', 'Bearer x', `Bearer ${newApiKey()}, Bearer ${newApiKey()}`]) {
      for (const route of ROUTES) expectProblem(await get(route, { headers: { authorization } }), 401, 'invalid_key');
    }
  });
});

describe('[keys 6] a caller with an unverified key', () => {
  const headers = { authorization: `Bearer ${newApiKey()}` };

  test('gets 400 and 404 as any caller does', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled, access: { keys: down } });
    const gone = createTestApp({
      upstream: upstreamReturning({ kind: 'gone', reason: 'suspended' }),
      access: { keys: down },
    });
    for (const [answer, status, code] of [
      [await get('/jack?limit=0', { headers }), 400, 'invalid_parameter'],
      [await get('/search', { headers }), 400, 'missing_query'],
      [await get('/api/browse', { headers }), 400, 'invalid_resource'],
      [await get('/jack', { headers: { ...headers, accept: 'image/png' } }), 406, 'not_acceptable'],
      [await gone.get('/jack', { headers }), 404, 'profile_not_found'],
    ] as const) {
      expectProblem(answer, status, code);
      expectUnverified(answer);
    }
    const unchanged = await createTestApp({ access: { keys: down } }).get('/jack', {
      headers: { ...headers, 'if-none-match': '*' },
    });
    expect(unchanged.status).toBe(304);
    expectUnverified(unchanged);
  });

  test('gets no error status because of the outage', async () => {
    const { get } = createTestApp({ access: { keys: down } });
    for (const route of [...ROUTES, ...ROUTES.map((target) => withQuery(target, 'limit=0')), '/search']) {
      for (const method of ['GET', 'HEAD'])
        expect([200, 400]).toContain((await get(route, { method, headers })).status);
    }
  });

  test('spends the allowance of the client network, with and without the key together', async () => {
    const { get, statuses } = createLimitedApp({ access: { keys: down } });
    expect(await statuses(2, SEARCH, headers)).toEqual([200, 200]);
    expect(await statuses(1, SEARCH)).toEqual([200]);
    const refused = await get(SEARCH, { headers });
    expectProblem(refused, 429, 'rate_limited');
    expectUnverified(refused);
    expect(await statuses(1, SEARCH)).toEqual([429]);
    expect(await statuses(1, SEARCH, { ...headers, ...viewerIp('192.0.2.9') })).toEqual([200]);
  });

  test('gets the remaining units of the client network', async () => {
    const { get } = createLimitedApp({ access: { keys: down } });
    const answer = await get(SEARCH, { headers });
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toEqual({ search: { q: 3, w: 60 } });
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ search: { r: 2, t: expect.any(Number) } });
  });

  test('spends the pool of callers without a key, if there is one', async () => {
    const allowances = { search: { ...TINY_ALLOWANCES.search, pool: { count: 1, seconds: 60 } } };
    const { get, statuses } = createLimitedApp({ access: { keys: down, allowances } });
    const answer = await get(SEARCH, { headers });
    expect(parseRateLimitField(answer, 'ratelimit-policy')).toHaveProperty('search-pool');
    expect(parseRateLimitField(answer, 'ratelimit')).toEqual({ search: { r: 2, t: expect.any(Number) } });
    expect(await statuses(1, SEARCH, viewerIp('192.0.2.9'))).toEqual([429]);
  });

  test('has the whole allowance of the key when the store answers again', async () => {
    const { headers: keyHeaders, keys, switchOff, switchOn } = keyBehindSwitch();
    const { statuses, get, clock } = createLimitedApp({ access: { keys } });
    expect(await statuses(1, SEARCH, keyHeaders)).toEqual([200]);
    switchOff();
    expectUnverified(await get(SEARCH, { headers: keyHeaders }));
    expect(await statuses(3, SEARCH, keyHeaders)).toEqual([200, 200, 429]);
    switchOn();
    clock.wait(2000);
    expect(await statuses(6, SEARCH, keyHeaders)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('that was disabled gets 401 as soon as the store answers', async () => {
    const { headers: keyHeaders, keys, change, switchOff, switchOn } = keyBehindSwitch();
    const { get, clock } = createLimitedApp({ access: { keys } });
    change({ state: 'disabled' });
    expect((await get('/jack', { headers: keyHeaders })).status).toBe(401);
    switchOff();
    expect((await get('/jack', { headers: keyHeaders })).status).toBe(200);
    switchOn();
    clock.wait(2000);
    expect((await get('/jack', { headers: keyHeaders })).status).toBe(401);
  });

  test('is served up to the anonymous limit while the counter store does not answer either', async () => {
    const { statuses } = createLimitedApp({ access: { keys: down, counters: counterStoreNotCalled } });
    expect(await statuses(5, SEARCH, headers)).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(5, '/jack', headers)).toEqual([200, 200, 200, 200, 429]);
  });
});

test('[keys 6] a key store that fails once is read again, and the answer does not show it', async () => {
  const { headers, keys } = createTestKey();
  let isFirst = true;
  const read: ApiKeyReader['read'] = (hash) => {
    if (!isFirst) return keys.read(hash);
    isFirst = false;
    throw new StoreError('once');
  };
  const { get } = createTestApp({ access: { keys: { read } } });
  expect((await get('/jack', { headers })).headers['x-api-key-status']).toBe('valid');
});

test('[keys 6] a key store that is down is called three times in a row, then once in 1 to 2 s', async () => {
  let calls = 0;
  const read: ApiKeyReader['read'] = async () => {
    calls += 1;
    throw new StoreError('away');
  };
  const { statuses, clock } = createLimitedApp({ access: { keys: { read } } });
  const headers = { authorization: `Bearer ${newApiKey()}` };
  await statuses(20, SEARCH, headers);
  expect(calls).toBe(3);
  clock.wait(2000);
  await statuses(20, SEARCH, headers);
  expect(calls).toBe(4);
});

test('[keys 6] a request without a key does not depend on the key store', async () => {
  const { get } = createTestApp({ access: { keys: keyReaderNotCalled } });
  for (const route of ROUTES) expect((await get(route)).headers['x-api-key-status']).toBe('anonymous');
});
