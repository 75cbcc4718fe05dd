// Checks the MCP endpoint before any tool call: methods, bodies, and both kinds of protocol revision.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { HANDSHAKE_VERSIONS } from '../../../shared/contract/mcp.ts';
import { newApiKey } from '../../support/access-control.ts';
import { type McpAnswer, META, mcpCalls, rpc } from '../../support/mcp-calls.ts';
import { fixtureRegistry } from '../../support/mcp-fixtures.ts';
import { mcpHandler } from '../../support/mcp-server.ts';
import { isProblem } from '../../support/problem-schema.ts';

const handler = mcpHandler(fixtureRegistry);

test('HANDSHAKE_VERSIONS equals the revisions that the SDK supports', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

const { send, call, callStateless } = mcpCalls(handler);

const expectProblem = (answer: McpAnswer, status: number, code: string): void => {
  expect([answer.status, answer.headers['content-type'], answer.json?.code]).toEqual([
    status,
    'application/problem+json',
    code,
  ]);
  expect(isProblem(answer.json), JSON.stringify(isProblem.errors)).toBe(true);
  expect(answer.headers).not.toHaveProperty('www-authenticate');
};

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test.each(['GET', 'HEAD'])('[mcp 9] %s /mcp of a browser redirects to the page of the server', async (method) => {
  const answer = await send({ method, headers: { accept: BROWSER, 'content-type': '', authorization: 'Bearer x' } });
  expect([answer.status, answer.headers['location'], answer.body]).toEqual([303, '/docs/mcp', '']);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept, Accept-Encoding' });
});

test.each([
  ...['DELETE', 'PUT', 'HEAD'].map((method) => [method, '*/*', 405] as const),
  ...['', '*/*', 'text/event-stream', 'text/*', 'text/html;q=0, */*', 'text/html, text/event-stream'].map(
    (accept) => ['GET', accept, 405] as const,
  ),
  ['DELETE', BROWSER, 405] as const,
  ['OPTIONS', BROWSER, 204] as const,
])('[mcp 1] [mcp 9] %s /mcp with Accept: %s returns %i with Allow and reads no key', async (method, accept, status) => {
  const answer = await send({ method, headers: { accept, authorization: 'Bearer nonsense' } });
  expect([answer.status, answer.headers['allow']]).toEqual([status, 'POST, OPTIONS']);
  expect(answer.headers).not.toHaveProperty('x-api-key-status');
});

test('[cors 3] OPTIONS /mcp allows the headers that MCP clients send', async () => {
  const { status, headers } = await send({ method: 'OPTIONS' });
  expect(status).toBe(204);
  expect(headers['access-control-allow-methods']).toBe('POST, OPTIONS');
  const names = ['Authorization', 'Content-Type', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id'];
  expect(headers['access-control-allow-headers']?.split(', ')).toEqual(expect.arrayContaining(names));
});

test.each([
  [undefined, 200],
  ['https://claude.ai', 200],
  ['http://localhost:6274', 200],
  ['http://127.0.0.1:6274', 200],
  ['http://evil.example.com', 403],
  ['null', 200],
  ['chrome-extension://abc', 200],
])('[cors 5] POST /mcp from a page with the Origin %s returns %i', async (origin, status) => {
  const answer = await call(rpc('ping'), origin === undefined ? {} : { origin });
  expect(answer.status).toBe(status);
  if (status === 403) expectProblem(answer, 403, 'forbidden_origin');
});

test('POST /mcp without the origin secret returns 403', async () => {
  expectProblem(await call(rpc('ping'), { 'x-origin-secret': 'guess' }), 403, 'forbidden_origin');
});

test('POST /mcp returns 415 for another media type and 413 for a large body', async () => {
  expectProblem(await call(rpc('ping'), { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  const large = rpc('ping', { text: 'a'.repeat(262_144) });
  expectProblem(await call(large), 413, 'content_too_large');
});

test('POST /mcp returns 406 only when Accept excludes JSON', async () => {
  expectProblem(await call(rpc('ping'), { accept: 'text/event-stream' }), 406, 'not_acceptable');
  for (const accept of ['*/*', 'application/json', 'application/json;q=0.5, text/event-stream'])
    expect((await call(rpc('ping'), { accept })).status, accept).toBe(200);
});

test.each([
  ['{"jsonrpc":', 400, -32700, null],
  ['[]', 400, -32600, null],
  ['{"jsonrpc":"2.0","id":7,"method":7}', 400, -32600, 7],
])('POST /mcp with %s returns a JSON-RPC error', async (body, status, code, id) => {
  const answer = await call(body);
  expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([status, code, id]);
  expect(answer.headers['content-type']).toBe('application/json');
});

test('[keys 9] [caching 1] POST /mcp sends no-store, Vary and the key status', async () => {
  const answer = await call(rpc('tools/list'));
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-api-key-status': 'anonymous' });
  expect(answer.headers['vary']).toBe('Authorization, Accept-Encoding');
});

test('[keys 14] POST /mcp with an invalid key returns 401 without a challenge, whatever the body is', async () => {
  const key = { authorization: 'Bearer nonsense' };
  for (const body of [rpc('tools/list'), 'nonsense']) {
    const answer = await call(body, key);
    expectProblem(answer, 401, 'invalid_key');
    expect(answer.headers).toMatchObject({ 'x-api-key-status': 'invalid', 'cache-control': 'private, no-store' });
  }
});

test('[keys 22] POST /mcp returns 429 for a key that was not read, whatever the body is, after 30 unknown keys', async () => {
  const { call } = mcpCalls(mcpHandler(fixtureRegistry));
  const withKey = () => ({ authorization: `Bearer ${newApiKey()}` });
  for (let count = 0; count < 30; count += 1) expect((await call(rpc('tools/list'), withKey())).status).toBe(401);
  for (const body of [rpc('tools/list'), 'nonsense']) {
    const answer = await call(body, withKey());
    expectProblem(answer, 429, 'rate_limited');
    expect(answer.headers).toMatchObject({
      'retry-after': String(answer.json.retry_after),
      'cache-control': 'private, no-store',
    });
    expect(answer.headers).not.toHaveProperty('x-api-key-status');
  }
  expect((await call(rpc('tools/list'))).status).toBe(200);
});

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])(
  'initialize accepts revision %s, and later requests may name it in their header',
  async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { json } = await call(rpc('initialize', params));
    expect(json.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'fixtures' },
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: 'Fixtures of a conformance suite.',
    });
    expect(json.result.capabilities.tools).not.toHaveProperty('listChanged');
    const list = await call(rpc('tools/list'), { 'mcp-protocol-version': version });
    expect(list.json.result.tools).toHaveLength(fixtureRegistry.tools.length);
  },
);

test('initialize with the stateless revision offers the newest handshake revision, whatever the header says', async () => {
  const params = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const { json } = await call(rpc('initialize', params), { 'mcp-protocol-version': '2026-07-28' });
  expect(json.result.protocolVersion).toBe('2025-11-25');
});

test('a request with an unknown revision in its header returns 400', async () => {
  const answer = await call(rpc('tools/list'), { 'mcp-protocol-version': '1999-01-01' });
  expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([400, -32000, 1]);
});

test('a batch has one revision and at most 20 messages, and its answers are in order without notifications', async () => {
  const batch = [
    rpc('ping', undefined, 1),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    rpc('ping', undefined, 2),
  ];
  const answer = await call(batch);
  expect(answer.json.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
  expect((await call(batch, { 'mcp-protocol-version': '2025-03-26' })).status).toBe(200);
  for (const version of ['2025-06-18', '2025-11-25', '2026-07-28'])
    expect((await call(batch, { 'mcp-protocol-version': version })).json.error, version).toEqual({
      code: -32600,
      message: 'Invalid Request: only revision 2025-03-26 has batches',
    });
  expect((await call(Array.from({ length: 21 }, (_, id) => rpc('ping', undefined, id)))).json.error.code).toBe(-32600);
  expect((await call([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
});

test('a batch that cancels its own call is still answered', async () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const { json } = await call([cancel, rpc('tools/call', { name: 'test_simple_text' }), cancel]);
  expect(json).toHaveLength(1);
  expect(json[0].result.content[0].text).toContain('simple text');
});

test('a batch rejects a handshake, a stateless request and an invalid message separately', async () => {
  const { json } = await call([
    rpc('initialize', {}, 1),
    rpc('tools/list', { _meta: META }, 2),
    'text',
    rpc('ping', {}, 4),
  ]);
  expect(json.map(({ id, error }: { id: number; error?: { code: number } }) => [id, error?.code])).toEqual([
    [1, -32600],
    [2, -32600],
    [null, -32600],
    [4, undefined],
  ]);
});

test('server/discover lists the revisions, and every stateless list has a result type and a cache scope', async () => {
  const { status, json } = await callStateless('server/discover');
  expect(status).toBe(200);
  expect(json.result).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
    ttlMs: 3_600_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fixtures' } },
  });
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
    expect((await callStateless(method)).json.result, method).toMatchObject({
      resultType: 'complete',
      cacheScope: 'public',
    });
  const called = (await callStateless('tools/call', { name: 'test_simple_text' })).json.result;
  expect(called).toMatchObject({ resultType: 'complete' });
  expect(called).not.toHaveProperty('ttlMs');
});

test.each([
  ['mcp-protocol-version', '2025-11-25'],
  ['mcp-method', 'tools/call'],
  ['mcp-method', 'Tools/List'],
])('a stateless request with %s: %s returns -32020 because the header differs from the body', async (name, value) => {
  const answer = await callStateless('tools/list', {}, { [name]: value });
  expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([400, -32020, 1]);
});

test('mcp-name may be the plain name or its base64 form', async () => {
  const name = 'test_simple_text';
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
  for (const field of [name, ` ${name} `, encoded])
    expect((await callStateless('tools/call', { name }, { 'mcp-name': field })).status, field).toBe(200);
  expect((await callStateless('tools/call', { name }, { 'mcp-name': 'other' })).json.error.code).toBe(-32020);
});

test('a stateless request without its required _meta members returns -32602', async () => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const without = await call(rpc('tools/list', {}), headers);
  expect([without.status, without.json.error.code]).toEqual([400, -32602]);
  const { 'io.modelcontextprotocol/clientCapabilities': _, ...partialMeta } = META;
  const withoutCapabilities = await call(rpc('tools/list', { _meta: partialMeta }), headers);
  expect([withoutCapabilities.status, withoutCapabilities.json.error.code]).toEqual([400, -32602]);
});

test('an unknown stateless revision returns -32022 with the supported revisions', async () => {
  const version = '2030-01-01';
  const answer = await call(
    rpc('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': version } }),
    { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' },
  );
  expect([answer.status, answer.json.error.code]).toEqual([400, -32022]);
  expect(answer.json.error.data).toMatchObject({ requested: version });
  expect(answer.json.error.data.supported).toContain('2026-07-28');
});

test.each(['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'nonsense'])(
  '%s returns 404 with -32601 in the stateless revision',
  async (method) => {
    const answer = await callStateless(method);
    expect([answer.status, answer.json.error.code]).toEqual([404, -32601]);
  },
);

test('50 concurrent calls with one id get the matching answers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      call(rpc('prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: `a${index}`, arg2: 'b' } })),
    ),
  );
  answers.forEach(({ json }, index) => {
    expect(json.result.messages[0].content.text).toBe(`Prompt with arguments: arg1='a${index}', arg2='b'`);
  });
});
