// Checks the paging of searches: for any query, Link contains one link, and the link leads to the next page.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  collectPages,
  cursorIn,
  cursorOf,
  idsOf,
  nextLink,
  routesOf,
  SEARCH_TARGETS,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { linksOf } from '../../support/lifecycle-headers.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS);
const FEEDS = ['latest', 'top', 'media', 'users'];

describe('pages of a search', () => {
  test.each(ROUTES)('the pages of %s contain every item exactly once', async (route) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(43) });
    for (const feed of FEEDS) {
      for (const limit of [3, 20, 100]) {
        const pages = await collectPages(get, withQuery(route, `feed=${feed}&limit=${limit}`));
        expect(pages.flat()).toEqual(
          Array.from({ length: 43 }, (_, index) => (feed === 'users' ? `id-user_${index}` : String(1000 - index))),
        );
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      }
    }
  });

  test('the last page has neither Link nor next_cursor', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(5) });
    for (const route of ['/search?q=fjord', '/api/v1/search?q=fjord']) {
      const answer = await get(`${route}&format=json`);
      expect(answer.headers).not.toHaveProperty('link');
      expect(answer.json()).not.toHaveProperty('next_cursor');
    }
  });
});

describe('[lifecycle 13] link to the next page of a search', () => {
  const HOSTILE = [
    'q="quoted phrase"',
    'q=a>b',
    'q=<https://evil.example>; rel="next"',
    'q=a,b, <https://evil.example>; rel=next',
    'q=a;rel=next;b',
    "q='(a)*!",
    'q=a%0D%0AX-Evil:%201',
    'q=a%0Ab',
    'q=%C3%A9%E6%BC%A2%F0%9F%90%8B',
    'q=%zz',
    'q=100%25',
    'q=a%26cursor%3Dx%26q%3Db',
    'q=a%23fragment?',
    'q=a+b%2Bc',
    'q=%20fjord%20',
    'q=\\',
    'q={base_url}',
    'q=%7Bhandle%7D',
  ];

  test.each(HOSTILE)('the link is the only one and names the same search for %s', async (q) => {
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
  });

  test('the link is the only one and names the same search for generated queries', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    const query = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 80 })
      .filter((text) => text.trim() !== '' && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text.trim()));
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom('/search', '/api/v1/search', '/api/browse'), async (q, path) => {
        const resource = path === '/api/browse' ? 'resource=search&' : '';
        const answer = await get(`${path}?${resource}q=${encodeURIComponent(q)}`);
        expect(answer.headers['link']).toMatch(/^[\x20-\x7e]+$/);
        const next = nextLink(answer) ?? '';
        expect(new URL(next, BASE_URL).searchParams.get('q')).toBe(q);
        const followed = await get(`${next}&format=json`);
        expect(followed.json()['query']).toBe(q.trim());
      }),
    );
  });

  test('the link keeps the known parameters and adds only the cursor', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const route of ROUTES) {
      const target = withQuery(route, 'feed=media&limit=5&format=json&max_tokens=5000');
      for (let next: string | undefined = target, pages = 0; pages < 3; pages += 1) {
        next = nextLink(await get(withQuery(next ?? '', 'utm_source=x&thread=off')));
        const expected = new URL(target, BASE_URL).searchParams;
        expected.set('cursor', cursorIn(next ?? '') ?? 'none');
        const { searchParams } = new URL(next ?? '', BASE_URL);
        expect([...searchParams].toSorted()).toEqual([...expected].toSorted());
      }
    }
  });

  test('the link is in every representation and on HEAD and 304', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const accept of ['text/markdown', 'application/json', 'text/html']) {
      const plain = (await get('/search?q=fjord', { headers: { accept } })).headers['link'];
      expect(plain).toContain('rel="next"');
      for (const method of ['GET', 'HEAD']) {
        const revalidated = await get('/search?q=fjord', { method, headers: { accept, 'if-none-match': '*' } });
        expect(revalidated.headers['link']).toBe(plain);
      }
    }
  });
});

describe('[bounds 3] cursors of a search', () => {
  test('a cursor is accepted with another limit, format or max_tokens, and on every path of the search', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const one of ROUTES) {
      const cursor = await cursorOf(get, withQuery(one, 'limit=4&max_tokens=5000'));
      for (const other of ROUTES) {
        for (const query of ['', 'limit=1', 'limit=100', 'max_tokens=100', 'feed=latest', 'unknown=1'])
          expect(idsOf(await get(withQuery(other, `${query}&format=json&cursor=${cursor}`)))[0]).toBe('996');
      }
    }
  });

  test('a cursor is accepted with other spaces around the query', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    const cursor = await cursorOf(get, '/search?q=two+words&limit=4');
    for (const q of ['two%20words', '%20two+words%20'])
      expect((await get(`/search?q=${q}&cursor=${cursor}`)).status).toBe(200);
  });

  test('an empty cursor returns the first page', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const route of ROUTES) expect((await get(withQuery(route, 'cursor='))).body).toBe((await get(route)).body);
  });
});
