// What stands before the MCP server: the edge leaves its requests whole, nothing is kept, and the event is a function
// URL's.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleEdge } from '../../infra/build/bundle-edge.ts';
import { createApiGateway } from '../../infra/local/api-gateway.ts';
import { createCloudFront } from '../../infra/local/cloudfront.ts';
import { createEdgeFunction, type EdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { createFunctionUrl } from '../../infra/local/function-url.ts';
import { listen, stop } from '../../infra/local/listen.ts';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { type LocalRequestOptions, sendRequest } from '../support/local-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'function-url-'));
let edge: EdgeFunction;

beforeAll(async () => {
  await bundleEdge(directory);
  edge = createEdgeFunction(join(directory, 'viewer-request.js'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const CACHEABLE = { statusCode: 200, headers: { 'Cache-Control': 'public, max-age=60' }, body: 'answer' };

/** A service whose functions all do the same. */
const setUp = async (answer: (event: HttpEvent) => Promise<unknown> = async () => CACHEABLE) => {
  const seen: { readonly lambda: LambdaName; readonly event: HttpEvent }[] = [];
  const failures: string[] = [];
  const functions = (lambda: LambdaName, event: HttpEvent): Promise<unknown> => {
    seen.push({ lambda, event });
    return answer(event);
  };
  const report = (message: string): void => void failures.push(message);
  const server = createServer(
    createCloudFront({
      baseUrl: 'https://postern.example',
      edge,
      api: createApiGateway(functions, report),
      mcp: createFunctionUrl(functions, report),
      cache: createSharedCache(Date.now),
      originSecret: 'local',
    }),
  );
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return {
    seen,
    failures,
    origin,
    /** Of the only request. */
    event: (): HttpEvent => {
      const [only, ...more] = seen;
      if (only === undefined || more.length > 0) return expect.unreachable(`${seen.length} requests`);
      expect(only.lambda).toBe('mcp');
      return only.event;
    },
    ask: (target: string, options?: LocalRequestOptions) => sendRequest(origin, target, { ...options, isMadeUp: true }),
  };
};

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

describe('a body arrives as it was sent', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/problem+json'])(
    'text as text: %s',
    async (type) => {
      const { event, ask } = await setUp();
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"Grüße \u{1F40B}\\n"}}';
      await ask('/mcp', { method: 'POST', headers: { 'Content-Type': type }, body });
      expect(event()).toMatchObject({ body, isBase64Encoded: false });
    },
  );

  test.each([{ 'Content-Type': 'application/octet-stream' }, {}])('the rest as base64: %j', async (headers) => {
    const { event, origin } = await setUp();
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0x80]);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    httpRequest(`${origin}/mcp`, { method: 'POST', headers, agent: false }, (response) => resolve(text(response)))
      .on('error', reject)
      .end(bytes);
    await promise;
    expect(event()).toMatchObject({ body: bytes.toString('base64'), isBase64Encoded: true });
  });

  test('none is none', async () => {
    const { event, ask } = await setUp();
    await ask('/mcp', { method: 'POST', ...JSON_BODY });
    expect(event()).not.toHaveProperty('body');
    expect(event().isBase64Encoded).toBe(false);
  });

  test('one that Lambda would not take is refused', async () => {
    const { seen, ask } = await setUp();
    expect((await ask('/mcp', { method: 'POST', ...JSON_BODY, body: 'a'.repeat(7_000_000) })).status).toBe(413);
    expect(seen).toEqual([]);
  });
});

describe('headers', () => {
  test('[header #3] who asks and under which name is told by the edge, whatever the viewer says', async () => {
    const { event, ask } = await setUp();
    await ask('/mcp', {
      method: 'POST',
      headers: {
        Host: 'postern.test',
        'X-Origin-Secret': 'guess',
        'X-Viewer-Ip': '10.0.0.1',
        'X-Viewer-Host': 'evil.test',
      },
    });
    expect(event().headers).toMatchObject({
      'x-origin-secret': 'local',
      'x-viewer-host': 'postern.test',
      'x-viewer-ip': '127.0.0.1',
    });
    expect(event().headers).not.toHaveProperty('host');
  });

  test('all others are passed on as they are, and Accept is not folded', async () => {
    const { event, ask } = await setUp();
    const sent = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      origin: 'https://a.test',
      'user-agent': 'client/1',
      'x-own': 'yes',
    };
    await ask('/mcp', { method: 'POST', headers: { ...sent, Cookie: 'a=b; c=d' } });
    expect(event().headers).toMatchObject(sent);
    expect(event()).toMatchObject({ cookies: ['a=b', 'c=d'] });
    expect(event().headers).not.toHaveProperty('cookie');
    expect(event().requestContext.http.userAgent).toBe('client/1');
  });

  test('a header that came twice is one with a comma', async () => {
    const { event, origin } = await setUp();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const headers = ['Host', 'postern.test', 'Accept', 'application/json', 'Accept', 'text/event-stream'];
    httpRequest(`${origin}/mcp`, { method: 'GET', headers, agent: false }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
    await promise;
    expect(event().headers['accept']).toBe('application/json,text/event-stream');
  });

  test.each([
    ['Bearer pstn_key', 'Bearer pstn_key'],
    ['bearer', 'bearer'],
    ['Basic YTpi', undefined],
  ])('of Authorization a bearer gets through: %s', async (Authorization, expected) => {
    const { event, ask } = await setUp();
    await ask('/mcp', { method: 'POST', headers: { Authorization } });
    expect(event().headers['authorization']).toBe(expected);
  });
});

test('the event is one of a function URL', async () => {
  const { event, ask } = await setUp();
  await ask('/mcp?a=1', { method: 'POST', ...JSON_BODY, body: '{}' });
  expect(event()).toMatchObject({
    version: '2.0',
    routeKey: '$default',
    rawPath: '/mcp',
    rawQueryString: '', // nobody reads a query there
    requestContext: {
      domainName: 'local.lambda-url.us-east-1.on.aws',
      domainPrefix: 'local',
      http: { method: 'POST', path: '/mcp', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
      requestId: expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
      routeKey: '$default',
      stage: '$default',
    },
  });
  expect(event()).not.toHaveProperty('pathParameters');
});

test('[decision 7 #24] every method reaches the server', async () => {
  const { seen, ask } = await setUp();
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'];
  for (const method of methods) await ask('/mcp', { method });
  expect(seen.map(({ lambda, event }) => [lambda, event.requestContext.http.method])).toEqual(
    methods.map((method) => ['mcp', method]),
  );
});

test.each(['/mcp/', '/mcp/server-card', '/MCP', '/mcp%2F', '/%6dcp', '/mcpx', '/-/mcp'])(
  '%s is not for the server',
  async (target) => {
    const { seen, ask } = await setUp();
    await ask(target);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.lambda).not.toBe('mcp');
  },
);

test('nothing is kept, whatever the answer says', async () => {
  const { seen, ask } = await setUp();
  for (const method of ['GET', 'GET', 'POST', 'POST']) {
    expect((await ask('/mcp', { method, ...JSON_BODY, body: '{}' })).cache).toBe('Miss');
  }
  expect(seen).toHaveLength(4);
});

describe('an answer', () => {
  test('is sent on with its status, headers and cookies', async () => {
    const { ask } = await setUp(async () => ({
      statusCode: 202,
      headers: { 'Content-Type': 'application/json', 'X-Count': 1 },
      cookies: ['a=b'],
      body: 'aGk=',
      isBase64Encoded: true,
    }));
    const answer = await ask('/mcp', { method: 'POST' });
    expect(answer).toMatchObject({
      status: 202,
      headers: { 'content-type': 'application/json', 'x-count': '1', 'set-cookie': ['a=b'] },
      body: 'hi',
    });
  });

  test.each([undefined, 'text', { body: 'no status' }])('is not made of %j', async (result) => {
    const { ask } = await setUp(async () => result);
    expect((await ask('/mcp', { method: 'POST' })).status).toBe(502);
  });

  test('is not made of what a function throws, which is reported', async () => {
    const { ask, failures } = await setUp(() => Promise.reject(new Error('boom')));
    expect((await ask('/mcp', { method: 'POST' })).status).toBe(502);
    expect(failures).toEqual([expect.stringContaining('mcp: ')]);
    expect(failures).toEqual([expect.stringContaining('boom')]);
  });
});
