import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, postUpstreamReturning } from '../../support/test-app.ts';

// oEmbed 1.0 section 2.3.4 suggests 401 here. The service uses 401 only for keys, and no key would help.
test('[oembed 1] [problems 4] oEmbed for a post of a protected account returns 403 with the reason, never 401', async () => {
  const { get } = createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason: 'protected' }) });
  for (const path of ['/api/v1/oembed', '/oembed'])
    for (const authorization of ['', 'Bearer pstn_x']) {
      const answer = await get(`${path}?url=x.com/jack/status/20`, { headers: { authorization } });
      expect(expectProblem(answer, 403, 'post_protected')).toMatchObject({ reason: 'protected' });
      expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
    }
});

test('oEmbed without the origin secret returns 403', async () => {
  for (const path of ['/api/v1/oembed', '/oembed'])
    expectProblem(
      await createTestApp().get(`${path}?url=x.com/jack/status/20`, { secret: null }),
      403,
      'forbidden_origin',
    );
});
