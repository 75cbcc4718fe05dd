// Checks the tools of /mcp?tools=research, whose results have the shape that the connectors of ChatGPT require.
import { describe, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { hostileFragments } from '../../generators/hostile-text.ts';
import { createTestAccessControl } from '../../support/access-control.ts';
import { clocksOf } from '../../support/clocks.ts';
import { sampleOf } from '../../support/full-form.ts';
import { chargingUpstream, TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { mcpCalls, rpc } from '../../support/mcp-calls.ts';
import { createTestRegistry, LABEL, resultText } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';
import { postOf, userOf } from '../../support/post-models.ts';
import { conversation, found, NOW, page, post, upstreamReturning } from '../../support/test-app.ts';

const research = (upstream: Partial<Upstream> = {}) => createTestRegistry({ upstream, toolSet: 'research' });

const PATH = '/mcp?tools=research';

describe('the query of /mcp', () => {
  const handler = mcpHandler(createTestRegistry().registry, undefined, undefined, research().registry);
  const { send, callStateless } = mcpCalls(handler);
  const headers = { 'content-type': 'application/json' };
  const list = JSON.stringify(rpc('tools/list'));
  const namesOf = (json: { readonly result: { readonly tools: readonly { readonly name: string }[] } }) =>
    json.result.tools.map(({ name }) => name);

  test('POST /mcp?tools=research lists exactly search and fetch', async () => {
    expect(namesOf((await send({ path: PATH, headers, body: list })).json)).toEqual(['search', 'fetch']);
    expect(namesOf((await send({ path: '/mcp', headers, body: list })).json)).toContain('x_get_post');
    expect(namesOf((await callStateless('tools/list')).json)).toContain('x_get_post');
    expect(namesOf((await callStateless('tools/list', {}, {}, PATH)).json)).toEqual(['search', 'fetch']);
  });

  test.each([
    ['?tools=', 'invalid_parameter'],
    ['?tools=Research', 'invalid_parameter'],
    ['?tools=toString', 'invalid_parameter'],
    ['?tools=research&tools=research', 'repeated_parameter'],
  ])('POST /mcp%s is 400 %s', async (query, code) => {
    const answer = await send({ path: `/mcp${query}`, headers, body: list });
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(answer.json).toMatchObject({ code, errors: [{ parameter: 'tools' }] });
  });

  test('POST /mcp?tools=all with an unknown key is 401', async () => {
    const authorization = 'Bearer pstn_nonsense';
    const answer = await send({ path: '/mcp?tools=all', headers: { ...headers, authorization }, body: list });
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_key']);
  });

  test('a call of a tool of the other set is -32602', async () => {
    const call = (name: string) => JSON.stringify(rpc('tools/call', { name, arguments: { id: '20' } }));
    expect((await send({ path: PATH, headers, body: call('x_get_post') })).json).toMatchObject({
      error: { code: -32602, message: 'There is no such tool. There are: search, fetch.' },
    });
    expect((await send({ headers, body: call('fetch') })).json).toMatchObject({ error: { code: -32602 } });
  });

  test.each(['resources/list', 'resources/templates/list', 'prompts/list'])('%s is empty', async (method) => {
    const { json } = await send({ path: PATH, headers, body: JSON.stringify(rpc(method)) });
    expect(Object.values(json.result)).toEqual([[]]);
  });
});

describe('search', () => {
  test('search returns one text that is JSON with id, title and url of each post', async () => {
    const posts = [
      postOf({ id: '21', text: 'The fjord is quiet tonight.', url: 'https://x.com/ada/status/21' }),
      post('20', 'jack'),
    ];
    const result = await research({ listPosts: async () => found(page(posts)) }).call('search', { query: 'fjord' });
    expect(result).not.toHaveProperty('structuredContent');
    expect(JSON.parse(resultText(result))).toEqual({
      results: [
        { id: '21', title: expect.stringContaining('The fjord is quiet tonight.'), url: 'https://x.com/ada/status/21' },
        { id: '20', title: expect.stringContaining('just setting up my twttr'), url: 'https://x.com/jack/status/20' },
      ],
    });
  });

  test('search without results is an empty list', async () => {
    const result = await research({ listPosts: async () => found(page([])) }).call('search', { query: 'fjord' });
    expect(JSON.parse(resultText(result))).toEqual({ results: [] });
  });

  test.each([{}, { query: '' }, { query: ' ' }, { query: 7 }, { query: ['a'] }])(
    'search %j is missing_query',
    async (args) => {
      expect(await research().call('search', args)).toMatchObject({ isError: true, _meta: { code: 'missing_query' } });
    },
  );

  test.each([
    ['https://x.com/hashtag/tide', { query: '#tide', feed: 'top' }],
    ['https://x.com/search?q=tide&f=live', { query: 'tide', feed: 'latest' }],
    ['https://x.com/search?q=tide&f=user', { list: 'search', query: 'tide' }],
    ['https://example.org/a', { query: 'https://example.org/a' }],
  ])('[mcp 11] search %j makes the search of the link', async (query, expected) => {
    const requests: object[] = [];
    const listPosts: Upstream['listPosts'] = async (request) => {
      requests.push(request);
      return found(page([post('20')]));
    };
    await research({ listPosts }).call('search', { query });
    expect(requests).toMatchObject([expected]);
  });

  test.each(['https://x.com/jack/status/20', 'x.com/jack', 'https://x.com/i/user/12', 'https://x.com/i/bookmarks'])(
    '[mcp 11] search %j names fetch',
    async (query) => {
      const result = await research().call('search', { query });
      expect(result).toMatchObject({ isError: true, _meta: { code: 'invalid_parameter' } });
      expect(resultText(result)).toContain('query is a link, not words: call fetch with it as id.');
    },
  );

  test('search spends the search allowance', async () => {
    const { call } = createTestRegistry({
      upstream: chargingUpstream(),
      access: createTestAccessControl({ ...clocksOf(() => NOW), allowances: TINY_ALLOWANCES }),
      toolSet: 'research',
    });
    const codes: unknown[] = [];
    while (codes.length < 4) codes.push((await call('search', { query: 'x' }))._meta?.['code']);
    expect(codes).toEqual([undefined, undefined, undefined, 'rate_limited']);
    expect((await call('fetch', { id: '20' })).isError).toBeUndefined();
  });
});

describe('fetch', () => {
  test.each(['20', 'https://x.com/jack/status/20', 'twitter.com/jack/status/20?s=20'])(
    'fetch %j returns the post with its labelled text',
    async (id) => {
      const body = JSON.parse(resultText(await research().call('fetch', { id })));
      expect(Object.keys(body)).toEqual(['id', 'title', 'url', 'text', 'metadata']);
      expect(body).toMatchObject({
        id: '20',
        title: expect.stringContaining('just setting up my twttr'),
        url: 'https://x.com/jack/status/20',
        metadata: { source: 'fxtwitter', fetched_at: '2026-11-21T12:00:00.000Z' },
      });
      expect(body.text).toBe(resultText(await createTestRegistry().call('x_get_post', { id: '20' })));
      expect(body.text.startsWith(LABEL)).toBe(true);
    },
  );

  test('[mcp 11] fetch of the link of an account by its id returns the profile', async () => {
    const readProfile: Upstream['readProfile'] = async (name) => found(userOf(name === 'id:12' ? 'ada' : name));
    const body = JSON.parse(
      resultText(await research({ readProfile }).call('fetch', { id: 'https://x.com/i/user/12' })),
    );
    expect(body.id).toBe('https://x.com/ada');
  });

  test.each([
    ['https://x.com/hashtag/tide', 'id leads to a search: call search with it as query.'],
    ['https://x.com/i/bookmarks', 'X shows this only to the account itself.'],
    ['https://x.com/i/lists/12', 'id must be an id that search gave, or the address of a post or profile on X.'],
  ])('[mcp 11] fetch %j says what it is', async (id, expected) => {
    const result = await research().call('fetch', { id });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'invalid_parameter' } });
    expect(resultText(result)).toContain(expected);
  });

  test.each(['@jack', 'https://x.com/jack'])('fetch %j returns the profile', async (id) => {
    const body = JSON.parse(resultText(await research().call('fetch', { id })));
    expect(body).toMatchObject({
      id: 'https://x.com/jack',
      url: 'https://x.com/jack',
      text: expect.stringContaining('@jack'),
    });
  });

  test.each([
    [{}, 'missing_parameter'],
    [{ id: 20 }, 'missing_parameter'],
    [{ id: '0' }, 'invalid_id'],
    [{ id: 'fjord' }, 'invalid_parameter'],
    [{ id: 'https://evil.example/jack/status/20' }, 'invalid_parameter'],
    [{ id: 'https://x.com/search?q=x' }, 'invalid_parameter'],
  ])('fetch %j is %s', async (args, code) => {
    expect(await research().call('fetch', args)).toMatchObject({ isError: true, _meta: { code, status: 400 } });
  });

  test('fetch of a deleted post says so, and an outage is another error', async () => {
    const deleted = await research(upstreamReturning({ kind: 'gone', reason: 'deleted' })).call('fetch', { id: '20' });
    expect(deleted).toMatchObject({ isError: true, _meta: { code: 'post_not_found', status: 404 } });
    const down = await research(upstreamReturning({ kind: 'down', why: 'SECRET' })).call('fetch', { id: '20' });
    expect(down).toMatchObject({ isError: true, _meta: { code: 'upstream_unavailable', retry_after: 30 } });
    expect(resultText(down)).not.toContain('SECRET');
  });
});

const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u2028\u2029\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff]/u;

test('hostile texts stay in the quote and in the title, and results have at most 24,000 bytes', async () => {
  for (const fragment of [
    ...sampleOf(hostileFragments),
    '\n'.repeat(30_000),
    '"'.repeat(30_000),
    '\\'.repeat(30_000),
  ]) {
    const author = userOf(fragment);
    const article = { title: fragment.repeat(50), blocks: [] };
    const posts = Array.from({ length: 20 }, (_, index) =>
      postOf({ id: String(100 + index), text: fragment, author, article }),
    );
    const { call } = research({
      listPosts: async () => found(page(posts)),
      readPost: async ({ id }) => found({ ...conversation(id), post: { ...post(id), text: fragment, author } }),
    });
    for (const result of [await call('search', { query: 'x' }), await call('fetch', { id: '20' })]) {
      const text = resultText(result);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
      const body = JSON.parse(text);
      const texts: readonly string[] = body.results?.map(({ title }: { readonly title: string }) => title) ?? [
        body.title,
        body.text,
      ];
      for (const value of texts) expect(value.replaceAll('\n', '')).not.toMatch(INVISIBLE);
    }
  }
});
