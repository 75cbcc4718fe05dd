import { describe, expect, test } from 'vitest';
import { bodies } from '../../../shared/model/resources.ts';
import {
  comparableAnswer,
  idsOf,
  OTHER_CREDENTIALS,
  routesOf,
  SEARCH_TARGETS,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { expectNoLifecycle } from '../../support/lifecycle-headers.ts';
import { createTestApp, NOW, page, post, user } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS);
const FEEDS = ['latest', 'top', 'media', 'users'];

describe('GET of a search', () => {
  test.each(ROUTES)(
    '[negotiation 3] GET %s returns Markdown with a charset, or JSON without a charset',
    async (route) => {
      const { get } = createTestApp();
      const markdown = await get(route);
      expect(markdown.status).toBe(200);
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(markdown.body).toContain('just setting up my twttr');
      const json = await get(route, { headers: { accept: 'application/json' } });
      expect(json.headers['content-type']).toBe('application/json');
      expect(json.json()).toMatchObject({
        source: 'fxtwitter',
        fetched_at: '2026-11-21T12:00:00.000Z',
        warnings: [],
        query: 'fjord',
        feed: 'latest',
        posts: [{ id: '20' }],
        markdown: markdown.body,
      });
    },
  );

  test('[inputs 3] the provider gets the requested feed, and latest by default', async () => {
    const feeds: string[] = [];
    const { get } = createTestApp({
      upstream: {
        listPosts: async (request) => {
          feeds.push(request.list === 'search' ? request.feed : request.list);
          return { kind: 'found', value: page([post('20')]), source: 'fxtwitter', fetchedAt: NOW, warnings: [] };
        },
        listUsers: async ({ list }) => {
          feeds.push(list);
          return { kind: 'found', value: page([user('ada')]), source: 'fxtwitter', fetchedAt: NOW, warnings: [] };
        },
      },
    });
    for (const route of ROUTES) {
      for (const feed of FEEDS) {
        const body = (await get(withQuery(route, `feed=${feed}&format=json`))).json();
        expect(bodies.SearchBody.strict().parse(body)).toEqual(body);
        expect(body['feed']).toBe(feed);
        expect('posts' in body).toBe(feed !== 'users');
        expect('users' in body).toBe(feed === 'users');
      }
      await get(route);
    }
    expect(feeds).toEqual(ROUTES.flatMap(() => [...FEEDS, 'latest']));
  });

  test('a search for accounts has the warning users_partial', async () => {
    const { get } = createTestApp();
    const answer = await get('/search?q=ada&feed=users&format=json');
    expect(answer.json()).toMatchObject({ users: [{ handle: 'ada' }], warnings: [{ code: 'users_partial' }] });
  });

  test('a search without results returns 200 with an empty list', async () => {
    const nothing = { kind: 'found', value: page([]), source: 'fxtwitter', fetchedAt: NOW, warnings: [] } as const;
    const { get } = createTestApp({ upstream: { listPosts: async () => nothing, listUsers: async () => nothing } });
    for (const route of ROUTES) {
      expect((await get(withQuery(route, 'format=json'))).json()).toMatchObject({ posts: [], warnings: [] });
      expect((await get(withQuery(route, 'feed=users&format=json'))).json()).toMatchObject({ users: [] });
      expect((await get(route)).status).toBe(200);
    }
  });

  test('a fallback answer is degraded and has a short lifetime', async () => {
    const { get } = createTestApp({
      upstream: {
        listPosts: async () => ({
          kind: 'found',
          value: { ...page([post('20')]), isFallback: true },
          source: 'x_api',
          fetchedAt: NOW,
          warnings: [],
        }),
      },
    });
    const answer = await get('/search?q=fjord&format=json');
    expect(answer.json()).toMatchObject({ degraded: true, source: 'x_api' });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    expect((await createTestApp().get('/search?q=fjord&format=json')).json()).not.toHaveProperty('degraded');
  });

  test.each(SEARCH_TARGETS)(
    '[negotiation 4] [lifecycle 16] v1 route, permalink and alias return the same bytes',
    async (target) => {
      const { get } = createTestApp({ upstream: upstreamWithLists(30) });
      for (const query of ['limit=3', 'feed=top&limit=3', 'feed=users', 'max_tokens=120']) {
        for (const accept of ['text/markdown', 'application/json']) {
          const answers = await Promise.all(
            routesOf([target]).map((route) => get(withQuery(route, query), { headers: { accept } })),
          );
          expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
          for (const name of ['etag', 'cache-control', 'content-type', 'vary', 'x-api-key-status'])
            expect(new Set(answers.map(({ headers }) => headers[name] ?? 'absent')).size, name).toBe(1);
        }
      }
    },
  );

  test('[methods 1] HEAD returns the status and headers of GET without a body', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    for (const route of [...ROUTES, '/search', '/search?q=', '/api/v1/search?q=x&feed=y', '/search/']) {
      const withBody = await get(route);
      expect(withBody.body).not.toBe('');
      expect(comparableAnswer(await get(route, { method: 'HEAD' }))).toEqual(
        comparableAnswer({ ...withBody, body: '' }),
      );
    }
  });

  test('[keys 1] [keys 9] GET without a key sends the key status anonymous', async () => {
    const { get } = createTestApp();
    for (const route of [...ROUTES, '/search', '/api/v1/search?q=x&feed=y'])
      expect((await get(route)).headers['x-api-key-status']).toBe('anonymous');
  });

  test('[keys 4] only a Bearer token is read as a key', async () => {
    const { get, log } = createTestApp();
    for (const route of ROUTES) {
      const plain = comparableAnswer(await get(route));
      for (const headers of OTHER_CREDENTIALS) expect(comparableAnswer(await get(route, { headers }))).toEqual(plain);
      for (const name of ['api_key', 'access_token', 'key'])
        expect(comparableAnswer(await get(withQuery(route, `${name}=pstn_x`)))).toEqual(plain);
    }
    expect(JSON.stringify(log)).not.toContain('pstn_x');
  });

  test('[problems 9] no answer has a WWW-Authenticate header', async () => {
    const { get } = createTestApp();
    for (const route of [...ROUTES, '/search', '/api/v1/search/']) {
      for (const options of [{}, { method: 'POST' }, { secret: null }, { headers: { authorization: 'Bearer x' } }]) {
        const names = Object.keys((await get(route, options)).headers);
        expect(names.filter((name) => name.includes('authenticate'))).toEqual([]);
      }
    }
  });

  test('[lifecycle 12] the v1 route and the permalink send no lifecycle headers', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    for (const route of ['/search?q=fjord', '/api/v1/search?q=fjord', '/search', '/api/v1/search'])
      expectNoLifecycle(await get(route));
  });

  test('[caching 4] a search has Cache-Control, ETag and Vary, and each representation has its own tag', async () => {
    const { get } = createTestApp();
    const answers = await Promise.all(
      ['text/markdown', 'application/json', 'text/html'].map((accept) => get('/search?q=x', { headers: { accept } })),
    );
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe(
        'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600',
      );
      expect(headers['vary']).toBe('Accept, Authorization, Accept-Encoding');
      expect(headers['etag']).toMatch(/^W\/"[\w-]{22}"$/);
    }
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(3);
  });

  test('[caching 7] unknown parameters change nothing, and known parameters change the body', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    for (const route of ['/search?q=fjord', '/api/v1/search?q=fjord']) {
      const plain = await get(route);
      const unknown = 'utm_source=a&utm_source=b&handle=%40%40&id=0&url=x&resource=profile&thread=1';
      expect(comparableAnswer(await get(`${route}&${unknown}`))).toEqual(comparableAnswer(plain));
      for (const query of ['feed=top', 'limit=3', 'format=json', 'max_tokens=100'])
        expect((await get(`${route}&${query}`)).body, query).not.toBe(plain.body);
    }
  });

  test('[cors 3] [keys 9] OPTIONS returns 204 without a key status and allows Authorization', async () => {
    const { get } = createTestApp();
    for (const route of ROUTES) {
      const answer = await get(route, { method: 'OPTIONS', headers: { authorization: 'Bearer x' } });
      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-headers']).toMatch(/\bAuthorization\b/);
      expect(answer.headers).not.toHaveProperty('x-api-key-status');
    }
  });
});

describe('search query', () => {
  const WHALE = '%F0%9F%90%8B';
  test.each([
    ['512 letters', 'x'.repeat(512), 512],
    ['512 letters between spaces', `%20${'x'.repeat(512)}+%0A`, 512],
    ['256 whales', WHALE.repeat(256), 512],
    ['255 whales and two letters', `${WHALE.repeat(255)}ab`, 512],
    ['one letter', 'x', 1],
  ])('[bounds 2] a query of %s is accepted', async (_, q, units) => {
    const { get } = createTestApp();
    for (const route of ROUTES) {
      const { query } = (await get(withQuery(route.replace('fjord', q), 'format=json'))).json();
      expect(query).toHaveLength(units);
    }
  });

  test('a query is trimmed before the search', async () => {
    const { get } = createTestApp();
    const plain = await get('/search?q=two+words');
    for (const q of ['%20two%20words', 'two%20words+', '%09two+words%0A', '%C2%A0two+words'])
      expect((await get(`/search?q=${q}`)).body).toBe(plain.body);
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

test('max_tokens bounds the Markdown, also in JSON, with the warning truncated', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(60) });
  for (const feed of FEEDS) {
    const markdown = await get(`/search?q=fjord&feed=${feed}&max_tokens=150&limit=50`);
    expect(Buffer.byteLength(markdown.body)).toBeLessThanOrEqual(600);
    const json = await get(`/search?q=fjord&feed=${feed}&max_tokens=150&limit=50&format=json`);
    const { warnings, markdown: jsonMarkdown } = json.json();
    expect(jsonMarkdown).toBe(markdown.body);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'truncated' }));
    expect(idsOf(json)).toHaveLength(50);
  }
});
