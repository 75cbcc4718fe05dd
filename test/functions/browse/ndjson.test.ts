// Compares `format=ndjson` of every list with its JSON, and follows its cursors.
import { describe, expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { LIST_ROUTES, targetsOf } from '../../support/list-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import {
  createTestApp,
  found,
  NOW,
  page,
  post,
  type TestApp,
  type TestResponse,
  user,
} from '../../support/test-app.ts';

const TARGETS = [
  ...routesOf(BROWSE_TARGETS.filter(({ resource }) => resource !== 'profile')),
  '/api/v1/search?q=fjord&feed=users',
  ...LIST_ROUTES.flatMap(targetsOf),
];
/** Splits at line feeds only, as the format defines. */
const linesOf = ({ body }: TestResponse): readonly Record<string, unknown>[] => {
  const lines = body.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line));
};

/** The items of a JSON body. */
const itemsOf = (body: Record<string, unknown>) =>
  (body['users'] ?? body['posts']) as readonly { readonly id: string }[];

const readBoth = async (get: TestApp['get'], route: string) => {
  const [json, ndjson] = await Promise.all([
    get(withQuery(route, 'format=json')),
    get(withQuery(route, 'format=ndjson')),
  ]);
  return { json: json.json(), ndjson, lines: linesOf(ndjson) };
};

describe('format=ndjson', () => {
  test.each(TARGETS)(
    '[lists 7] GET %s returns the items of the JSON body, one a line, then next_cursor and warnings',
    async (route) => {
      const { get } = createTestApp({ upstream: upstreamWithLists(30) });
      const { json, ndjson, lines } = await readBoth(get, route);
      expect(ndjson.headers).toMatchObject({
        'content-type': 'application/x-ndjson',
        'cache-control': expect.any(String),
      });
      const { next_cursor, warnings } = json;
      expect(next_cursor).toEqual(expect.any(String));
      expect(ndjson.headers['link']).toMatch(/[?&]format=ndjson\b.*rel="next"/);
      expect(lines).toEqual([...itemsOf(json), { next_cursor, warnings }]);
    },
  );

  test('[lists 7] an empty list is only the last line', async () => {
    const { get } = createTestApp({ upstream: { listPosts: async () => found(page([])) } });
    expect((await get('/api/v1/search?q=fjord&format=ndjson')).body).toBe('{"next_cursor":null,"warnings":[]}\n');
  });

  test.each(TARGETS)('[lists 7] the cursors of GET %s lead through the list, each item once', async (route) => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const ids: unknown[] = [];
    let cursor: unknown = '';
    while (cursor !== null) {
      const answer = await get(withQuery(route, `format=ndjson&limit=8&cursor=${cursor}`));
      expect(answer.status).toBe(200);
      const lines = linesOf(answer);
      ids.push(...lines.slice(0, -1).map(({ id }) => id));
      expect(Object.keys(lines.at(-1) ?? {})).toEqual(['next_cursor', 'warnings']);
      cursor = lines.at(-1)?.['next_cursor'];
    }
    const { json } = await readBoth(get, withQuery(route, 'limit=100'));
    expect(ids).toHaveLength(30);
    expect(ids).toEqual(itemsOf(json).map(({ id }) => id));
  });

  test('[lists 7] a text never ends its line, whatever line ends it has', async () => {
    const text = 'a\nb\r\nc\u0085d\u2028e\u2029f"}\n{"next_cursor":null}';
    const { get } = createTestApp({ upstream: { listPosts: async () => found(page([post('20', 'jack', text)])) } });
    const answer = await get('/search?q=fjord&format=ndjson');
    expect(answer.body.split(/[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/)).toHaveLength(3);
    expect(linesOf(answer)[0]).toMatchObject({ id: '20', text });
  });

  test('[lists 7] the ETag does not depend on the time of reading, and differs from that of JSON', async () => {
    const app = (fetchedAt: number) =>
      createTestApp({ upstream: { listUsers: async () => ({ ...found(page([user('ada')])), fetchedAt }) } });
    const route = '/jack/followers?format=ndjson';
    const { etag = '' } = (await app(NOW).get(route)).headers;
    expect((await app(NOW - 5000).get(route)).headers['etag']).toBe(etag);
    expect((await app(NOW).get('/jack/followers?format=json')).headers['etag']).not.toBe(etag);
    for (const method of ['GET', 'HEAD'])
      expect((await app(NOW - 5000).get(route, { method, headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('[lists 7] Accept does not select the format', async () => {
    const { get } = createTestApp();
    const headers = { accept: 'application/x-ndjson' };
    expectProblem(await get('/api/v1/search?q=fjord', { headers }), 406, 'not_acceptable');
    const preferred = { accept: 'application/x-ndjson, application/json;q=0.5' };
    expect((await get('/jack/followers', { headers: preferred })).headers['content-type']).toBe('application/json');
  });

  test('[lists 7] max_tokens, which bounds Markdown, has no effect', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const route = '/api/v1/search?q=fjord&format=ndjson';
    expect((await get(`${route}&max_tokens=100`)).body).toBe((await get(route)).body);
  });

  test('[caching 18] a body over 1 kB is compressed if Accept-Encoding allows', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const route = '/api/v1/search?q=fjord&format=ndjson';
    const answer = await get(route, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.body).toBe((await get(route)).body);
  });

  test('[lists 7] an error is a problem document, also for a browser', async () => {
    const headers = { accept: 'text/html' };
    const target = '/search?q=fjord&format=ndjson&cursor=AAAA';
    expectProblem(await createTestApp().get(target, { headers }), 400, 'invalid_cursor');
  });
});
