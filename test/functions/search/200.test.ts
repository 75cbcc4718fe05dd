import { describe, expect, test } from 'vitest';
import { bodies } from '../../../shared/model/resources.ts';
import {
  idsOf,
  nextLink,
  routesOf,
  SEARCH_TARGETS,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { linksOf } from '../../support/lifecycle-headers.ts';
import { BASE_URL, createTestApp, found, page, post, user } from '../../support/test-app.ts';

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
        expect(bodies.SearchBody.strict().parse(body)).toEqual(body);
        expect(body['feed']).toBe(feed);
        expect('posts' in body).toBe(feed !== 'users');
        expect('users' in body).toBe(feed === 'users');
      }
      await get(route);
    }
    expect(feeds).toEqual(ROUTES.flatMap(() => [...FEEDS, 'latest']));
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
