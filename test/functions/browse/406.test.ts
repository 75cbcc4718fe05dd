import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf, withQuery } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);

test('[negotiation 5] 406 names the offered types and varies by Accept', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of ROUTES) {
    const answer = await get(route, { headers: { accept: 'image/png' } });
    const offers = /text\/markdown.*application\/json/;
    expect(String(expectProblem(answer, 406, 'not_acceptable')['detail'])).toMatch(offers);
    expect(answer.headers).toMatchObject({
      vary: 'Accept, Authorization, Accept-Encoding',
      'cache-control': 'no-store',
      'x-api-key-status': 'anonymous',
    });
  }
});

test('[negotiation 5] browsers and link previews never get 406', async () => {
  const { get } = createTestApp();
  for (const accept of [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'text/html, */*',
    '*/*',
    'application/json, text/plain, */*',
  ]) {
    for (const route of ROUTES) expect((await get(route, { headers: { accept } })).status).toBe(200);
  }
});

test('invalid parameters return 400 before Accept is negotiated', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of ROUTES)
    expectProblem(
      await get(withQuery(route, 'limit=0'), { headers: { accept: 'image/png' } }),
      400,
      'invalid_parameter',
    );
  expectProblem(await get('/search', { headers: { accept: 'image/png' } }), 400, 'missing_query');
});
