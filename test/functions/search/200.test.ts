import { describe, expect, test } from 'vitest';
import {
  idsOf,
  nextLink,
  routesOf,
  SEARCH_TARGETS,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { linksOf } from '../../support/lifecycle-headers.ts';
import { createLimitedApp, createTestKey, TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { BASE_URL, createTestApp, found, page, post, upstreamNotCalled, user } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS);
const FEEDS = ['latest', 'top', 'media', 'users'];

describe('GET of a search', () => {
  test('[inputs 3] the provider gets the requested feed, and latest by default', async () => {
    const feeds: string[] = [];
    const { get } = createTestApp({
      upstream: {
        listPosts: async (request) => {
          feeds.push(request.list === 'search' ? request.feed : request.list);
          return found(page([post('20')]));
        },
        listUsers: async ({ list }) => {
          feeds.push(list);
          return found(page([user('ada')]));
        },
      },
    });
    for (const route of ROUTES) {
      for (const feed of FEEDS) {
        const body = (await get(withQuery(route, `feed=${feed}&format=json`))).json();
        expect(body['feed']).toBe(feed);
        expect('posts' in body).toBe(feed !== 'users');
        expect('users' in body).toBe(feed === 'users');
      }
      await get(route);
    }
    expect(feeds).toEqual(ROUTES.flatMap(() => [...FEEDS, 'latest']));
  });

  test('[reading 5] the first page of posts that a search finds leads to what a search can say', async () => {
    const { get } = createTestApp({
      upstream: {
        listPosts: async () => found(page([post('20')], 'next')),
        listUsers: async () => found(page([user('ada')])),
      },
    });
    const hintsIn = async (target: string): Promise<readonly string[]> => {
      const { body } = await get(target, { headers: { accept: 'text/html' } });
      return [...body.matchAll(/<p class="hint facts">(.*?)<\/p>/g)].map(([, hint = '']) => hint);
    };
    const help = '<small><a href="/search">What a search can say</a></small>';
    expect(await hintsIn('/search?q=two%20words')).toEqual([help]);
    expect(await hintsIn('/search?q=ada')).toEqual([
      `<span>Looking for <a href="/ada">@ada</a>?</span> <span>${help}</span>`,
    ]);
    expect(await hintsIn('/search?q=two%20words&feed=users')).toEqual([]);
    const { body } = await get('/search?q=two%20words', { headers: { accept: 'text/html' } });
    const next = /<a class="more" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(await hintsIn(next.replace(BASE_URL, ''))).toEqual([]);
  });

  test('a search without results returns 200 with an empty list', async () => {
    const nothing = async () => found(page<never>([]));
    const { get } = createTestApp({ upstream: { listPosts: nothing, listUsers: nothing } });
    for (const route of ROUTES) {
      expect((await get(withQuery(route, 'format=json'))).json()).toMatchObject({ posts: [], warnings: [] });
      expect((await get(withQuery(route, 'feed=users&format=json'))).json()).toMatchObject({ users: [] });
      expect((await get(route)).status).toBe(200);
    }
  });

  test('a fallback answer is degraded and has a short lifetime', async () => {
    const { get } = createTestApp({
      upstream: {
        listPosts: async () => ({ ...found({ ...page([post('20')]), isFallback: true }), source: 'x_api' }),
      },
    });
    const answer = await get('/search?q=fjord&format=json');
    expect(answer.json()).toMatchObject({ degraded: true, source: 'x_api' });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    expect((await get('/search/rss?q=fjord')).headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    expect((await createTestApp().get('/search?q=fjord&format=json')).json()).not.toHaveProperty('degraded');
  });
});

describe('search query', () => {
  const WHALE = '%F0%9F%90%8B';
  test.each([
    ['512 letters', 'x'.repeat(512), 512],
    ['512 letters between spaces', `%20${'x'.repeat(512)}+%0A`, 512],
    ['256 whales', WHALE.repeat(256), 512],
  ])('[bounds 2] a query of %s is accepted', async (_, q, units) => {
    const { get } = createTestApp();
    for (const route of ROUTES) {
      const { query } = (await get(withQuery(route.replace('fjord', q), 'format=json'))).json();
      expect(query).toHaveLength(units);
    }
  });

  test.each(['a%0Ab%09c', '%zz', '%', '%ED%A0%80', '%FF', '%E2%80%AE', '%0d%0aX-Evil:1', '%3Cscript%3E', '__proto__'])(
    '[problems 7] the query %s returns 200 and reaches no header',
    async (q) => {
      const { get } = createTestApp({ upstream: upstreamWithLists(30) });
      for (const route of ROUTES) {
        for (const accept of ['text/markdown', 'application/json', 'text/html, */*']) {
          const answer = await get(route.replace('fjord', q), { headers: { accept } });
          expect(answer.status).toBe(200);
          expect(answer.headers).not.toHaveProperty('x-evil');
          expect(Object.values(answer.headers).join('')).toMatch(/^[\x20-\x7e]*$/);
          expect(answer.body).not.toContain('\0');
          if (answer.headers['content-type']?.startsWith('text/html')) expect(answer.body).not.toContain('<script');
          expect(answer.body.isWellFormed()).toBe(true);
        }
      }
    },
  );
});

// biome-ignore format: side by side they fit on a screen
const HOSTILE = [
  'q="quoted phrase"', 'q=a>b', 'q=<https://evil.example>; rel="next"', 'q=a,b, <https://evil.example>; rel=next',
  'q=a;rel=next;b', "q='(a)*!", 'q=a%0D%0AX-Evil:%201', 'q=a%0Ab', 'q=%C3%A9%E6%BC%A2%F0%9F%90%8B', 'q=%zz',
  'q=100%25', 'q=a%26cursor%3Dx%26q%3Db', 'q=a%23fragment?', 'q=a+b%2Bc', 'q=%20fjord%20', 'q=\\', 'q={base_url}',
  'q=%7Bhandle%7D',
];

test.each(HOSTILE)(
  '[lifecycle 13] the link to the next page is the only one and names the same search for %s',
  async (q) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const route of ROUTES) {
      const target = route.replace('q=fjord', q);
      const { query } = (await get(withQuery(target, 'format=json'))).json();
      const answer = await get(withQuery(target, 'limit=5&feed=top'));
      expect(answer.headers['link']).toMatch(/^[\x20-\x7e]+$/);
      expect(answer.headers).not.toHaveProperty('x-evil');
      const rels = linksOf(answer).refs.map(({ rel }) => rel);
      const isAlias = route.startsWith('/api/browse');
      expect(rels).toEqual(['next', ...(isAlias ? ['successor-version', 'deprecation', 'sunset'] : [])]);
      const next = nextLink(answer) ?? '';
      expect(next).toMatch(/^[\w/?&=%.~-]+$/); // has no character that Link or Markdown treats as syntax
      const { origin, pathname, searchParams, hash } = new URL(next, BASE_URL);
      expect(`${origin}${pathname}${hash}`).toBe(`${BASE_URL}${route.split('?')[0]}`);
      const names = [...searchParams.keys()].toSorted();
      expect(names).toEqual(['cursor', 'feed', 'limit', 'q', ...(isAlias ? ['resource'] : [])]);
      const { body } = await get(withQuery(target, 'limit=5&feed=top&format=markdown'));
      const [, url = ''] = /\n\nNext page: <([^<>\s]+)>\n$/.exec(body) ?? [];
      expect(url.startsWith(`${BASE_URL}/api/v1/search?`)).toBe(true);
      expect((await get(withQuery(url.slice(BASE_URL.length), 'format=json'))).json()).toMatchObject({
        query,
        feed: 'top',
      });
      const followed = await get(withQuery(next, 'format=json'));
      expect(followed.json()).toMatchObject({ query, feed: 'top' });
      expect(idsOf(followed)).toEqual(['995', '994', '993', '992', '991']);
    }
  },
);

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
