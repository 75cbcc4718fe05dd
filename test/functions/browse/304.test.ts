import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestApp } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);

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
