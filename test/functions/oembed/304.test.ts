import { expect, test } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

const ROUTE = '/api/v1/oembed?url=x.com/jack/status/20';

test('[decision 7 #61] a matching tag is answered 304 with the caching headers of the 200 and no body', async () => {
  const { get } = createTestApp();
  const full = await get(ROUTE);
  for (const method of ['GET', 'HEAD'])
    for (const field of [full.headers['etag'] ?? '', '*']) {
      const answer = await get(ROUTE, { method, headers: { 'if-none-match': field } });
      expect(answer.status).toBe(304);
      expect(answer.body).toBe('');
      const { 'content-type': _type, 'x-request-id': _id, ...kept } = full.headers;
      expect(answer.headers).toMatchObject(kept);
      expect(answer.headers['vary']).toBe('Accept-Encoding');
    }
});

test('[decision 7 #60] the tag is that of the room that was asked for', async () => {
  const { get } = createTestApp();
  const etag = (await get(ROUTE)).headers['etag'] ?? '';
  const narrow = await get(`${ROUTE}&maxwidth=200`, { headers: { 'if-none-match': etag } });
  expect(narrow.status).toBe(200);
});
