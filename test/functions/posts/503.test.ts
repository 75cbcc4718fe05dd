import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, postUpstreamReturning } from '../../support/test-app.ts';

test.each([
  ['no provider answers', { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' } as const],
  ['a 404 without a tombstone is not confirmed', { kind: 'ambiguous' } as const],
])('[problems 6] GET of a post returns 503 with Retry-After: 30 and retry_after when %s', async (_, outcome) => {
  for (const route of ['/jack/status/20', '/api/v1/posts?handle=jack&id=20', '/api/convert?handle=jack&id=20']) {
    const answer = await createTestApp({ upstream: postUpstreamReturning(outcome) }).get(route);
    expect(expectProblem(answer, 503, 'upstream_unavailable')).toMatchObject({ retry_after: 30 });
    expect(answer.headers).toMatchObject({ 'retry-after': '30', 'cache-control': 'no-store' });
    expect(answer.body).not.toContain('10.0.0.1');
  }
});

test.each([
  ['an unusable answer', { kind: 'failed', why: 'not JSON' } as const],
  ['a rejection of the request', { kind: 'refused', why: 'q: bad' } as const],
])('[problems 6] GET of a post returns 502 after %s of the provider', async (_, outcome) => {
  const answer = await createTestApp({ upstream: postUpstreamReturning(outcome) }).get('/jack/status/20');
  expectProblem(answer, 502, 'upstream_failed');
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('[problems 6] GET of a post returns 503 when the function runs out of time', async () => {
  const never = { readPost: () => new Promise<never>(() => undefined) };
  const answer = await createTestApp({ upstream: never, remainingMilliseconds: 520 }).get('/jack/status/20');
  expectProblem(answer, 503, 'upstream_unavailable');
});
