// Tests /search without a query: the page with the form for people, and the problem document for programs.
import { describe, expect, test } from 'vitest';
import { createLimitedApp, createTestKey, TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const asBrowser = { headers: { accept: BROWSER } };

// biome-ignore format: side by side they fit on a screen
const BLANK = [
  '/search', '/search?', '/search?q', '/search?q=', '/search?q=%20', '/search?q=+%09', '/search?feed=top',
  '/search?q=&feed=x',
];

describe('/search without a query', () => {
  test.each(BLANK)(
    '[pages 4] GET %s is the search page for a browser and 400 for a program, without a provider call',
    async (target) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      const answer = await get(target, asBrowser);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.body).toContain('<title>Search · Postern</title>');
      for (const accept of ['*/*', 'application/json', 'text/markdown', 'application/json, text/html;q=0.9'])
        expectProblem(await get(target, { headers: { accept } }), 400, 'missing_query');
    },
  );

  test('[pages 4] format overrides Accept, and a repeated query is no absent query', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const [target, code] of [
      ['/search?format=json', 'missing_query'],
      ['/search?format=markdown&q=', 'missing_query'],
      ['/search?q=&q=', 'repeated_parameter'],
    ] as const)
      expect((await get(target, asBrowser)).status, `${target} ${code}`).toBe(400);
  });

  test.each(['/api/v1/search', '/api/browse?resource=search'])(
    '[pages 4] GET %s returns 400 missing_query to a browser',
    async (target) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      expectProblem(await get(target, asBrowser), 400, 'missing_query');
    },
  );

  test('[pages 4] the page is cached like a document, varies by Accept and charges nothing', async () => {
    const app = createLimitedApp({ upstream: upstreamNotCalled });
    const { count } = TINY_ALLOWANCES.search.anonymous;
    const statuses: number[] = [];
    while (statuses.length <= count + 1) statuses.push((await app.get('/search', asBrowser)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { headers } = await app.get('/search', asBrowser);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600, s-maxage=3600',
      vary: 'Accept, Authorization, Accept-Encoding',
      'x-api-key-status': 'anonymous',
    });
    const tag = String(headers['etag']);
    const again = await app.get('/search', { headers: { accept: BROWSER, 'if-none-match': tag } });
    expect(again.status).toBe(304);
  });

  test('an unknown key returns 401, and the page for a known key is private', async () => {
    const { keys, headers } = createTestKey();
    const app = createLimitedApp({ upstream: upstreamNotCalled, access: { keys } });
    const unknown = await app.get('/search', {
      headers: { accept: BROWSER, authorization: `Bearer pstn_${'a'.repeat(49)}` },
    });
    expect(unknown.status).toBe(401);
    const known = await app.get('/search', { headers: { accept: BROWSER, ...headers } });
    expect(known.status).toBe(200);
    expect(known.headers['cache-control']).toBe('private, no-store');
  });
});
