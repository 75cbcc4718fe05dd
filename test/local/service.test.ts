// Tests posts, methods, caching and paths of the local service: edge function, cache, API Gateway and the AWS bundles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import {
  type LocalRequestOptions,
  localOptions,
  sendRequest,
  startSlowService,
  startTestService,
} from '../support/local-service.ts';

const JACK = '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20';

let service: LocalService;
const get = (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options);

beforeAll(async () => {
  service = await startSlowService(localOptions());
});
afterAll(() => service.close());

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

  test('[caching 5] leaves If-None-Match to the function when it is disabled', async () => {
    const direct = await startTestService({ CACHE_TTL_SECONDS: '0' });
    const { headers, cache } = await direct.get(JACK);
    expect(cache).toBe('Miss');
    expect((await direct.get(JACK, { headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(304);
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

  test('[caching 12] handles in any letter case share one cache entry', async () => {
    const { get: fresh } = await startTestService();
    await fresh('/jack/status/20');
    expect((await fresh('/JACK/status/20')).cache).toBe('Hit');
  });
});
