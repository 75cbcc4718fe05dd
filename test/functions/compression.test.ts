// Bodies that CloudFront does not compress by itself are compressed by the functions.
import { describe, expect, test } from 'vitest';
import { decoded } from '../support/content-coding.ts';
import { context } from '../support/event.ts';
import { fixtureRegistry } from '../support/mcp-fixtures.ts';
import { mcpEvent, mcpHandler } from '../support/mcp-server.ts';
import { conversation, createTestApp, found, post, postUpstreamReturning } from '../support/test-app.ts';

const POST = '/api/v1/posts?handle=jack&id=20';
/** So many characters, none of which is trimmed. */
const words = (count: number): string =>
  'tide-and-fjord '
    .repeat(count)
    .slice(1 - count)
    .padStart(count, 'x');

/** A post whose Markdown and JSON are long enough, or not. */
const ofLength = (length: number) =>
  createTestApp({
    upstream: postUpstreamReturning(found({ ...conversation('20'), post: post('20', 'jack', words(length)) })),
  });

const long = ofLength(5000);

const SHORT_LIMIT = 1000;

describe('[decision 4 #106] a body of Markdown over 1 kB', () => {
  test.each(['br', 'gzip'])('is encoded as %s and reads the same', async (coding) => {
    const plain = await long.get(POST);
    const answer = await long.get(POST, { headers: { 'accept-encoding': coding } });
    expect(answer.headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'text/markdown; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
      // Weak: one for every coding of a representation.
      etag: plain.headers['etag'],
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(answer.body).toBe(plain.body);
  });

  test('is sent as it is where the client names no coding of ours, or refuses them', async () => {
    for (const field of ['', 'identity', 'deflate', 'gzip;q=0, br;q=0', '*;q=0']) {
      const answer = await long.get(POST, { headers: { 'accept-encoding': field } });
      expect(answer.headers, field).not.toHaveProperty('content-encoding');
      expect(answer.bytes.toString()).toBe(answer.body);
    }
  });

  test('is said by HEAD as by GET, without a body', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const { 'x-request-id': _, ...full } = (await long.get(POST, { headers })).headers;
    const head = await long.get(POST, { method: 'HEAD', headers });
    expect(head.headers).toMatchObject(full);
    expect(full['content-encoding']).toBe('gzip');
    expect(head.bytes).toHaveLength(0);
  });

  test('is confirmed by 304 whatever the coding of what the client has', async () => {
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

describe('[decision 4 #106] the bound', () => {
  /** The Markdown of a post with so many bytes. */
  const bytes = async (length: number) => (await ofLength(length).get(POST)).bytes.length;

  test('of 1 kB decides', async () => {
    const frame = (await bytes(500)) - 500;
    const at = async (size: number) =>
      (await ofLength(size - frame).get(POST, { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'];
    expect(await at(SHORT_LIMIT)).toBeUndefined();
    expect(await at(SHORT_LIMIT + 1)).toBe('gzip');
  });

  test('does not hold where a client refuses what is not encoded', async () => {
    const answer = await ofLength(10).get(POST, { headers: { 'accept-encoding': 'gzip, identity;q=0' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.body).toContain('fjord');
  });
});

describe('[decision 4 #106] what CloudFront compresses by itself is left to it:', () => {
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
  ])('%s', async (target, type) => {
    const answer = await long.get(target, { headers: { 'accept-encoding': 'gzip, br', accept: type } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']?.split(';')[0]).toBe(type);
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });
});

describe('[decision 4 #106] and what it does not is compressed:', () => {
  const headers = { 'accept-encoding': 'gzip, br' };

  test.each(['/.well-known/api-catalog', '/.well-known/ai-catalog.json', '/docs/errors'])('%s', async (target) => {
    const accept = 'text/markdown, */*;q=0.1';
    const plain = await long.get(target, { headers: { accept } });
    const answer = await long.get(target, { headers: { ...headers, accept } });
    expect(plain.bytes.length).toBeGreaterThan(SHORT_LIMIT);
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.body).toBe(plain.body);
  });

  test('problem documents, on every route and of every step', async () => {
    // What makes them long is the path that they repeat.
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
    // These are short: a client that wants them encoded gets them so.
    const strict = { 'accept-encoding': 'gzip, identity;q=0' };
    for (const [target, status, more] of [
      ['/api/v1/posts', 400, {}],
      ['/jack', 401, { authorization: 'Bearer x' }],
      ['/jack?limit=0', 400, {}],
      ['/oembed?url=x.com/jack/status/20&format=xml', 501, {}],
    ] as const) {
      const answer = await long.get(target, { headers: { ...strict, ...more } });
      expect(answer.headers['content-encoding'], target).toBe('gzip');
      expect(answer.json()).toMatchObject({ status });
    }
  });

  test('nothing without a body', async () => {
    for (const method of ['OPTIONS', 'HEAD']) {
      const answer = await long.get(POST, { method, headers: { 'accept-encoding': 'gzip, identity;q=0' } });
      expect(answer.bytes).toHaveLength(0);
      expect(answer.headers['content-encoding']).toBe(method === 'HEAD' ? 'gzip' : undefined);
    }
  });
});

describe('[decision 4 #106] /mcp, which CloudFront does not cache and so does not compress', () => {
  const handler = mcpHandler(fixtureRegistry);
  const call = async (message: object, headers: Record<string, string>) => {
    const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const result = await handler(mcpEvent({ headers: own, body: JSON.stringify(message) }), context());
    return { result, bytes: Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8') };
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test.each(['br', 'gzip'])('answers in %s', async (coding) => {
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
  });

  test('leaves a short answer as it is', async () => {
    const { result } = await call({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'accept-encoding': 'gzip' });
    expect(result.headers).not.toHaveProperty('Content-Encoding');
  });
});
