import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, postUpstreamReturning } from '../../support/test-app.ts';

// oEmbed 1.0 section 2.3.4 would say 401; here that means a key, and none would help.
test('[spec 4.1 #83][decision 5 #28] a post of a protected account is 403 with its reason, never 401', async () => {
  const { get } = createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason: 'protected' }) });
  for (const path of ['/api/v1/oembed', '/oembed'])
    for (const authorization of ['', 'Bearer pstn_x']) {
      const answer = await get(`${path}?url=x.com/jack/status/20`, { headers: { authorization } });
      expect(expectProblem(answer, 403, 'post_protected')).toMatchObject({ reason: 'protected' });
      expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
    }
});

test('a request that did not come through the edge is refused', async () => {
  for (const path of ['/api/v1/oembed', '/oembed'])
    expectProblem(
      await createTestApp().get(`${path}?url=x.com/jack/status/20`, { secret: null }),
      403,
      'forbidden_origin',
    );
});
