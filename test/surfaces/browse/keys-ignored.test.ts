// Posts and documents are open: no key is read there, no allowance governs them, and nothing hints at either.
import { describe, expect, test } from 'vitest';
import { newKey } from '../../support/access.ts';
import { KEYS, seen } from '../../support/browsing.ts';
import { house, missing, untouched } from '../../support/house.ts';
import { scarceHouse, untouchedCounters, untouchedKeys } from '../../support/spending.ts';

const nothingAsked = {
  keys: untouchedKeys,
  counters: untouchedCounters,
  allowances: {
    search: { anonymous: { count: 1, seconds: 60 }, keyed: { count: 1, seconds: 60 } },
    browse: { anonymous: { count: 1, seconds: 60 }, keyed: { count: 1, seconds: 60 } },
  },
};

const POSTS = [
  '/api/v1/posts?handle=jack&id=20',
  '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20&format=json',
  '/jack/status/20',
  '/jack/status/20/photo/1',
  '/jack/status/20/video/2',
  '/api/convert?handle=jack&id=20',
];
const DOCUMENTS = ['/', '/api', '/docs', '/docs/errors', '/docs/versioning'];
const MISTAKES = ['/api/v1/posts', '/jack/status/x', '/api/convert?url=x', '/no-where', '/api/v9', '/api/v1/search/'];
const ALL = [...POSTS, ...DOCUMENTS, ...MISTAKES];

const NAMES = ['x-api-key-status', 'ratelimit', 'ratelimit-policy', 'retry-after'];

describe('[42][43][34] Authorization', () => {
  test.each([...KEYS, `Bearer ${newKey()}`, 'Basic eDp5'])(
    '%o changes nothing: status, headers and body',
    async (key) => {
      const { get } = house({ access: nothingAsked });
      for (const route of ALL) {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
          const plain = await get(route, { method });
          expect(seen(await get(route, { method, headers: { authorization: key } })), route).toEqual(seen(plain));
          for (const name of NAMES) expect(plain.headers).not.toHaveProperty(name);
        }
      }
    },
  );

  test('changes nothing of what is missing, broken or down either', async () => {
    for (const upstream of [
      missing({ kind: 'gone', reason: 'deleted' }),
      missing({ kind: 'failed', why: '' }),
      missing({ kind: 'down', why: '' }),
      untouched,
    ]) {
      const { get } = house({ upstream, access: nothingAsked });
      for (const route of POSTS) {
        const plain = await get(route);
        expect(plain.status).toBeGreaterThanOrEqual(400);
        expect(seen(await get(route, { headers: { authorization: 'Bearer x' } }))).toEqual(seen(plain));
        expect(plain.headers).not.toHaveProperty('x-api-key-status');
      }
    }
  });

  test('leaves what may be stored as it is', async () => {
    const { get } = house({ access: nothingAsked });
    for (const route of [...POSTS, ...DOCUMENTS]) {
      const { headers } = await get(route, { headers: { authorization: `Bearer ${newKey()}` } });
      expect(headers['cache-control']).toMatch(/^public, max-age=/);
    }
  });
});

test.each(ALL)('[56] %s is never refused by an allowance', async (route) => {
  const { get } = house({ access: nothingAsked });
  const { status } = await get(route);
  const statuses = new Set<number>();
  for (let times = 0; times < 200; times += 1) statuses.add((await get(route)).status);
  expect([...statuses]).toEqual([status]);
  expect(status).not.toBe(429);
});

test('[56] who has spent all that he has still reads posts and documents', async () => {
  const { get, statuses } = scarceHouse();
  expect((await statuses(4, '/search?q=fjord')).at(-1)).toBe(429);
  expect((await statuses(5, '/jack')).at(-1)).toBe(429);
  for (const route of [...POSTS, ...DOCUMENTS]) expect((await get(route)).status, route).toBe(200);
});
