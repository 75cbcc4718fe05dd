import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get'])(
  '[methods 3] [keys 9] %s on a route returns 405 with Allow, before any key is checked',
  async (method) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const route of routesOf(BROWSE_TARGETS)) {
      const answer = await get(route, { method });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'cache-control': 'no-store' });
      expect(answer.headers).not.toHaveProperty('x-api-key-status');
    }
  },
);

test('[caching 1] 405 for a request with a key is private', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of routesOf(BROWSE_TARGETS)) {
    const answer = await get(route, { method: 'POST', headers: { authorization: 'Bearer x' } });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(answer.headers).not.toHaveProperty('x-api-key-status');
  }
});

test('[methods 3] an unsupported method on an unknown route returns 404', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of ['/api/v1/profiles', '/api/v1/profiles/jack/likes', '/no-pe', '/docs/followers', '/Search'])
    expectProblem(await get(route, { method: 'POST' }), 404, 'route_not_found');
});
