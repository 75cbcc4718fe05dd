// Checks that the functions compress the bodies that CloudFront does not compress itself.
import { describe, expect, test } from 'vitest';
import { decoded } from '../support/content-coding.ts';
import { context } from '../support/event.ts';
import { fixtureRegistry } from '../support/mcp-fixtures.ts';
import { mcpEvent, mcpHandler } from '../support/mcp-server.ts';
import { conversation, createTestApp, found, post, postUpstreamReturning } from '../support/test-app.ts';

const POST = '/api/v1/posts?handle=jack&id=20';
/** Returns a text of this many characters, none of which is trimmed. */
const textOf = (count: number): string =>
  'tide-and-fjord '
    .repeat(count)
    .slice(1 - count)
    .padStart(count, 'x');

/** Creates a service whose post has a text of this many characters. */
const appWithText = (length: number) =>
  createTestApp({
    upstream: postUpstreamReturning(found({ ...conversation('20'), post: post('20', 'jack', textOf(length)) })),
  });

const long = appWithText(5000);

const SHORT_LIMIT = 1000;

describe('[caching 18] GET /api/v1/posts with Markdown over 1 kB', () => {
  test.each(['br', 'gzip'])('GET compresses with %s and decodes to the same body', async (coding) => {
    const plain = await long.get(POST);
    const answer = await long.get(POST, { headers: { 'accept-encoding': coding } });
    expect(answer.headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'text/markdown; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
      // The tag is weak, so all codings of a representation share it.
      etag: plain.headers['etag'],
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(answer.body).toBe(plain.body);
  });

  test('GET returns 304 whatever the coding of the cached body', async () => {
    const { headers } = await long.get(POST, { headers: { 'accept-encoding': 'br' } });
    for (const field of ['br', 'gzip', '']) {
      const answer = await long.get(POST, {
        headers: { 'accept-encoding': field, 'if-none-match': headers['etag'] ?? '' },
      });
      expect(answer).toMatchObject({ status: 304, body: '' });
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers).toMatchObject({ etag: headers['etag'], vary: headers['vary'] });
    }
  });
});

/** Returns the length in bytes of the Markdown for a post text of this length. */
const bytes = async (length: number) => (await appWithText(length).get(POST)).bytes.length;

test('[caching 18] a body of more than 1,000 bytes is compressed', async () => {
  const frame = (await bytes(500)) - 500;
  const at = async (size: number) =>
    (await appWithText(size - frame).get(POST, { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'];
  expect(await at(SHORT_LIMIT)).toBeUndefined();
  expect(await at(SHORT_LIMIT + 1)).toBe('gzip');
});

test.each([
  [`${POST}&format=json`, 'application/json'],
  ['/jack/status/20', 'text/html'],
  ['/docs', 'text/html'],
  ['/openapi.json', 'application/json'],
  ['/llms-full.txt', 'text/plain'],
  ['/assets/style.css', 'text/css'],
  ['/assets/home.js', 'text/javascript'],
  ['/assets/icon.svg', 'image/svg+xml'],
  ['/sitemap.xml', 'application/xml'],
  ['/oembed?url=x.com/jack/status/20', 'application/json'],
])('[caching 18] GET %s is not compressed by the function, because CloudFront compresses it', async (target, type) => {
  const answer = await long.get(target, { headers: { 'accept-encoding': 'gzip, br', accept: type } });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']?.split(';')[0]).toBe(type);
  expect(answer.headers).not.toHaveProperty('content-encoding');
});

describe('[caching 18] types that CloudFront does not compress', () => {
  const headers = { 'accept-encoding': 'gzip, br' };

  test.each(['/.well-known/api-catalog', '/.well-known/ai-catalog.json', '/docs/errors'])(
    'GET %s is compressed by the function',
    async (target) => {
      const accept = 'text/markdown, */*;q=0.1';
      const plain = await long.get(target, { headers: { accept } });
      const answer = await long.get(target, { headers: { ...headers, accept } });
      expect(plain.bytes.length).toBeGreaterThan(SHORT_LIMIT);
      expect(answer.headers['content-encoding']).toBe('br');
      expect(answer.body).toBe(plain.body);
    },
  );

  test('problem documents are compressed on every route and in every middleware', async () => {
    // The repeated path makes the problem document long enough.
    const path = 'a'.repeat(400);
    for (const target of [`/api/${path}`, `/${path}/a`, `/.well-known/${path}`]) {
      const answer = await long.get(target, { headers });
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'content-encoding': 'br',
        vary: 'Accept, Accept-Encoding',
      });
      expect(answer.json()).toMatchObject({ code: 'route_not_found', status: 404 });
    }
    // A short problem document is encoded if the client refuses identity.
    const strict = { 'accept-encoding': 'gzip, identity;q=0' };
    for (const [target, status, extraHeaders] of [
      ['/api/v1/posts', 400, {}],
      ['/jack', 401, { authorization: 'Bearer x' }],
      ['/jack?limit=0', 400, {}],
      ['/oembed?url=x.com/jack/status/20&format=xml', 501, {}],
    ] as const) {
      const answer = await long.get(target, { headers: { ...strict, ...extraHeaders } });
      expect(answer.headers['content-encoding'], target).toBe('gzip');
      expect(answer.json()).toMatchObject({ status });
    }
  });

  test('HEAD has the headers of GET and no body bytes', async () => {
    const { 'x-request-id': _, ...full } = (await long.get(POST, { headers })).headers;
    const head = await long.get(POST, { method: 'HEAD', headers });
    expect(head.headers).toMatchObject(full);
    expect(full['content-encoding']).toBe('br');
    expect(head.bytes).toHaveLength(0);
    const preflight = await long.get(POST, { method: 'OPTIONS', headers: { 'accept-encoding': 'gzip, identity;q=0' } });
    expect([preflight.bytes.length, preflight.headers['content-encoding']]).toEqual([0, undefined]);
  });
});

const handler = mcpHandler(fixtureRegistry);
const call = async (message: object, headers: Record<string, string>) => {
  const requestHeaders = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const result = await handler(mcpEvent({ headers: requestHeaders, body: JSON.stringify(message) }), context());
  return { result, bytes: Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8') };
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test.each(['br', 'gzip'])(
  '[caching 18] POST /mcp, which CloudFront neither caches nor compresses, answers in %s',
  async (coding) => {
    const plain = await call(list, {});
    const { result, bytes } = await call(list, { 'accept-encoding': coding });
    expect(result).toMatchObject({ statusCode: 200, isBase64Encoded: true });
    expect(result.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
      Vary: 'Authorization, Accept-Encoding',
    });
    expect(decoded(bytes, coding)).toBe(plain.bytes.toString());
    expect(plain.result.headers).not.toHaveProperty('Content-Encoding');
    expect(plain.result.isBase64Encoded).toBeFalsy();
  },
);
