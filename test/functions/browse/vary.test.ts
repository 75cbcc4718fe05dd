// Tests that browser and proxy caches keep answers with and without a key of one URL apart.
import { describe, expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import type { RequestOptions } from '../../support/event.ts';
import { createLimitedApp, createTestKey } from '../../support/limited-app.ts';
import { type PrivateCache, privateCache } from '../../support/private-cache.ts';
import { createTestApp, NOW, type TestResponse, upstreamReturning } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);
const VARY = 'Accept, Authorization, Accept-Encoding';

describe('[caching 17] Vary on every route that honours keys', () => {
  test('names Authorization on 429', async () => {
    for (const route of ROUTES) {
      const { get } = createLimitedApp();
      const answers = [];
      for (let count = 0; count < 100 && answers.at(-1)?.status !== 429; count += 1) answers.push(await get(route));
      expect(answers.at(-1)?.status).toBe(429);
      expect(new Set(answers.map(({ headers }) => headers['vary']))).toEqual(new Set([VARY]));
    }
  });
});

describe('[caching 17] a browser with an anonymous answer in its cache', () => {
  const browser = (ask: (target: string, options: RequestOptions) => Promise<TestResponse>) => {
    let now = NOW;
    const wait = (seconds: number): void => {
      now += seconds * 1000;
    };
    const cache: PrivateCache = privateCache(() => now, ask);
    return { ...cache, wait };
  };
  const invalid = { authorization: 'Bearer pstn_none' };

  test.each(ROUTES)('shows the 401 of an invalid key: %s', async (route) => {
    const { get, wait } = browser(createTestApp().get);
    expect(await get(route)).toMatchObject({ isFromCache: false, answer: { status: 200 } });
    wait(29);
    expect(await get(route)).toMatchObject({ isFromCache: true, answer: { status: 200 } });
    expect(await get(route, invalid)).toMatchObject({ isFromCache: false, answer: { status: 401 } });
    expect(await get(route, invalid)).toMatchObject({ isFromCache: false, answer: { status: 401 } });
    // And the other way round.
    expect(await get(route)).toMatchObject({ isFromCache: true, answer: { status: 200 } });
  });

  test.each(ROUTES)('shows the 401 of a revoked key: %s', async (route) => {
    const { headers, keys, change } = createTestKey();
    const { get } = browser(createTestApp({ access: { keys } }).get);
    await get(route);
    expect(await get(route, headers)).toMatchObject({ isFromCache: false, answer: { status: 200 } });
    change({ state: 'disabled' });
    expect(await get(route, headers)).toMatchObject({ isFromCache: false, answer: { status: 401 } });
  });

  test('shows the 401 after a cached error too', async () => {
    const { get } = browser(createTestApp({ upstream: upstreamReturning({ kind: 'gone', reason: 'suspended' }) }).get);
    expect(await get('/jack')).toMatchObject({ answer: { status: 404 } });
    expect(await get('/jack')).toMatchObject({ isFromCache: true });
    expect(await get('/jack', invalid)).toMatchObject({ isFromCache: false, answer: { status: 401 } });
  });

  test('would show an anonymous answer if Vary did not name Authorization', async () => {
    const { get: ask } = createTestApp();
    const { get } = browser(async (target, options) => {
      const answer = await ask(target, options);
      return { ...answer, headers: { ...answer.headers, vary: 'Accept, Accept-Encoding' } };
    });
    await get('/jack');
    expect(await get('/jack', invalid)).toMatchObject({ isFromCache: true, answer: { status: 200 } });
  });
});
