import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestApp, found, upstreamReturning, user } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);

test('[caching 5] GET with a matching If-None-Match returns 304 with the headers of the 200 and no body', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(30) });
  for (const route of ROUTES) {
    const full = await get(route);
    for (const method of ['GET', 'HEAD']) {
      const tag = full.headers['etag'] ?? '';
      const { status, headers, body } = await get(route, { method, headers: { 'if-none-match': tag } });
      expect(status).toBe(304);
      expect(body).toBe('');
      const { 'content-type': _type, 'x-request-id': _id, ...kept } = full.headers;
      expect(kept).toMatchObject({ 'x-api-key-status': 'anonymous', link: expect.stringContaining('rel="next"') });
      expect(headers).toMatchObject(kept);
    }
  }
});

test('[caching 6] If-None-Match accepts lists, strong forms and *, and ignores malformed values', async () => {
  const { get } = createTestApp();
  for (const route of ROUTES) {
    const etag = (await get(route)).headers['etag'] ?? '';
    const status = async (field: string) => (await get(route, { headers: { 'if-none-match': field } })).status;
    for (const field of ['*', etag, etag.slice(2), `"x", ${etag}`]) expect(await status(field), field).toBe(304);
    for (const field of ['', '"x"', etag.slice(3, -1), 'garbage']) expect(await status(field), field).toBe(200);
  }
});

test('[caching 4] an ETag belongs to one representation, one page, one query and one feed', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(30) });
  for (const route of ROUTES) {
    const tag = (await get(withQuery(route, 'limit=3'))).headers['etag'] ?? '';
    for (const query of ['limit=3&format=json', 'limit=4'])
      expect((await get(withQuery(route, query), { headers: { 'if-none-match': tag } })).status).toBe(200);
  }
  const tag = (await get('/search?q=fjord')).headers['etag'] ?? '';
  for (const query of ['q=fjords', 'q=fjord&feed=top', 'q=fjord&feed=users'])
    expect((await get(`/search?${query}`, { headers: { 'if-none-match': tag } })).status, query).toBe(200);
});

test('[caching 5] an error is never a 304', async () => {
  const { get } = createTestApp({
    upstream: { ...upstreamReturning({ kind: 'down', why: '' }), readProfile: async () => found(user()) },
  });
  for (const [route, options, expected] of [
    ['/jack?limit=0', {}, 400],
    ['/api/v1/profiles/jack?cursor=x', {}, 400],
    ['/api/v1/profiles', {}, 404],
    ['/jack', { accept: 'image/png' }, 406],
    ['/jack', { authorization: 'Bearer x' }, 401],
    ['/jack/followers', {}, 503],
    ['/search', {}, 400],
    ['/Search', {}, 404],
    ['/search?q=x', {}, 503],
  ] as const) {
    expect((await get(route, { headers: { ...options, 'if-none-match': '*' } })).status).toBe(expected);
  }
});
