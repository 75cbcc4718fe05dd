import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test.each([
  '/api/v1/search/',
  '/api/v1/Search?q=x',
  '/api/v1/search/posts',
  '/api/v2/search?q=x',
  '/api/search?q=x',
  '/API/v1/search?q=x',
])('[problems 5] GET %s returns 404 whatever Accept says', async (route) => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const accept of ['text/html', 'text/markdown', '*/*']) {
    const document = expectProblem(await get(route, { headers: { accept } }), 404, 'route_not_found');
    expect(document['resolution']).toMatch(/\/api\b/);
  }
});

test.each(['/Search?q=x', '/SEARCH?q=x', '/@search?q=x', '/search/followers', '/search/x', '//search?q=x'])(
  '[inputs 5] [caching 12] GET %s returns 404 because it is neither the search nor a profile',
  async (route) => {
    expectProblem(await createTestApp({ upstream: upstreamNotCalled }).get(route), 404, 'route_not_found');
  },
);
