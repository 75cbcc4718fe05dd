// Tests the emulated CloudFront and API Gateway: forwarded headers, cache keys and events.
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import type { OriginRequest } from '../../infra/local/api-gateway.ts';
import { createApiGateway, routeRequest } from '../../infra/local/api-gateway.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { documentRows } from '../../shared/contract/documents.ts';
import { operationRows, pathsOf } from '../../shared/contract/operations.ts';
import { startCloudFront } from '../support/local-cloudfront.ts';

const edge = createEdgeFunction(await buildEdge());

/** An emulated CloudFront whose functions all return the same result. */
const setUp = async () => {
  const seen: OriginRequest[] = [];
  const api = async (request: OriginRequest) => {
    seen.push(request);
    return { status: 200, headers: { 'Cache-Control': 'public, max-age=60' }, body: Buffer.from('answer') };
  };
  const mcp = () => Promise.reject(new Error('the function URL was called'));
  return { seen, ...(await startCloudFront(edge, { api, mcp })) };
};

const KEY = { headers: { Authorization: 'Bearer pstn_key' } };

describe('Authorization', () => {
  test.each([
    '/api/v1/posts?id=20',
    '/jack/status/20',
    '/jack/status/20/photo/1',
    '/api/convert?id=20',
    '/docs',
    '/api',
  ])('[keys 8] is not forwarded to %s and is not in its cache key', async (target) => {
    const { seen, get } = await setUp();
    await get(target);
    expect((await get(target, KEY)).cache).toBe('Hit');
    const other = await setUp();
    await other.get(target, KEY);
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(seen).toHaveLength(1);
  });

  test('is in the cache key of every other route', async () => {
    const { seen, get } = await setUp();
    await get('/no/where');
    expect((await get('/no/where', KEY)).cache).toBe('Miss');
    expect((await get('/no/where', { headers: { Authorization: 'Basic YTpi' } })).cache).toBe('Hit');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer pstn_key']);
  });
});

test('[caching 10] [headers 3] a function gets only the headers that the distribution forwards', async () => {
  const { seen, get } = await setUp();
  await get('/api/v1/posts?id=20', {
    headers: {
      Host: 'postern.test',
      Cookie: 'a=b',
      Origin: 'https://a.test',
      'User-Agent': 'x',
      'X-Forwarded-For': '10.0.0.1',
      'X-Origin-Secret': 'guess',
      'X-Viewer-Ip': '10.0.0.1',
    },
  });
  expect(seen[0]?.headers).toEqual({
    accept: 'text/markdown',
    'user-agent': 'Amazon CloudFront',
    // CloudFront adds its id of the request to every request that it forwards.
    'x-amz-cf-id': expect.any(String),
    'x-origin-secret': 'local',
    'x-viewer-host': 'postern.test',
    'x-viewer-ip': '127.0.0.1',
  });
});

test('a target in absolute form has the same cache key as a target in origin form', async () => {
  const { seen, get } = await setUp();
  await get('http://postern.test/jack/status/20?format=json');
  expect(seen[0]).toMatchObject({ path: '/jack/status/20', query: 'format=json' });
});

test('[running 3] a function gets no body that its route does not read', async () => {
  const { seen, get } = await setUp();
  await get('/api/v1/posts', { method: 'POST', body: 'a'.repeat(7_000_000) });
  await get('/api/admin/keys', { method: 'POST', body: '{}' });
  expect(seen.map(({ body }) => body.toString())).toEqual(['', '{}']);
});

describe('API Gateway', () => {
  const request = (path: string, more: Partial<OriginRequest> = {}): OriginRequest => ({
    method: 'GET',
    path,
    query: '',
    headers: {},
    body: Buffer.alloc(0),
    sourceIp: '192.0.2.1',
    ...more,
  });
  const dispatched = (path: string, more?: Partial<OriginRequest>) => routeRequest(request(path, more), new Date(0));

  test.each([...operationRows.flatMap(([, operation]) => pathsOf(operation).map((path) => [path, operation.lambda]))])(
    '[platform 4] routes %s to %s',
    (template = '', lambda = '') => {
      const { event, ...rest } = dispatched(template.replace(/\{[a-z]+\}/g, '1'));
      expect(rest).toEqual({ lambda });
      expect(event.routeKey).toBe(`ANY ${template.replace(',{handles}', '')}`);
    },
  );

  test('[platform 4] [caching 23] routes a document to discovery, by a route only where a profile would have the path', () => {
    for (const [, { path }] of documentRows) {
      const { event, lambda } = dispatched(path);
      const isTaken = /^\/[^/]+$/.test(path);
      expect([lambda, event.routeKey]).toEqual(['discovery', isTaken ? `ANY ${path}` : '$default']);
    }
  });

  test.each(['/no/where', '/api/v1/posts/', '//status/20', '/jack/status/', '/-/api', '/API/v1'])(
    '[platform 3] routes %s to discovery',
    (path) => {
      const { lambda, event } = dispatched(path);
      expect({ lambda, routeKey: event.routeKey, parameters: event.pathParameters }).toEqual({
        lambda: 'discovery',
        routeKey: '$default',
        parameters: undefined,
      });
    },
  );

  test('decodes the path once and does not decode the query', () => {
    const { event } = dispatched('/%40jack/status/20', { query: 'format=json&format=x%20y&__proto__=z' });
    expect(event).toMatchObject({
      rawPath: '/@jack/status/20',
      rawQueryString: 'format=json&format=x%20y&__proto__=z',
      pathParameters: { handle: '@jack', id: '20' },
    });
    expect(dispatched('/-/%2570osts').event.rawPath).toBe('/-/%70osts');
    expect(dispatched('/%zz').event.rawPath).toBe('/%zz');
  });

  test('passes text as text and other bodies as base64', () => {
    const body = Buffer.from('{"a":1}');
    expect(
      dispatched('/', { body, headers: { 'content-type': 'application/json; charset=utf-8' } }).event,
    ).toMatchObject({ body: '{"a":1}', isBase64Encoded: false });
    expect(dispatched('/', { body, headers: {} }).event).toMatchObject({
      body: body.toString('base64'),
      isBase64Encoded: true,
    });
  });

  test.each([undefined, null, 'text', { body: 'no status' }])(
    'answers 500 for a function that returns %j',
    async (result) => {
      const api = createApiGateway(async () => result, expect.unreachable);
      expect(await api(request('/api'))).toMatchObject({
        status: 500,
        body: Buffer.from('{"message":"Internal Server Error"}'),
      });
    },
  );

  test('answers 500 for a function that throws, and reports the error', async () => {
    const failures: string[] = [];
    const api = createApiGateway(
      () => Promise.reject(new Error('boom')),
      (message) => void failures.push(message),
    );
    expect((await api(request('/api'))).status).toBe(500);
    expect(failures).toEqual([expect.stringContaining('boom')]);
  });
});
