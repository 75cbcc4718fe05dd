// Sends what clients of MCP send besides valid messages through the edge function and the cache: slashes, origins, preflights,
// versions, and requests for OAuth.
import { describe, expect, test } from 'vitest';
import { MCP_VERSIONS } from '../../shared/contract/mcp.ts';
import { localOptions, shareService } from '../support/local-service.ts';

const { get } = shareService(localOptions());

const post = (target: string, message: object, headers: Readonly<Record<string, string>> = {}) =>
  get(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

const PING = { id: 7, method: 'ping' };
const INITIALIZE = {
  id: 7,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
};
const INITIALIZED = { method: 'notifications/initialized' };
const LIST = { id: 1, method: 'tools/list' };

describe('/mcp/', () => {
  test('[methods 5] answers as /mcp, without a redirect', async () => {
    for (const message of [LIST, PING, INITIALIZED]) {
      const [slashed, plain] = [await post('/mcp/', message), await post('/mcp', message)];
      expect([slashed.status, slashed.body]).toEqual([plain.status, plain.body]);
    }
    expect((await post('/mcp/', LIST)).status).toBe(200);
    const tools = async (path: string) => (await post(`${path}?tools=research`, LIST)).body;
    expect(await tools('/mcp/')).toBe(await tools('/mcp'));
    expect((await get('/mcp/')).headers['allow']).toBe('POST, OPTIONS');
    expect((await get('/mcp/', { method: 'OPTIONS' })).status).toBe(204);
    expect((await get('/mcp/', { headers: { accept: 'text/html' } })).headers['location']).toBe('/docs/mcp');
  });
});

describe('Origin', () => {
  test.each([
    ...['https://claude.ai', 'http://localhost:6274', 'http://127.0.0.1:6274', 'http://[::1]:1', 'null'],
    ...['chrome-extension://abcdef', 'moz-extension://1b2c', 'vscode-webview://0a1b', 'app://obsidian.md', 'file://'],
    ...['capacitor://localhost', 'tauri://localhost'],
  ])('[cors 5] %s may call /mcp', async (origin) => {
    for (const path of ['/mcp', '/mcp/']) {
      const { status, headers } = await post(path, PING, { origin });
      expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
    }
  });

  test.each(['http://evil.example', 'HTTP://EVIL.EXAMPLE:80', 'http://localhost.evil.example', 'http://192.0.2.1'])(
    '[cors 5] %s may not call /mcp, and learns who may',
    async (origin) => {
      const answer = await post('/mcp', PING, { origin });
      expect([answer.status, answer.headers['content-type']]).toEqual([403, 'application/problem+json']);
      expect(answer.json()).toMatchObject({
        code: 'forbidden_origin',
        detail: 'Origin is a page over plain http: on another machine.',
        resolution: expect.stringContaining('https:'),
      });
    },
  );
});

test.each([
  ['/mcp', 'POST', ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID']],
  ['/mcp/', 'POST', ['Mcp-Session-Id']],
  ['/api/v1/posts', 'GET', []],
  ['/ada_larsson', 'GET', []],
  ['/openapi.json', 'GET', []],
])('[cors 6] a preflight of %s allows %s, and the fields of a traced request', async (target, method, more) => {
  const { status, headers } = await get(target, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'content-type,traceparent,tracestate',
    },
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-methods']?.split(', ')).toContain(method);
  const names = headers['access-control-allow-headers']?.split(', ');
  for (const name of ['Content-Type', 'Authorization', 'Traceparent', 'Tracestate', 'Baggage', ...more])
    expect(names, name).toContain(name);
});

describe('a request for OAuth', () => {
  const ENDPOINTS = ['register', 'token', 'authorize'];
  const DOCUMENTS = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'];

  test.each([
    ...ENDPOINTS.flatMap((name) => [`/${name}`, `/mcp/${name}`].map((path) => ['POST', path] as const)),
    ...DOCUMENTS.flatMap((name) =>
      [`/.well-known/${name}`, `/.well-known/${name}/mcp`, `/mcp/.well-known/${name}`].map(
        (path) => ['GET', path] as const,
      ),
    ),
  ])('[keys 23] %s %s is 404, and says that there is none and what a 401 means', async (method, target) => {
    for (const accept of ['*/*', 'application/json', 'text/html']) {
      const answer = await get(target, {
        method,
        headers: { accept, 'content-type': 'application/json', authorization: 'Bearer x' },
        ...(method === 'POST' && { body: '{"client_name":"a","redirect_uris":["http://127.0.0.1/"]}' }),
      });
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json']);
      expect(answer.json()).toMatchObject({
        code: 'route_not_found',
        detail: expect.stringMatching(/no OAuth.* 401 at \/mcp means that the API key/),
        resolution: expect.stringMatching(/^Call http:\/\/127\.0\.0\.1:\d+\/mcp without Authorization/),
      });
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    }
  });

  test('[keys 23] GET of an account with the name of an endpoint is its profile, also with the query of a sign-in', async () => {
    for (const name of ENDPOINTS) expect((await get(`/${name}`)).json()).toMatchObject({ code: 'profile_not_found' });
    const signIn = '/authorize?response_type=code&client_id=a&redirect_uri=http://127.0.0.1/&state=b';
    const page = await get(signIn, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.body).toContain('@authorize');
    expect((await get('/ada_larsson', { method: 'POST' })).status).toBe(405);
  });
});

describe('a call of a tool', () => {
  const call = async (name: string, args: object | null) => {
    const answer = await post('/mcp', { id: 1, method: 'tools/call', params: { name, arguments: args } });
    expect(answer.status).toBe(200);
    const { result } = answer.json() as { result: { content: [{ text: string }]; isError?: true; _meta: object } };
    return { ...result, text: result.content[0].text };
  };

  test.each([
    ['x_get_posts', { ids: '["20","2034932961899447678"]' }, '# 2 posts'],
    ['x_list_posts', { handle: '["jack","ada_larsson"]', limit: 2 }, '# Posts of @ada_larsson, @jack'],
  ])('[mcp 13] %s %j reads the texts of the array', async (name, args, expected) => {
    const { text, isError } = await call(name, args);
    expect(isError).toBeUndefined();
    expect(text).toContain(expected);
  });

  test.each([
    ['x_list_posts', { handle: 'jack', limit: 0 }, 'limit must be a whole number from 1 to 50'],
    ['x_list_posts', { handle: 'jack', since: '2026-09-01T10:00' }, 'with its zone, such as 2026-09-01T10:00:00Z'],
    ['x_get_post', null, 'url is required'],
  ])('[mcp 13] [mcp 14] %s %j says what is wrong in the terms of the tool', async (name, args, expected) => {
    const { text, isError } = await call(name, args);
    expect(isError).toBe(true);
    expect(text).toContain(expected);
  });

  test('[mcp 15] the reason of a deleted post is in the text and in _meta', async () => {
    const { text, _meta: meta } = await call('x_get_post', { id: '1990000000000000001' });
    expect(text).toContain('Reason: deleted.');
    expect(meta).toEqual({ code: 'post_not_found', status: 404, reason: 'deleted' });
  });
});

describe('MCP-Protocol-Version', () => {
  const send = (message: object, version: string) => post('/mcp', message, { 'mcp-protocol-version': version });

  test.each(['nonsense', '2025', '2025-06-18.1', '1.0', 'latest, 2025-06-18'])(
    '[headers 8] %s is 400 for every message, and names the revisions',
    async (version) => {
      for (const [message, id] of [
        [LIST, 1],
        [PING, 7],
        [INITIALIZE, 7],
        [INITIALIZED, null],
      ] as const) {
        const { status, json } = await send(message, version);
        expect([status, json()['id']]).toEqual([400, id]);
        expect(json()['error']).toMatchObject({
          code: -32000,
          message: `Unsupported protocol version; supported are ${MCP_VERSIONS.join(', ')}`,
        });
      }
    },
  );

  test('[headers 8] an absent or supported one is accepted, and a later one with the handshake', async () => {
    expect((await post('/mcp', PING)).status).toBe(200);
    for (const version of MCP_VERSIONS.filter((each) => each !== '2026-07-28')) {
      expect((await send(PING, version)).status).toBe(200);
      expect((await send(INITIALIZED, version)).status).toBe(202);
      expect((await send(INITIALIZE, version)).status).toBe(200);
    }
    for (const version of ['2026-07-28', '2027-03-01']) expect((await send(INITIALIZE, version)).status).toBe(200);
    expect((await send(PING, '2027-03-01')).status).toBe(400);
  });
});
