// Checks that the local service compresses what the functions leave to CloudFront.
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import type { OriginHandler } from '../../infra/local/api-gateway.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { startCloudFront } from '../support/local-cloudfront.ts';
import { shareService } from '../support/local-service.ts';

const service = shareService();

const CODINGS = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };

describe('[running 5] the local service compresses', () => {
  test.each([
    ['/openapi.json', 'application/json'],
    ['/docs', 'text/html'],
    ['/jack/status/20', 'text/html'],
    ['/jack', 'text/html'],
    ['/assets/style.css', 'text/css'],
    ['/assets/docs-search.js', 'text/javascript'],
    ['/llms-full.txt', 'text/plain'],
    ['/sitemap.xml', 'application/xml'],
  ])('%s as %s, and keeps the compressed form', async (target, type) => {
    const headers = { Accept: type };
    const plain = await service.get(target, { headers });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const encoded = await service.get(target, { headers: { ...headers, ...CODINGS } });
    expect(encoded).toMatchObject({ status: 200, body: plain.body });
    expect(encoded.headers).toMatchObject({
      'content-encoding': 'br',
      vary: plain.headers.vary,
      etag: plain.headers.etag,
    });
    expect(encoded.headers.vary).toContain('Accept-Encoding');
    expect(encoded.headers.etag).toMatch(/^W\//);
    expect(Number(encoded.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 2);
    const again = await service.get(target, { headers: { ...headers, ...CODINGS } });
    expect(again.headers).toMatchObject({ 'content-encoding': 'br', 'x-cache': 'Hit from cloudfront' });
    const gzip = await service.get(target, { headers: { ...headers, 'Accept-Encoding': 'gzip' } });
    expect(gzip).toMatchObject({ body: plain.body, headers: { 'content-encoding': 'gzip' } });
    const head = await service.get(target, { method: 'HEAD', headers: { ...headers, ...CODINGS } });
    expect(head.headers['content-length']).toBe(encoded.headers['content-length']);
    const condition = { 'If-None-Match': String(encoded.headers.etag) };
    const unchanged = await service.get(target, { headers: { ...headers, ...CODINGS, ...condition } });
    expect(unchanged).toMatchObject({ status: 304, body: '' });
  });

  test('no answer to an operator', async () => {
    const { headers } = await service.get('/admin', { headers: { Accept: 'text/html', ...CODINGS }, isForeign: true });
    expect(headers).not.toHaveProperty('content-encoding');
  });
});

const edge = createEdgeFunction(await buildEdge());

describe('[running 5] like CloudFront, the local service', () => {
  const answerTo = async (answer: Awaited<ReturnType<OriginHandler>>, method = 'GET') => {
    const { get } = await startCloudFront(edge, { api: async () => answer, mcp: async () => answer });
    const { headers } = await get('/jack', { method, headers: CODINGS });
    return headers['content-encoding'];
  };
  const json = (size: number, status = 200, more = {}) => ({
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...more },
    body: Buffer.alloc(size, '1'),
  });

  test.each([
    [999, undefined],
    [1000, 'br'],
    [10_000_000, 'br'],
    [10_000_001, undefined],
  ])('of %i bytes makes %s', async (size, coding) => {
    expect(await answerTo(json(size))).toBe(coding);
  });

  test.each([
    [403, 'br'],
    [404, 'br'],
    [400, undefined],
    [503, undefined],
  ])('compresses an answer with status %i as %s', async (status, coding) => {
    expect(await answerTo(json(2000, status))).toBe(coding);
  });

  test('leaves other types, other methods and encoded answers alone', async () => {
    expect(await answerTo(json(2000, 200, { 'Content-Type': 'image/png' }))).toBeUndefined();
    expect(await answerTo(json(2000), 'POST')).toBeUndefined();
    expect(await answerTo({ ...json(2000, 200, { 'Content-Encoding': 'gzip' }) }, 'HEAD')).toBe('gzip');
  });
});
