// Tests what all lists have in common: exact page sizes, links and cursors that every route of a list accepts, and the
// allowance.
import { describe, expect, test } from 'vitest';
import {
  BROWSE_TARGETS,
  collectPages,
  cursorIn,
  cursorOf,
  idsOf,
  nextLink,
  routesOf,
  upstreamWithLists,
  withQuery,
} from '../support/browse-routes.ts';
import { linksOf } from '../support/lifecycle-headers.ts';
import { createLimitedApp, TINY_ALLOWANCES, viewerIp } from '../support/limited-app.ts';
import { LIST_ROUTES, targetsOf } from '../support/list-routes.ts';
import { expectProblem } from '../support/problem.ts';
import { BASE_URL, createTestApp, found, NOW, page, post, type TestResponse, user } from '../support/test-app.ts';

const LISTS = [
  ...BROWSE_TARGETS.map((read) => ({ name: read.resource, v1: read.v1, targets: routesOf([read]) })),
  ...LIST_ROUTES.map((route) => ({ name: route.name, v1: route.v1, targets: targetsOf(route) })),
];

const { get } = createTestApp({ upstream: upstreamWithLists(43) });

describe.each(LISTS)('the list $name', ({ name, v1, targets }) => {
  const isOfAccounts = /follow|reposts/.test(name);
  const idAt = (index: number): string => (isOfAccounts ? `id-user_${index}` : String(1000 - index));
  const all = Array.from({ length: 43 }, (_, index) => idAt(index));
  const json = (target: string, query = ''): Promise<TestResponse> => get(withQuery(target, `format=json&${query}`));

  test('[lists 8] has pages of 20 items or of limit, which are together every item once, on every route', async () => {
    for (const target of targets) {
      expect(idsOf(await json(target))).toEqual(all.slice(0, 20));
      for (const limit of [4, 7, 43, 100]) {
        const pages = await collectPages(get, withQuery(target, `limit=${limit}`));
        expect(pages.flat()).toEqual(all);
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      }
    }
  });

  test('[lists 1] shows every item once in Markdown if max_tokens cuts the pages', async () => {
    const shownIn = (markdown: string): readonly string[] =>
      [...markdown.matchAll(isOfAccounts ? /\[@(user_\d+)\]/g : /\/status\/(\d+)\)/g)]
        .map(([, item = '']) => item)
        .filter((item) => item !== '20');
    for (const maxTokens of [150, 300, 1000]) {
      const shown: string[] = [];
      for (let next: string | undefined = withQuery(v1, `max_tokens=${maxTokens}`); next !== undefined; ) {
        const answer: TestResponse = await get(next, { headers: { accept: 'text/markdown' } });
        shown.push(...shownIn(answer.body));
        expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(4 * maxTokens);
        next = nextLink(answer);
        const cursor = /^Next page: <.*cursor=([\w-]+)/m.exec(answer.body)?.[1];
        if (cursor !== undefined) expect(cursorIn(next ?? '')).toBe(cursor);
      }
      expect(shown).toEqual(all.map((id) => id.replace('id-', '')));
    }
  });

  test('links the next page with the same path and the parameters that the route knows', async () => {
    for (const target of targets) {
      const request = withQuery(target, 'limit=5&format=json&max_tokens=5000&utm_source=x');
      for (let next: string | undefined = request, pages = 0; pages < 3; pages += 1) {
        next = nextLink(await get(next ?? ''));
        const { origin, pathname, searchParams } = new URL(next ?? '', BASE_URL);
        expect(`${origin}${pathname}`).toBe(`${BASE_URL}${target.split('?')[0]}`);
        const expected = new URL(request, BASE_URL).searchParams;
        expected.delete('utm_source');
        expected.set('cursor', cursorIn(next ?? '') ?? 'none');
        expect([...searchParams].toSorted()).toEqual([...expected].toSorted());
      }
    }
  });

  test('[lifecycle 4] [lifecycle 6] [lifecycle 13] has one link to the next page in every representation, on HEAD and on 304, whatever handle and host headers say', async () => {
    const target = withQuery(targets[1] ?? v1, 'limit=5').replace('/jack', '/@jack');
    const hosts = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-viewer-host': 'evil.example' };
    for (const accept of ['text/markdown', 'application/json', 'text/html, */*;q=0.1']) {
      for (const options of [{}, { method: 'HEAD' }, { 'if-none-match': '*' }]) {
        const { method = 'GET', ...more } = options as Record<string, string>;
        const answer = await get(target, { method, headers: { accept, ...hosts, ...more } });
        expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil');
        expect(linksOf(answer).refs.filter(({ rel }) => rel !== 'next' && rel !== 'alternate')).toEqual([]);
        expect((await get(nextLink(answer) ?? '')).status).toBe(200);
      }
    }
  });

  test('[lists 2] names in the Markdown of each route the same URL of v1, which reads the next page', async () => {
    const own = v1.includes('/posts?') ? 'since=2006-01-01&until=' : name === 'replies' ? 'sort=recent' : '';
    for (const target of targets.flatMap((plain) => [plain, plain.replace('/jack', '/@jack')])) {
      const { body } = await get(withQuery(target, `${own}&limit=5&max_tokens=5000&format=markdown&utm_source=x`));
      const [, url = ''] = /\n\nNext page: <(.+)>\n$/.exec(body) ?? [];
      const next = new URL(url);
      const expected = new URL(withQuery(v1, `${own}&limit=5&max_tokens=5000`), BASE_URL);
      expect(`${next.origin}${next.pathname}`).toBe(`${BASE_URL}${expected.pathname}`);
      expected.searchParams.delete('until'); // it was empty
      expected.searchParams.set('cursor', next.searchParams.get('cursor') ?? '');
      expect([...next.searchParams].toSorted()).toEqual([...expected.searchParams].toSorted());
      expect(idsOf(await json(url.slice(BASE_URL.length)))).toEqual(all.slice(5, 10));
    }
  });

  test('[bounds 3] accepts a cursor on every route, in any spelling of the handle, with other limits and formats', async () => {
    for (const one of targets) {
      const cursor = await cursorOf(get, withQuery(one, 'limit=4&max_tokens=5000'));
      for (const other of targets.flatMap((route) => [route, route.replace(/\bjack/, '@JaCK')]))
        expect(idsOf(await json(other, `cursor=${cursor}`))[0], other).toBe(idAt(4));
      for (const query of ['limit=1', 'limit=100', 'max_tokens=100', 'max_tokens=200000&limit=9'])
        expect(idsOf(await json(one, `${query}&cursor=${cursor}`))[0]).toBe(idAt(4));
      expect((await get(withQuery(one, `cursor=${cursor}&format=markdown`))).status).toBe(200);
      expect((await json(one, 'cursor=')).body).toBe((await json(one)).body);
    }
  });

  test('has the cut Markdown in JSON, with all items and the warning truncated', async () => {
    const markdown = await get(withQuery(v1, 'max_tokens=150&limit=40&format=markdown'));
    expect(markdown.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    const answer = await json(v1, 'max_tokens=150&limit=40');
    const warnings = expect.arrayContaining([expect.objectContaining({ code: 'truncated' })]);
    expect(answer.json()).toMatchObject({ markdown: markdown.body, warnings });
    expect(idsOf(answer)).toEqual(all.slice(0, 40));
  });

  test('[lists 8] has the same bytes and caching by v1 and by permalink', async () => {
    for (const format of ['markdown', 'json']) {
      const answers = await Promise.all(targets.map((target) => get(withQuery(target, `format=${format}&limit=3`))));
      const facts = answers.map(({ body, headers: { etag, vary, 'cache-control': caching } }) => {
        expect(caching).toBe('public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600');
        return { body: body.replaceAll(/cursor=[\w-]+/g, ''), etag, vary };
      });
      expect(facts).toEqual(facts.map(() => facts[0]));
    }
  });
});

test.each(LIST_ROUTES)('[lists 8] the browse allowance of the caller bounds the list of $name', async (route) => {
  const app = createLimitedApp({ upstream: upstreamWithLists(30) });
  const { count } = TINY_ALLOWANCES.browse.anonymous;
  expect(await app.statuses(count, route.v1)).toEqual(Array(count).fill(200));
  for (const target of targetsOf(route)) expectProblem(await app.get(target), 429, 'rate_limited');
  expect((await app.get(route.v1, { headers: viewerIp('198.51.100.77') })).status).toBe(200);
});

test('[lists 8] the body of an engagement list names its post, and of a timeline its handle and kind', async () => {
  expect((await get('/i/status/20/replies?format=json')).json()).toMatchObject({ id: '20', posts: expect.any(Array) });
  expect((await get('/i/status/20/retweets?format=json')).json()).toMatchObject({ id: '20', users: expect.any(Array) });
  expect((await get('/Jack/media?format=json')).json()).toMatchObject({ handle: 'jack', kind: 'media' });
});

test('[lists 8] the replies of a post are requested in the order that sort names', async () => {
  const orders: unknown[] = [];
  const app = createTestApp({
    upstream: {
      listPosts: async (request) => {
        if (request.list === 'replies') orders.push(request.order);
        return found(page([post('21')]));
      },
    },
  });
  for (const query of ['', '?sort=top', '?sort=recent']) await app.get(`/api/v1/posts/20/replies${query}`);
  expect(orders).toEqual(['top', 'top', 'recent']);
  expectProblem(await app.get('/api/v1/posts/20/replies?sort=old'), 400, 'invalid_parameter');
});

test('[reading 5] the page of replies leads to its other order, and marks its own', async () => {
  const { get: getPage } = createTestApp({ upstream: upstreamWithLists(3) });
  const ordersIn = async (query: string): Promise<string | undefined> => {
    const { body } = await getPage(`/ada/status/20/replies${query}`, { headers: { accept: 'text/html' } });
    return /<p class="meta hint">(.*?)<\/p>/.exec(body)?.[1]?.replace(/(href=")\/\w+/g, '$1/ADA');
  };
  const way = (order: string, name: string) =>
    `<span><a href="/ADA/status/20/replies?sort=${order}">${name}</a></span>`;
  const marked = (name: string) => `<span><b aria-current="true">${name}</b></span>`;
  const byLikes = `${marked('Most liked first')} ${way('recent', 'Newest first')}`;
  expect(await ordersIn('')).toBe(byLikes);
  expect(await ordersIn('?sort=top')).toBe(byLikes);
  expect(await ordersIn('?sort=recent')).toBe(`${way('top', 'Most liked first')} ${marked('Newest first')}`);
});

test('[bounds 4] a page takes at most 10 provider calls, and then is partial with a warning and a cursor', async () => {
  let calls = 0;
  const app = createTestApp({
    upstream: {
      listUsers: async (_, { cursor = '0' }) => {
        calls += 1;
        return found(page([user(`user_${cursor}`)], String(Number(cursor) + 1)));
      },
    },
  });
  const answer = await app.get('/jack/followers?limit=100&format=json');
  expect(calls).toBe(10);
  expect(idsOf(answer)).toHaveLength(10);
  expect(answer.json()).toMatchObject({ warnings: [{ code: 'partial_page' }] });
  expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  expect(idsOf(await app.get(nextLink(answer) ?? ''))[0]).toBe('id-user_10');
  expect(calls).toBe(20);
});

test('[bounds 3] a cursor continues with the provider of the previous page', async () => {
  const providers: (string | undefined)[] = [];
  const app = createTestApp({
    upstream: {
      listUsers: async (_, { provider, cursor = '' }) => {
        providers.push(provider);
        const value = {
          items: [user(cursor || 'first')],
          provider: 'second_choice',
          isFallback: true,
          next: `${cursor}x`,
        };
        return { kind: 'found', value, source: 'second_choice', fetchedAt: NOW, warnings: [] };
      },
    },
  });
  await app.get(nextLink(await app.get('/jack/followers?limit=1')) ?? '');
  expect(providers).toEqual([undefined, 'second_choice']);
});

test('an HTML page links to the other formats of the same page', async () => {
  for (const path of ['/jack', '/jack/followers', '/jack/following', '/search?q=fjord']) {
    const target = withQuery(path, `limit=3&cursor=${await cursorOf(get, withQuery(path, 'limit=3'))}`);
    const { body } = await get(target, { headers: { accept: 'text/html' } });
    const [, href = ''] = /<link rel="alternate" type="application\/json" href="([^"]+)">/.exec(body) ?? [];
    const linked = await get(href.replaceAll('&amp;', '&').slice(BASE_URL.length));
    expect(idsOf(linked)).toEqual(idsOf(await get(withQuery(target, 'format=json'))));
  }
});
