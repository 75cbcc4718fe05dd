import { expect, test } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

test('[caching 5] a matching tag returns 304 with the caching headers of the 200 and no body', async () => {
  const { get } = createTestApp();
  for (const route of ['/jack/status/20', '/api/convert?url=x.com/jack/status/20', '/docs/errors', '/api']) {
    const full = await get(route);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await get(route, {
        method,
        headers: { 'if-none-match': full.headers['etag'] ?? '' },
      });
      expect(status).toBe(304);
      expect(body).toBe('');
      const { 'content-type': _type, 'x-request-id': _id, ...cachingHeaders } = full.headers;
      expect(headers).toMatchObject(cachingHeaders);
    }
  }
});

test('[caching 6] If-None-Match matches lists, strong tags and *, and not malformed values', async () => {
  const { get } = createTestApp();
  const etag = (await get('/jack/status/20')).headers['etag'] ?? '';
  const status = async (field: string) =>
    (await get('/jack/status/20', { headers: { 'if-none-match': field } })).status;
  for (const field of ['*', ' * ', etag, etag.slice(2), `"x", ${etag}`, `W/"a,b",${etag} , "c"`])
    expect(await status(field), field).toBe(304);
  for (const field of ['', '"x"', 'W/"x"', etag.slice(3, -1), 'garbage', '"', ',,,', '**'])
    expect(await status(field), field).toBe(200);
});

test('[caching 5] an error is never replaced by 304', async () => {
  const { get } = createTestApp();
  for (const [route, expected] of [
    ['/api/v1/posts', 400],
    ['/no-pe', 404],
    ['/jack/status/abc', 400],
  ] as const) {
    expect((await get(route, { headers: { 'if-none-match': '*' } })).status).toBe(expected);
  }
});
