import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, postUpstreamReturning } from '../../support/test-app.ts';

const ROUTES = ['/api/v1/oembed?url=x.com/jack/status/20', '/oembed?url=x.com/jack/status/20'];

test.each([
  ['no provider answers', { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' } as const],
  ['a 404 without a tombstone is not confirmed', { kind: 'ambiguous' } as const],
])('[oembed 1] [problems 6] oEmbed returns 503 with Retry-After when %s', async (_, outcome) => {
  for (const route of ROUTES) {
    const answer = await createTestApp({ upstream: postUpstreamReturning(outcome) }).get(route);
    expect(expectProblem(answer, 503, 'upstream_unavailable')).toMatchObject({ retry_after: 30 });
    expect(answer.headers).toMatchObject({ 'retry-after': '30', 'cache-control': 'no-store' });
    expect(answer.body).not.toContain('10.0.0.1');
  }
});

test("[problems 6] oEmbed returns 502 when the provider's answer is unusable", async () => {
  for (const route of ROUTES)
    expectProblem(
      await createTestApp({ upstream: postUpstreamReturning({ kind: 'failed', why: 'not JSON' }) }).get(route),
      502,
      'upstream_failed',
    );
});

test('[problems 6] oEmbed returns 503 when the function runs out of time', async () => {
  const never = { readPost: () => new Promise<never>(() => undefined) };
  const answer = await createTestApp({ upstream: never, remainingMilliseconds: 520 }).get(ROUTES[0] ?? '');
  expectProblem(answer, 503, 'upstream_unavailable');
});
