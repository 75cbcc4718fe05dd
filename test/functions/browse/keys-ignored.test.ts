// Tests that posts and documents read no key, have no allowance, and name neither in their headers.
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../support/access-control.ts';
import { BEARER_FORMS, comparableAnswer } from '../../support/browse-routes.ts';
import { counterStoreNotCalled, createLimitedApp, keyReaderNotCalled } from '../../support/limited-app.ts';
import { createTestApp, upstreamNotCalled, upstreamReturning } from '../../support/test-app.ts';

const nothingAsked = {
  keys: keyReaderNotCalled,
  counters: counterStoreNotCalled,
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

describe('[keys 8] [keys 9] [problems 10] Authorization on posts and documents', () => {
  test.each([...BEARER_FORMS, `Bearer ${newApiKey()}`, 'Basic eDp5'])(
    '%o changes nothing: status, headers and body',
    async (key) => {
      const { get } = createTestApp({ access: nothingAsked });
      for (const route of ALL) {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
          const plain = await get(route, { method });
          expect(comparableAnswer(await get(route, { method, headers: { authorization: key } })), route).toEqual(
            comparableAnswer(plain),
          );
          for (const name of NAMES) expect(plain.headers).not.toHaveProperty(name);
        }
      }
    },
  );

  test('changes no error answer', async () => {
    for (const upstream of [
      upstreamReturning({ kind: 'gone', reason: 'deleted' }),
      upstreamReturning({ kind: 'failed', why: '' }),
      upstreamReturning({ kind: 'down', why: '' }),
      upstreamNotCalled,
    ]) {
      const { get } = createTestApp({ upstream, access: nothingAsked });
      for (const route of POSTS) {
        const plain = await get(route);
        expect(plain.status).toBeGreaterThanOrEqual(400);
        expect(comparableAnswer(await get(route, { headers: { authorization: 'Bearer x' } }))).toEqual(
          comparableAnswer(plain),
        );
        expect(plain.headers).not.toHaveProperty('x-api-key-status');
      }
    }
  });

  test('does not change Cache-Control', async () => {
    const { get } = createTestApp({ access: nothingAsked });
    for (const route of [...POSTS, ...DOCUMENTS]) {
      const { headers } = await get(route, { headers: { authorization: `Bearer ${newApiKey()}` } });
      expect(headers['cache-control']).toMatch(/^public, max-age=/);
    }
  });
});

test.each(ALL)('[allowances 7] %s never returns 429 for an allowance', async (route) => {
  const { get } = createTestApp({ access: nothingAsked });
  const { status } = await get(route);
  const statuses = new Set<number>();
  for (let times = 0; times < 200; times += 1) statuses.add((await get(route)).status);
  expect([...statuses]).toEqual([status]);
  expect(status).not.toBe(429);
});

test('[allowances 7] a caller whose allowances are spent still gets posts and documents', async () => {
  const { get, statuses } = createLimitedApp();
  expect((await statuses(4, '/search?q=fjord')).at(-1)).toBe(429);
  expect((await statuses(5, '/jack')).at(-1)).toBe(429);
  for (const route of [...POSTS, ...DOCUMENTS]) expect((await get(route)).status, route).toBe(200);
});
