import { describe, expect, test } from 'vitest';
import { bodies } from '../../../shared/model/resources.ts';
import { routesOf, SEARCH_TARGETS, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestApp, NOW, page, post, user } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS);
const FEEDS = ['latest', 'top', 'media', 'users'];

describe('GET of a search', () => {
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
