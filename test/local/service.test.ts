// Tests posts, methods, caching and paths of the local service: edge function, cache, API Gateway and the AWS bundles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { bare404, faultServer, html404, recorded, slowHead } from '../support/fault-server.ts';
import {
  type LocalRequestOptions,
  localOptions,
  sendRequest,
  startSlowService,
  startTestService,
} from '../support/local-service.ts';

const JACK = '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let service: LocalService;
const get = (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options);

beforeAll(async () => {
  service = await startSlowService(localOptions());
});
afterAll(() => service.close());

describe('a post', () => {
  test.each([
    JACK,
    '/api/v1/posts?handle=jack&id=20',
    '/jack/status/20',
    '/i/status/20',
    '/api/convert?handle=jack&id=20',
  ])('%s is Markdown', async (target) => {
    const { status, headers, body } = await get(target);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body).toContain('just setting up my twttr');
  });

  test('is JSON with source sample when Accept is application/json', async () => {
    const { headers, json } = await get(JACK, { headers: { Accept: 'application/json' } });
    expect(headers['content-type']).toBe('application/json');
    expect(json()).toMatchObject({
      source: 'sample',
      post: { id: '20', author: { handle: 'jack' } },
      ancestors: [],
      thread: [],
      replies: [],
    });
  });

  test('is a note for Obsidian with format=obsidian', async () => {
    expect((await get(`${JACK}&format=obsidian`)).body).toMatch(/^---\n/);
  });

  test('is an HTML page for a browser on its permalink', async () => {
    const { headers, body } = await get('/jack/status/20', { headers: { Accept: BROWSER } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('og:');
  });

  test('[negotiation 4] has the same bytes on the permalink and on v1', async () => {
    expect((await get('/jack/status/20')).body).toBe((await get(JACK)).body);
  });

  test('with an unknown id gets 404, which is confirmed and cached', async () => {
    const first = await get('/jack/status/21');
    expect(first.status).toBe(404);
    expect(first.json()).toMatchObject({ code: 'post_not_found', reason: 'unknown', instance: '/jack/status/21' });
    expect((await get('/jack/status/21')).cache).toBe('Hit');
  });

  test('has a problem code and a reason when it cannot be read', async () => {
    const codes = await Promise.all(
      ['001', '003', '100', '102'].map(async (end) => (await get(`/i/status/1990000000000000${end}`)).json()),
    );
    expect(codes.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
      'post_not_found deleted',
      'post_not_found suspended',
      'post_protected protected',
      'post_not_found withheld',
    ]);
  });
});

describe('methods', () => {
  test.each([JACK, '/jack/status/20', '/api', '/docs', '/no-where', '/jack/status/0'])(
    '[methods 1] [methods 2] HEAD %s has the headers of GET and no body',
    async (target) => {
      const [{ headers: full, status }, head] = [await get(target), await get(target, { method: 'HEAD' })];
      expect(head).toMatchObject({ status, body: '' });
      for (const name of [
        'content-type',
        'cache-control',
        'etag',
        'vary',
        'access-control-allow-origin',
        'content-length',
      ]) {
        expect(head.headers[name], name).toBe(full[name]);
      }
    },
  );

  test('[methods 2] HEAD reaches the function when nothing is cached', async () => {
    const direct = await startTestService({ CACHE_TTL_SECONDS: '0' });
    expect(await direct.get(JACK, { method: 'HEAD' })).toMatchObject({ status: 200, body: '', cache: 'Miss' });
  });

  test('[cors 3] OPTIONS answers the CORS preflight', async () => {
    const { status, headers, body } = await get(JACK, {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.test', 'Access-Control-Request-Headers': 'authorization' },
    });
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers['access-control-allow-headers']).toMatch(/Authorization/);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '[methods 3] [methods 4] %s is 405 on a route and 404 elsewhere',
    async (method) => {
      const refused = await get(JACK, { method, body: '{}', headers: { 'Content-Type': 'application/json' } });
      expect(refused.status).toBe(405);
      expect(refused.headers.allow).toMatch(/GET, HEAD/);
      expect((await get('/api/v9', { method })).status).toBe(404);
    },
  );
});

describe('the shared cache', () => {
  test('answers the second request with its age', async () => {
    const { get: fresh } = await startTestService();
    expect((await fresh(JACK)).headers).toMatchObject({ 'x-cache': 'Miss from cloudfront' });
    const { headers } = await fresh(JACK);
    expect(headers['x-cache']).toBe('Hit from cloudfront');
    expect(headers.age).toMatch(/^[0-9]+$/);
  });

  test('[caching 8] never answers a request for Markdown with JSON, nor the other way round', async () => {
    const { get: fresh } = await startTestService();
    expect((await fresh(JACK)).headers['content-type']).toMatch(/markdown/);
    const json = await fresh(JACK, { headers: { Accept: 'application/json' } });
    expect(json.headers['content-type']).toBe('application/json');
    expect(json.cache).toBe('Miss');
    expect((await fresh(JACK, { headers: { Accept: 'application/json;q=0.9, text/plain;q=0.1' } })).cache).toBe('Hit');
  });

  test('[caching 7] [caching 11] [caching 14] ignores unknown query parameters in its key', async () => {
    const { get: fresh } = await startTestService();
    await fresh('/api/v1/posts?handle=jack&id=20');
    for (const target of [
      '/api/v1/posts?utm_source=x&id=20&handle=jack',
      '/api/v1/posts?nocache=1&handle=JACK&id=20',
      '/api/v1/posts?handle=jack&%69d=20&a[]=1&;',
    ]) {
      expect(await fresh(target), target).toMatchObject({ status: 200, cache: 'Hit' });
    }
    const headers = { 'Cache-Control': 'no-cache', Pragma: 'no-cache' };
    expect((await fresh('/api/v1/posts?handle=jack&id=20', { headers })).cache).toBe('Hit');
  });

  test('[caching 7] has the known query parameters in its key', async () => {
    const { get: fresh } = await startTestService();
    const bodies = await Promise.all(
      ['', '&format=json', '&format=obsidian', '&thread=off'].map(
        async (more) => (await fresh(`${JACK}${more}`)).cache,
      ),
    );
    expect(bodies).toEqual(['Miss', 'Miss', 'Miss', 'Miss']);
  });

  test('[caching 11] does not hide a repeated parameter: it gets 400 in every spelling', async () => {
    for (const target of [`${JACK}&format=json&format=json`, `${JACK}&format=json&%66ormat=json`]) {
      expect((await get(target)).json(), target).toMatchObject({ code: 'repeated_parameter' });
    }
  });

  test('[caching 5] [caching 6] answers a matching If-None-Match with 304', async () => {
    const { headers } = await get(JACK);
    const same = await get(JACK, { headers: { 'If-None-Match': String(headers.etag) } });
    expect({ status: same.status, body: same.body }).toEqual({ status: 304, body: '' });
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin'])
      expect(same.headers[name], name).toBe(headers[name]);
    const json = await get(JACK, { headers: { Accept: 'application/json', 'If-None-Match': String(headers.etag) } });
    expect(json.status).toBe(200);
  });

  test('[caching 5] leaves If-None-Match to the function when it is disabled', async () => {
    const direct = await startTestService({ CACHE_TTL_SECONDS: '0' });
    const { headers, cache } = await direct.get(JACK);
    expect(cache).toBe('Miss');
    expect((await direct.get(JACK, { headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(304);
  });

  test('[caching 3] does not store 4xx answers of invalid requests', async () => {
    await get('/api/v1/posts');
    expect(await get('/api/v1/posts')).toMatchObject({ status: 400, cache: 'Miss' });
  });
});

describe('the provider', () => {
  const live = (server: { readonly fxtwitter: string; readonly syndication: string }) =>
    startTestService({
      UPSTREAM: 'live',
      FXTWITTER_BASE_URL: server.fxtwitter,
      SYNDICATION_BASE_URL: server.syndication,
    });

  test('[caching 15] gets one request for 50 concurrent requests of clients', async () => {
    const server = await faultServer({ fxtwitter: slowHead(100, recorded('fxtwitter/conversation/20.json')) });
    const { get: fresh } = await live(server);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fresh('/jack/status/20')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(server.calls()).toHaveLength(1);
  });

  test('[caching 16] gets no second request for a post that does not exist', async () => {
    const server = await faultServer({
      fxtwitter: bare404,
      syndication: html404,
      canary: recorded('fxtwitter/status/first_post_20.json'),
    });
    const { get: fresh } = await live(server);
    for (let times = 0; times < 5; times += 1) expect((await fresh('/jack/status/21')).status).toBe(404);
    // The conversation, the single post, the second provider and the canary.
    expect(server.calls()).toHaveLength(4);
  });

  test('[caching 13] answers by fallback with a Cache-Control of at most 60 s', async () => {
    const server = await faultServer({
      fxtwitter: recorded('fxtwitter/status/missing.json', 500),
      syndication: recorded('syndication/text_plain.json'),
    });
    const { get: fresh } = await live(server);
    const { headers, json } = await fresh('/i/status/2028036267832246272?format=json');
    expect(headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    expect(json()).toMatchObject({
      source: 'syndication',
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'conversation_unavailable' })]),
    });
  });
});

describe('paths', () => {
  test.each([
    '/api/v1/posts/',
    '/API/v1/posts',
    '//api/v1/posts',
    '/api/v1//posts',
    '/api/v1/%70osts',
    '/api%2fv1/posts',
    '/api/../api/v1/posts',
    '/..;/api',
    '/.%2e/api',
    '/api\\v1\\posts',
    '/j%61ck/status/20',
    '/jack/Status/20/',
    '/api/v1/search;x.js',
    '/admin%2f..%2fapi',
    '/-/api/v1/posts',
    '/no-where',
  ])(
    '[caching 12] [problems 5] [headers 2] %s matches no route, and the answer repeats the path as the client sent it',
    async (path) => {
      const { status, headers, json } = await get(`${path}?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20`);
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(json()).toMatchObject({ code: 'route_not_found', instance: path.replaceAll('\\', '%5C') });
    },
  );

  test.each(['/admin/keys/x.css', '/admin/', '/admin/session', '/api/admin', '/api/admin/keys', '/api/admin/no-where'])(
    '[problems 9] [admin 1] %s is private whether it exists or not',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
        const { status, headers, body } = await get(path, { method });
        expect(status, method).toBe(401);
        expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
        for (const name of ['www-authenticate', 'access-control-allow-origin', 'x-api-key-status'])
          expect(headers).not.toHaveProperty(name);
        if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ code: 'unauthorized', instance: path });
      }
    },
  );

  test('[caching 12] handles in any letter case share one cache entry', async () => {
    const { get: fresh } = await startTestService();
    await fresh('/jack/status/20');
    expect((await fresh('/JACK/status/20')).cache).toBe('Hit');
  });

  test('a browser gets an HTML page for an unknown path', async () => {
    expect((await get('/no-where', { headers: { Accept: BROWSER } })).headers['content-type']).toBe(
      'text/html; charset=utf-8',
    );
    expect((await get('/api//v1', { headers: { Accept: BROWSER } })).headers['content-type']).toBe(
      'application/problem+json',
    );
  });

  test('[problems 7] a target that is too long gets a problem document', async () => {
    const { status, json } = await get(`${JACK}&pad=${'a'.repeat(10_000)}`);
    expect(status).toBe(414);
    expect(json()).toMatchObject({ code: 'uri_too_long' });
    const keyed = await get(`/search?q=${'a'.repeat(10_000)}`, { headers: { Authorization: 'Bearer x' } });
    expect(keyed.status).toBe(414);
    expect(keyed.headers['cache-control']).toBe('private, no-store');
  });

  test('[problems 7] %zz and a NUL get problem documents', async () => {
    expect((await get('/jack/status/%zz')).json()).toMatchObject({ instance: '/jack/status/%25zz' });
    expect((await get('/jack/status/20%00')).json()).toMatchObject({ code: 'invalid_id' });
  });
});

describe('headers of the client', () => {
  test('[keys 8] [keys 9] [problems 10] Authorization does not change the answer of a post', async () => {
    const { get: fresh } = await startTestService();
    const plain = await fresh('/jack/status/20');
    for (const authorization of ['Bearer pstn_0000', 'Bearer', 'Bearer a, Bearer b', 'Basic YTpi']) {
      const { status, headers, body, cache } = await fresh('/jack/status/20', {
        headers: { Authorization: authorization },
      });
      expect({ status, body, cache }).toEqual({ status: 200, body: plain.body, cache: 'Hit' });
      expect(headers['cache-control']).toBe(plain.headers['cache-control']);
      expect(headers).not.toHaveProperty('x-api-key-status');
    }
  });

  test('[caching 10] headers outside the cache key do not change the answer', async () => {
    const { get: fresh } = await startTestService({ CACHE_TTL_SECONDS: '0' });
    const names = [
      'Forwarded',
      'Origin',
      'User-Agent',
      'Accept-Language',
      'Cookie',
      'Referer',
      'Range',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Original-URL',
      'X-Rewrite-URL',
      'X-HTTP-Method-Override',
      'X-Viewer-Host',
      'X-Viewer-Ip',
      'X-Origin-Secret',
      'Via',
    ];
    const plain = await fresh('/no-where');
    for (const name of names)
      expect((await fresh('/no-where', { headers: { [name]: 'evil.test' } })).body, name).toBe(plain.body);
  });

  test('[lifecycle 6] [headers 3] a forged Host is in no URL of the answer', async () => {
    const { headers } = await get('/api/convert?handle=jack&id=20', {
      headers: { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' },
    });
    expect(headers.link).toContain(`<${service.origin}/api/v1/posts>; rel="successor-version"`);
    expect(headers.link).not.toContain('evil');
  });
});

test('[platform 4] the documents are served', async () => {
  expect((await get('/api')).json()).toBeTypeOf('object');
  expect((await get('/docs/versioning', { headers: { Accept: BROWSER } })).headers['content-type']).toBe(
    'text/html; charset=utf-8',
  );
  expect((await get('/docs/errors', { headers: { Accept: 'text/markdown' } })).headers['content-type']).toBe(
    'text/markdown; charset=utf-8',
  );
});
