import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../shared/contract/allowances.ts';
import { issuedKey } from '../../support/access-control.ts';
import {
  BROWSE_TARGETS,
  comparableAnswer,
  OTHER_CREDENTIALS,
  routesOf,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { createLimitedApp, createTestKey } from '../../support/limited-app.ts';
import { createTestApp, type TestResponse } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);

/** The headers of an answer, without those of caching and rate limits. */
const substance = ({ status, headers, body }: TestResponse) => {
  const {
    'cache-control': _cache,
    'x-api-key-status': _status,
    ratelimit: _limit,
    'ratelimit-policy': _policy,
    'x-request-id': _id,
    ...kept
  } = headers;
  return { status, headers: kept, body };
};

describe('a request with a valid key', () => {
  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer    '])(
    '[keys 2] [caching 1] the scheme %o makes a known key valid, and the answer private',
    async (scheme) => {
      const { key, keys } = issuedKey();
      const { get } = createTestApp({ access: { keys } });
      for (const route of ROUTES) {
        for (const end of ['', '  ']) {
          const answer = await get(route, { headers: { authorization: `${scheme}${key}${end}` } });
          expect(answer.status).toBe(200);
          expect(answer.headers).toMatchObject({
            'x-api-key-status': 'valid',
            'cache-control': 'private, no-store',
            vary: 'Accept, Authorization, Accept-Encoding',
          });
        }
      }
    },
  );

  test('[keys 13] the answer is the same as without a key: bytes, ETag, type and links', async () => {
    const { key, keys } = issuedKey();
    const { get } = createTestApp({ upstream: upstreamWithLists(30), access: { keys } });
    for (const route of ROUTES) {
      for (const query of ['', 'format=json', 'limit=3', 'limit=0', 'feed=x', 'cursor=x']) {
        const plain = await get(withQuery(route, query));
        const keyed = await get(withQuery(route, query), { headers: { authorization: `Bearer ${key}` } });
        expect(substance(keyed)).toEqual(substance(plain));
        if (plain.status === 200) expect(keyed.headers['etag']).toMatch(/^W\/"/);
      }
    }
  });

  test('[keys 13] an ETag from a request without a key matches, and the other way round', async () => {
    const { key, keys } = issuedKey();
    const { get } = createTestApp({ access: { keys } });
    const authorization = `Bearer ${key}`;
    for (const route of ROUTES) {
      const plain = (await get(route)).headers['etag'] ?? '';
      const keyed = (await get(route, { headers: { authorization } })).headers['etag'] ?? '';
      expect((await get(route, { headers: { authorization, 'if-none-match': plain } })).status).toBe(304);
      expect((await get(route, { headers: { 'if-none-match': keyed } })).status).toBe(304);
    }
  });

  test('[keys 13] a cursor from a request without a key continues, and the other way round', async () => {
    const { key, keys } = issuedKey();
    const { get } = createTestApp({ upstream: upstreamWithLists(30), access: { keys } });
    const headers = { authorization: `Bearer ${key}` };
    for (const route of ROUTES) {
      const first = withQuery(route, 'limit=3&format=json');
      const [plain, keyed] = [await get(first), await get(first, { headers })].map((answer) =>
        String(answer.json()['next_cursor']),
      );
      const after = await get(`${first}&cursor=${keyed}`);
      expect(after.status).toBe(200);
      expect((await get(`${first}&cursor=${plain}`, { headers })).body).toBe(after.body);
    }
  });
});

describe('a request without a key', () => {
  test('[keys 4] a valid key in any other place is ignored, and appears in no log line', async () => {
    const { key, keys, reads } = createTestKey();
    const { get, log } = createTestApp({ access: { keys } });
    const places = OTHER_CREDENTIALS.map((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/pstn_x|^eDp5$/, key)])),
    );
    for (const route of ROUTES) {
      const plain = comparableAnswer(await get(route));
      for (const name of ['api_key', 'access_token', 'key', 'token', 'authorization'])
        expect(comparableAnswer(await get(withQuery(route, `${name}=${key}`)))).toEqual(plain);
      for (const headers of places.filter(({ authorization = '' }) => !authorization.startsWith('Bearer ')))
        expect(comparableAnswer(await get(route, { headers }))).toEqual(plain);
    }
    expect(reads()).toBe(0);
    expect(JSON.stringify(log)).not.toContain(key);
  });
});

describe('the allowance of a key', () => {
  const searches = async (search: Allowance | undefined): Promise<number> => {
    const { headers, keys } = createTestKey({ ...(search && { search }) });
    const statuses = await createLimitedApp({ access: { keys } }).statuses(9, '/search?q=fjord', headers);
    return statuses.filter((status) => status === 200).length;
  };

  test('is that of all keys, or that of this key', async () => {
    expect(await searches(undefined)).toBe(6);
    expect(await searches({ count: 8, seconds: 60 })).toBe(8);
    expect(await searches({ count: 1, seconds: 86_400 })).toBe(1);
    expect(await searches({ count: 8, seconds: 60, burst: { count: 2, seconds: 10 } })).toBe(2);
  });

  test('[keys 7] changes at once when the operator raises or lowers it', async () => {
    const { headers, keys, change } = createTestKey();
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(7, '/search?q=fjord', headers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    change({ search: { count: 8, seconds: 60 } });
    expect(await statuses(3, '/search?q=fjord', headers)).toEqual([200, 200, 429]);
    change({ search: { count: 7, seconds: 60 } });
    expect(await statuses(1, '/search?q=fjord', headers)).toEqual([429]);
    change({ search: { count: 9, seconds: 60 } });
    expect(await statuses(2, '/search?q=fjord', headers)).toEqual([200, 429]);
  });

  test('[keys 7] is spent up to the new limit when the operator lowers it', async () => {
    const { headers, keys, change } = createTestKey();
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(1, '/search?q=fjord', headers)).toEqual([200]);
    change({ search: { count: 2, seconds: 60 } });
    expect(await statuses(2, '/search?q=fjord', headers)).toEqual([200, 429]);
  });

  test('covers searches only: profiles and their lists cost the same with and without a key', async () => {
    const { headers, keys } = createTestKey({ search: { count: 100, seconds: 60 } });
    const { statuses } = createLimitedApp({ access: { keys } });
    expect(await statuses(6, '/jack', headers)).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await statuses(6, '/jack')).toEqual([200, 200, 200, 200, 429, 429]);
  });
});
