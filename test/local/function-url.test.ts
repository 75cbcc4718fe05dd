// Tests requests to the MCP server: the edge function does not change them, the cache does not store them, and the
// event is that of a function URL.
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { createApiGateway, createFunctionUrl } from '../../infra/local/api-gateway.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { startCloudFront } from '../support/local-cloudfront.ts';

const built = await buildEdge();
const whole = createEdgeFunction(built);

const CACHEABLE = { statusCode: 200, headers: { 'Cache-Control': 'public, max-age=60' }, body: 'answer' };

/** A service whose functions all return the same result. */
const setUp = async (answer: (event: HttpEvent) => Promise<unknown> = async () => CACHEABLE, edge = whole) => {
  const seen: { readonly lambda: LambdaName; readonly event: HttpEvent }[] = [];
  const failures: string[] = [];
  const functions = (lambda: LambdaName, event: HttpEvent): Promise<unknown> => {
    seen.push({ lambda, event });
    return answer(event);
  };
  const report = (message: string): void => void failures.push(message);
  const { origin, get: ask } = await startCloudFront(edge, {
    api: createApiGateway(functions, report),
    mcp: createFunctionUrl(functions, report),
  });
  return {
    seen,
    failures,
    origin,
    ask,
    /** The event of the only request. */
    event: (): HttpEvent => {
      const [only, ...more] = seen;
      if (only === undefined || more.length > 0) return expect.unreachable(`${seen.length} requests`);
      expect(only.lambda).toBe('mcp');
      return only.event;
    },
  };
};

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

describe('the body of a request to /mcp', () => {
  test.each(['application/json', 'text/plain', 'application/problem+json'])('is text for the type %s', async (type) => {
    const { event, ask } = await setUp();
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"Grüße \u{1F40B}\\n"}}';
    await ask('/mcp', { method: 'POST', headers: { 'Content-Type': type }, body });
    expect(event()).toMatchObject({ body, isBase64Encoded: false });
  });

  test('is absent when the request has none', async () => {
    const { event, ask } = await setUp();
    await ask('/mcp', { method: 'POST', ...JSON_BODY });
    expect(event()).not.toHaveProperty('body');
    expect(event().isBase64Encoded).toBe(false);
  });
});

describe('the headers of a request to /mcp', () => {
  test('[headers 3] have the IP address and the host from the edge function, not from the viewer', async () => {
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

  test('have x-viewer-error only if the edge function failed, as those of every other route', async () => {
    const broken = createEdgeFunction(`Object.keys = undefined;\n${built}`);
    const targets = ['/mcp', '/api/admin/keys', '/api/v1/posts?id=20', '/jack/status/20?thread=off'];
    for (const [edgeFunction, seenHeader] of [
      [broken, '1'],
      [whole, undefined],
    ] as const) {
      const { seen, ask } = await setUp(undefined, edgeFunction);
      for (const target of targets)
        expect((await ask(target, { headers: { 'X-Viewer-Error': 'forged' } })).status).toBe(200);
      // Nothing of a private route is normalized.
      const expected = targets.map((target) => (target.startsWith('/api/admin/') ? undefined : seenHeader));
      expect(seen.map(({ event }) => event.headers['x-viewer-error'])).toEqual(expected);
    }
  });

  test('are forwarded unchanged, including Accept', async () => {
    const { event, ask } = await setUp();
    const sent = {
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer pstn_key',
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

  test('join the values of a repeated field with a comma', async () => {
    const { event, origin } = await setUp();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const headers = ['Host', 'postern.test', 'Accept', 'application/json', 'Accept', 'text/event-stream'];
    httpRequest(`${origin}/mcp`, { method: 'GET', headers, agent: false }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
    await promise;
    expect(event().headers['accept']).toBe('application/json,text/event-stream');
  });
});

test('the event has the format of a function URL', async () => {
  const { event, ask } = await setUp();
  await ask('/mcp?a=1', { method: 'POST', ...JSON_BODY, body: '{}' });
  expect(event()).toMatchObject({
    version: '2.0',
    routeKey: '$default',
    rawPath: '/mcp',
    rawQueryString: '', // the MCP server reads no query
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

test('[methods 4] every method on /mcp reaches the MCP server', async () => {
  const { seen, ask } = await setUp();
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'];
  for (const method of methods) await ask('/mcp', { method });
  expect(seen.map(({ lambda, event }) => [lambda, event.requestContext.http.method])).toEqual(
    methods.map((method) => ['mcp', method]),
  );
});

test('/mcp/ reaches the MCP server as /mcp, with its body and its query', async () => {
  const { seen, ask } = await setUp();
  await ask('/mcp/?tools=research', { method: 'POST', ...JSON_BODY, body: '{}' });
  expect(seen).toMatchObject([
    { lambda: 'mcp', event: { rawPath: '/mcp', rawQueryString: 'tools=research', body: '{}' } },
  ]);
});

test.each(['/mcp//', '/mcp/server-card', '/MCP', '/mcp%2F', '/%6dcp', '/mcpx', '/-/mcp'])(
  '%s does not reach the MCP server',
  async (target) => {
    const { seen, ask } = await setUp();
    await ask(target);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.lambda).not.toBe('mcp');
  },
);

test('answers of /mcp are not cached, whatever their Cache-Control', async () => {
  const { seen, ask } = await setUp();
  for (const method of ['GET', 'GET', 'POST', 'POST']) {
    expect((await ask('/mcp', { method, ...JSON_BODY, body: '{}' })).cache).toBe('Miss');
  }
  expect(seen).toHaveLength(4);
});

describe('an answer of /mcp', () => {
  test('keeps the status, headers and cookies of the result', async () => {
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
});
