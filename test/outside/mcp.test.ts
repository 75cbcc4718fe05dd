import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { sendRequest, startTestService } from '../support/local-service.ts';

const IDENTITY = { name: 'test', version: '1' };

interface Called {
  readonly content: readonly { readonly type: string; readonly text: string; readonly data?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface AnyClient {
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Called>;
  readonly toolNames: () => Promise<readonly string[]>;
}

type Connect = (url: URL) => Promise<AnyClient>;

/** The members that both SDKs have in common. */
const anyClient = (client: Client | ModernClient): AnyClient => {
  onTestFinished(() => client.close());
  return {
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as Called,
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
  };
};

const first: Connect = async (url) => {
  const client = new Client(IDENTITY);
  // The transport type of the SDK does not allow undefined in optional members.
  await client.connect(new StreamableHTTPClientTransport(url) as never);
  return anyClient(client);
};

const second =
  (mode: 'auto' | { readonly pin: string }): Connect =>
  async (url) => {
    const client = new ModernClient(IDENTITY, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(url));
    return anyClient(client);
  };

const CLIENTS = [
  ['of the first SDK', first],
  ['of the second SDK, which detects the revision', second('auto')],
  ['of the second SDK, stateless', second({ pin: '2026-07-28' })],
] as const;

const CALLS = [
  ['x_get_post', { url: 'https://x.com/jack/status/20' }, '/api/v1/posts?url=https://x.com/jack/status/20'],
  ['x_get_profile', { handle: 'ada_larsson', limit: 3 }, '/api/v1/profiles/ada_larsson?limit=3'],
  [
    'x_list_posts',
    { handle: 'ada_larsson', kind: 'replies', limit: 3 },
    '/api/v1/profiles/ada_larsson/posts?kind=replies&limit=3',
  ],
  [
    'x_list_replies',
    { id: 'https://x.com/i/status/2028036267832246272', kind: 'quotes', limit: 3 },
    '/api/v1/posts/2028036267832246272/quotes?limit=3',
  ],
  [
    'x_list_replies',
    { id: '2028036267832246272', kind: 'reposts', limit: 2 },
    '/api/v1/posts/2028036267832246272/reposts?limit=2',
  ],
  ['x_get_posts', { ids: ['20', '2028036267832246272'] }, '/api/v1/posts/lookup?ids=20,2028036267832246272'],
  ['x_list_followers', { handle: '@ada_larsson', limit: 5 }, '/api/v1/profiles/ada_larsson/followers?limit=5'],
  ['x_list_following', { handle: 'ada_larsson', limit: 5 }, '/api/v1/profiles/ada_larsson/following?limit=5'],
  ['x_search_posts', { q: 'tide', limit: 2 }, '/api/v1/search?q=tide&limit=2'],
] as const;

describe.each(CLIENTS)('a client %s', (_, connect) => {
  test('[mcp 3] lists the tools, and each tool returns the Markdown and the items of its route', async () => {
    const { origin } = await startTestService(AMPLE_ALLOWANCES);
    const client = await connect(new URL('/mcp', origin));
    expect([...(await client.toolNames())].sort()).toEqual([...new Set(CALLS.map(([name]) => name))].sort());
    for (const [name, args, target] of CALLS) {
      const { content, structuredContent, isError } = await client.call(name, { ...args, format: 'json' });
      expect(isError, name).toBeFalsy();
      expect(content, name).toHaveLength(1);
      expect(JSON.parse(content[0]?.text ?? ''), name).toEqual(structuredContent);
      const body = (await sendRequest(origin, `${target}&format=json`)).json();
      const idsIn = (value: unknown): readonly unknown[] =>
        [...JSON.stringify(value).matchAll(/"id":"(\d+)"/g)].map(String);
      expect(idsIn(structuredContent), name).toEqual(idsIn(body));
      const markdown = await client.call(name, args);
      expect(markdown, name).not.toHaveProperty('structuredContent');
      const metrics = name.startsWith('x_get_post') ? 'on' : 'off';
      const { body: text } = await sendRequest(origin, `${target}&format=markdown&metrics=${metrics}`);
      const named = text.replace(
        /^(Read on|Thread of \d+ posts): <.*\/status\/(\d+)>$/gm,
        '$1: x_get_post with id "$2"',
      );
      // The notes of a tool, with the warnings, are outside of the quote.
      const [, warnings = ''] = /^\*Incomplete: (.*)\*$/m.exec(named) ?? [];
      expect(markdown.content[0]?.text, name).toMatch(new RegExp(`^[^>].*${RegExp.escape(warnings)}`, 'm'));
      const lines = named
        .replace(/^\*Incomplete: .*\*\n\n?/m, '')
        .split('\n')
        .filter((line) => !/^(?:Next page:|\*This service runs on sample data)/.test(line));
      expect(markdown.content[0]?.text, name).toContain(
        lines
          .map((line) => `> ${line}`)
          .join('\n')
          .replace(/(?:\n> )+$/, ''),
      );
    }
  });

  test('[images 1] receives the pictures of a post after the text', async () => {
    const { origin } = await startTestService(AMPLE_ALLOWANCES);
    const client = await connect(new URL('/mcp', origin));
    const { content } = await client.call('x_get_post', { id: '2032048958469046864', images: 1 });
    expect(content[0]?.text).toContain('> [Image 1');
    expect(content.slice(1)).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
    expect(Buffer.from(content[1]?.data ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  test('of tools=research gets search and fetch in the shape of connectors', async () => {
    const { origin } = await startTestService(AMPLE_ALLOWANCES);
    const client = await connect(new URL('/mcp?tools=research', origin));
    expect(await client.toolNames()).toEqual(['search', 'fetch']);
    const found = await client.call('search', { query: 'tide' });
    const { results } = JSON.parse(found.content[0]?.text ?? '');
    expect(results.length).toBeGreaterThan(5);
    for (const result of results) {
      expect(result).toEqual({
        id: expect.any(String),
        title: expect.any(String),
        url: expect.stringMatching(/^https:\/\/x\.com\//),
      });
      const fetched = await client.call('fetch', { id: result.id });
      // The sample has some posts only in lists.
      if (fetched.isError) expect(fetched._meta).toMatchObject({ code: 'post_not_found' });
      else expect(JSON.parse(fetched.content[0]?.text ?? '')).toMatchObject({ id: result.id, url: result.url });
    }
  });

  test('gets an error text with a resolution, and can continue', async () => {
    const { origin } = await startTestService(AMPLE_ALLOWANCES);
    const { call } = await connect(new URL('/mcp', origin));
    const deleted = await call('x_get_post', { url: 'https://x.com/i/status/1990000000000000001' });
    expect([deleted.isError, deleted._meta?.['code'], deleted.structuredContent]).toEqual([
      true,
      'post_not_found',
      undefined,
    ]);
    const failing = await call('x_list_followers', { handle: 'flaky_feed' });
    expect(failing._meta).toMatchObject({ code: 'upstream_unavailable', retry_after: 30 });
    expect(failing.content[0]?.text).toMatch(/30 s/);
    const numeric = await call('x_get_post', { id: 20 });
    expect(numeric.isError).toBe(true);
  });
});

test('[allowances 3] searches by tool and by route share one allowance, and a tool result reports a spent allowance', async () => {
  const { origin } = await startTestService({ ALLOWANCE_SEARCH_ANONYMOUS: '2/86400' });
  const { call } = await first(new URL('/mcp', origin));
  expect((await sendRequest(origin, '/api/v1/search?q=tide&limit=1')).status).toBe(200);
  expect((await call('x_search_posts', { q: '#ferries', limit: 1 })).isError).toBeFalsy();
  const spent = await call('x_search_posts', { q: 'puffins', limit: 1 });
  expect(spent).toMatchObject({ isError: true, _meta: { code: 'rate_limited', retry_after: expect.any(Number) } });
  expect((await sendRequest(origin, '/api/v1/search?q=puffins&limit=1')).status).toBe(429);
  expect((await call('x_get_post', { url: 'https://x.com/jack/status/20' })).isError).toBeFalsy();
});

const call = (name: string, args: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
});

const HALF_CHARACTERS = [
  ['x_search_posts', { q: 'tide \ud800' }],
  ['x_search_posts', { q: 'tide', feed: 'users\udfff' }],
  ['x_get_profile', { handle: 'jack\ud800' }],
  ['x_get_post', { url: 'https://x.com/jack/status/20?\ud800' }],
  ['x_list_followers', { handle: 'ada_larsson', cursor: '\udfff' }],
] as const;

test('[mcp 2] a lone surrogate in an argument gets a tool error, not an internal error', async () => {
  const { origin } = await startTestService(AMPLE_ALLOWANCES);
  for (const [name, args] of HALF_CHARACTERS) {
    const { status, body } = await sendRequest(origin, '/mcp', call(name, args));
    const { result } = JSON.parse(body);
    expect(status, name).toBe(200);
    expect([200, 400, 404], body).toContain(result._meta.status ?? 200);
  }
});

test('[mcp 9] a browser that opens /mcp gets its page, through the edge', async () => {
  const { origin } = await startTestService(AMPLE_ALLOWANCES);
  const redirect = await sendRequest(origin, '/mcp', { headers: { Accept: 'text/html,*/*;q=0.8' } });
  expect(redirect.status).toBe(303);
  const page = await sendRequest(origin, String(redirect.headers.location), { headers: { Accept: 'text/html' } });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});
