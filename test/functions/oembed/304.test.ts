import { expect, test } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

const ROUTE = '/api/v1/oembed?url=x.com/jack/status/20';

test('[caching 5] a matching tag returns 304 with the caching headers of the 200 and no body', async () => {
  const { get } = createTestApp();
  const full = await get(ROUTE);
  for (const method of ['GET', 'HEAD'])
    for (const field of [full.headers['etag'] ?? '', '*']) {
      const answer = await get(ROUTE, { method, headers: { 'if-none-match': field } });
      expect(answer.status).toBe(304);
      expect(answer.body).toBe('');
      const { 'content-type': _type, 'x-request-id': _id, ...cachingHeaders } = full.headers;
      expect(answer.headers).toMatchObject(cachingHeaders);
      expect(answer.headers['vary']).toBe('Accept-Encoding');
    }
});

test('[caching 4] a tag does not match an embed of another width', async () => {
  const { get } = createTestApp();
  const etag = (await get(ROUTE)).headers['etag'] ?? '';
  const narrow = await get(`${ROUTE}&maxwidth=200`, { headers: { 'if-none-match': etag } });
  expect(narrow.status).toBe(200);
});
