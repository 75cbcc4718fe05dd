// Tests that posts and documents read no key, have no allowance, and name neither in their headers.
import { expect, test } from 'vitest';
import { counterStoreNotCalled, createLimitedApp, keyReaderNotCalled } from '../../support/limited-app.ts';
import { createTestApp } from '../../support/test-app.ts';

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

test.each(ALL)('[allowances 7] %s never returns 429 for an allowance', async (route) => {
  const { get } = createTestApp({ access: nothingAsked });
  const { status } = await get(route);
  const statuses = new Set<number>();
  for (let times = 0; times < 3; times += 1) statuses.add((await get(route)).status);
  expect([...statuses]).toEqual([status]);
  expect(status).not.toBe(429);
});

test('[allowances 7] a caller whose allowances are spent still gets posts and documents', async () => {
  const { get, statuses } = createLimitedApp();
  expect((await statuses(4, '/search?q=fjord')).at(-1)).toBe(429);
  expect((await statuses(5, '/jack')).at(-1)).toBe(429);
  for (const route of [...POSTS, ...DOCUMENTS]) expect((await get(route)).status, route).toBe(200);
});
