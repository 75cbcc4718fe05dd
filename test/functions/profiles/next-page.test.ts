// Checks the paging of profile lists: exact page sizes, the Link field, and cursors that every path of a list accepts.
import { describe, expect, test } from 'vitest';
import {
  collectPages,
  cursorIn,
  cursorOf,
  idsOf,
  nextLink,
  PROFILE_TARGETS,
  routesOf,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { linksOf } from '../../support/lifecycle-headers.ts';
import {
  BASE_URL,
  createTestApp,
  NOW,
  page,
  type TestResponse,
  upstreamFindingAll,
  user,
} from '../../support/test-app.ts';

const ROUTES = routesOf(PROFILE_TARGETS);

const idOf = (route: string, index: number): string =>
  /follow/.test(route) ? `id-user_${index}` : String(1000 - index);

describe('pages of a list', () => {
  test('a page has 20 items or the number of limit while more items exist', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(250) });
    for (const route of ROUTES) {
      expect(idsOf(await get(withQuery(route, 'format=json')))).toHaveLength(20);
      for (const limit of [1, 6, 7, 8, 50])
        expect(idsOf(await get(withQuery(route, `limit=${limit}&format=json`)))).toHaveLength(limit);
    }
  });

  test('[bounds 4] a page takes at most 10 provider calls, and then is partial with a warning and a cursor', async () => {
    let calls = 0;
    const single = async (cursor = '0') => {
      calls += 1;
      const items = page([user(`user_${cursor}`)], String(Number(cursor) + 1));
      return { kind: 'found', value: items, source: 'fxtwitter', fetchedAt: NOW, warnings: [] } as const;
    };
    const { get } = createTestApp({ upstream: { listUsers: (_, { cursor }) => single(cursor) } });
    const answer = await get('/jack/followers?limit=100&format=json');
    expect(calls).toBe(10);
    expect(idsOf(answer)).toHaveLength(10);
    expect(answer.json()).toMatchObject({ warnings: [{ code: 'partial_page' }] });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    const [first] = idsOf(await get(nextLink(answer) ?? ''));
    expect(first).toBe('id-user_10');
    expect(calls).toBe(20);
  });

  test.each(ROUTES)('the pages of %s contain every item exactly once', async (route) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(43) });
    for (const limit of [3, 7, 20, 43, 100]) {
      const pages = await collectPages(get, withQuery(route, `limit=${limit}`));
      expect(pages.flat()).toEqual(Array.from({ length: 43 }, (_, index) => idOf(route, index)));
      expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
    }
  });

  test.each(ROUTES)(
    '[lists 1] the Markdown pages of %s show every item once when max_tokens cuts them',
    async (route) => {
      const { get } = createTestApp({ upstream: upstreamWithLists(43) });
      const isFollows = /follow/.test(route);
      const shownIn = (markdown: string): readonly string[] =>
        [...markdown.matchAll(isFollows ? /\[@(user_\d+)\]/g : /status\/(\d+)\)/g)].map(([, name]) => name ?? '');
      for (const maxTokens of [150, 300, 1000]) {
        const shown: string[] = [];
        for (let next: string | undefined = withQuery(route, `max_tokens=${maxTokens}`); next !== undefined; ) {
          const answer: TestResponse = await get(next, { headers: { accept: 'text/markdown' } });
          shown.push(...shownIn(answer.body));
          next = nextLink(answer);
          const cursor = /^Next page: <.*cursor=([\w-]+)/m.exec(answer.body)?.[1];
          if (cursor !== undefined) expect(cursorIn(next ?? '')).toBe(cursor);
        }
        expect(shown).toEqual(
          Array.from({ length: 43 }, (_, index) => (isFollows ? `user_${index}` : String(1000 - index))),
        );
      }
    },
  );

  test('the last page has neither Link nor next_cursor', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(5) });
    for (const { v1, permalink } of PROFILE_TARGETS) {
      for (const route of [v1, permalink]) {
        const answer = await get(`${route}?format=json`);
        expect(idsOf(answer)).toHaveLength(5);
        expect(answer.headers).not.toHaveProperty('link');
        expect(answer.json()).not.toHaveProperty('next_cursor');
      }
    }
  });
});

describe('link to the next page', () => {
  test('the link is absolute, names the same path and keeps the known parameters', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const route of ROUTES) {
      const target = withQuery(route, 'limit=5&format=json&max_tokens=5000&utm_source=x');
      for (let next: string | undefined = target, pages = 0; pages < 3; pages += 1) {
        next = nextLink(await get(next ?? ''));
        const { origin, pathname, searchParams } = new URL(next ?? '', BASE_URL);
        expect(`${origin}${pathname}`).toBe(`${BASE_URL}${route.split('?')[0]}`);
        const expected = new URL(target, BASE_URL).searchParams;
        expected.delete('utm_source');
        expected.set('cursor', cursorIn(next ?? '') ?? 'none');
        expect([...searchParams].toSorted()).toEqual([...expected].toSorted());
      }
    }
  });

  test('the link is in every representation and on HEAD and 304', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const { permalink } of PROFILE_TARGETS) {
      for (const accept of ['text/markdown', 'application/json', 'text/html']) {
        for (const options of [{}, { method: 'HEAD' }, { 'if-none-match': '*' }]) {
          const { method = 'GET', ...headers } = options as Record<string, string>;
          const next = nextLink(await get(`${permalink}?limit=5`, { method, headers: { accept, ...headers } }));
          expect((await get(next ?? '')).status).toBe(200);
        }
      }
    }
  });

  test('[lists 2] the Markdown of each route names the same URL of v1, which reads the next page', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const target of PROFILE_TARGETS) {
      const nextUrls = new Set<string>();
      for (const route of routesOf([target]).flatMap((plain) => [plain, plain.replace('jack', '@jack')])) {
        const request = withQuery(route, 'cursor=&format=markdown&limit=5&max_tokens=5000&utm_source=x');
        const { body } = await get(request);
        const [, url = ''] = /\n\nNext page: <(.+)>\n$/.exec(body) ?? [];
        expect(url).toMatch(/&cursor=[\w-]+&max_tokens=5000$/);
        nextUrls.add(url.replace(/cursor=[\w-]+/, 'cursor='));
        const next = await get(`${url.slice(BASE_URL.length)}&format=json`);
        expect(idsOf(next)[0]).toBe(idOf(route, 5));
      }
      expect([...nextUrls]).toEqual([`${BASE_URL}${target.v1}?limit=5&cursor=&max_tokens=5000`]);
    }
  });

  test('[lifecycle 4] [lifecycle 13] the link is the only one in its field, also for a handle with @', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const { v1, permalink } of PROFILE_TARGETS) {
      for (const route of [v1, permalink]) {
        const answer = await get(route.replace('jack', '@jack'));
        expect(linksOf(answer).refs.map(({ rel }) => rel)).toEqual(['next']);
        const next = nextLink(answer) ?? '';
        expect(next).toContain('%40jack');
        expect(idsOf(await get(`${next}&format=json`))[0]).toBe(idOf(route, 20));
      }
    }
  });

  test('[lifecycle 6] the link starts with the configured base URL, whatever the host headers say', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-viewer-host': 'evil.example' };
    for (const route of ROUTES) {
      const answer = await get(route, { headers });
      expect(nextLink(answer)).toBeDefined();
      expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil');
    }
  });
});

describe('[bounds 3] cursors of profile lists', () => {
  test('a cursor is accepted with another limit, format or max_tokens', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const { v1 } of PROFILE_TARGETS) {
      const cursor = await cursorOf(get, `${v1}?limit=4&max_tokens=5000`);
      for (const query of ['limit=1', 'limit=100', '', 'max_tokens=100', 'max_tokens=200000&limit=9']) {
        const answer = await get(`${v1}?${query}&format=json&cursor=${cursor}`);
        expect(idsOf(answer)[0]).toBe(idOf(v1, 4));
      }
      expect((await get(`${v1}?cursor=${cursor}&format=markdown`)).status).toBe(200);
    }
  });

  test('a cursor is accepted by v1 route, permalink and alias, in any spelling of the handle', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const target of PROFILE_TARGETS) {
      const routes = routesOf([target]);
      for (const one of routes) {
        const cursor = await cursorOf(get, withQuery(one, 'limit=4'));
        for (const other of routes.flatMap((route) => [route, route.replace('jack', '@JaCK')]))
          expect(idsOf(await get(withQuery(other, `format=json&cursor=${cursor}`)))[0], other).toBe(idOf(one, 4));
      }
    }
  });

  test('an empty cursor returns the first page', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(60) });
    for (const route of ROUTES) expect((await get(withQuery(route, 'cursor='))).body).toBe((await get(route)).body);
  });

  test('a cursor continues with the provider of the previous page', async () => {
    const providers: (string | undefined)[] = [];
    const { get } = createTestApp({
      upstream: {
        ...upstreamFindingAll,
        listUsers: async (_, { provider, cursor }) => {
          providers.push(provider);
          const items = [user(cursor ?? 'first')];
          return {
            kind: 'found',
            value: { items, provider: 'second_choice', isFallback: true, next: `${cursor ?? ''}x` },
            source: 'second_choice',
            fetchedAt: NOW,
            warnings: [],
          };
        },
      },
    });
    const first = await get('/jack/followers?limit=1');
    await get(nextLink(first) ?? '');
    expect(providers).toEqual([undefined, 'second_choice']);
  });
});

test('an HTML page links to the other formats of the same page', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(60) });
  const headers = { accept: 'text/html' };
  for (const path of ['/jack', '/jack/followers', '/jack/following', '/search?q=fjord']) {
    const cursor = await cursorOf(get, withQuery(path, 'limit=3'));
    const { body } = await get(withQuery(path, `limit=3&cursor=${cursor}`), { headers });
    const [, href = ''] = /<link rel="alternate" type="application\/json" href="([^"]+)">/.exec(body) ?? [];
    const target = href.replaceAll('&amp;', '&').slice(BASE_URL.length);
    expect(idsOf(await get(target))).toEqual(idsOf(await get(withQuery(path, `limit=3&format=json&cursor=${cursor}`))));
  }
});
