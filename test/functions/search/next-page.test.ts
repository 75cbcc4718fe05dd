// Checks the paging of searches: for any query, Link contains one link, and the link leads to the next page.
import fc from 'fast-check';
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
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS);

describe('[lifecycle 13] link to the next page of a search', () => {
  // biome-ignore format: side by side they fit on a screen
  const HOSTILE = [
    'q="quoted phrase"', 'q=a>b', 'q=<https://evil.example>; rel="next"', 'q=a,b, <https://evil.example>; rel=next',
    'q=a;rel=next;b', "q='(a)*!", 'q=a%0D%0AX-Evil:%201', 'q=a%0Ab', 'q=%C3%A9%E6%BC%A2%F0%9F%90%8B', 'q=%zz',
    'q=100%25', 'q=a%26cursor%3Dx%26q%3Db', 'q=a%23fragment?', 'q=a+b%2Bc', 'q=%20fjord%20', 'q=\\', 'q={base_url}',
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
});
