import { expect, test } from 'vitest';
import type { TombstoneReason } from '../../../shared/model/post.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, NOW, postUpstreamReturning, upstreamNotCalled } from '../../support/test-app.ts';

const ROUTES = ['/api/v1/oembed?url=x.com/jack/status/20', '/oembed?url=x.com/jack/status/20'];

test.each<TombstoneReason>(['deleted', 'suspended', 'withheld', 'unknown'])(
  '[oembed 1] [problems 4] oEmbed for a post with the reason %s returns 404 with the reason',
  async (reason) => {
    for (const route of ROUTES) {
      const answer = await createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason }) }).get(route);
      expect(expectProblem(answer, 404, 'post_not_found')).toMatchObject({ reason });
      expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
    }
  },
);

test('[oembed 1] [problems 4] oEmbed for an absent post returns 404 post_not_found', async () => {
  for (const route of ROUTES)
    expectProblem(
      await createTestApp({ upstream: postUpstreamReturning({ kind: 'absent' }) }).get(route),
      404,
      'post_not_found',
    );
});

test('[oembed 1] oEmbed for an id from the future returns 404 without a provider call', async () => {
  const id = (BigInt(NOW + 120_000) - 1288834974657n) << 22n;
  expectProblem(
    await createTestApp({ upstream: upstreamNotCalled }).get(`/oembed?url=x.com/i/status/${id}`),
    404,
    'post_not_found',
  );
});

test.each([
  '/api/v1/oembed/',
  '/api/v1/oEmbed',
  '/oembed/',
  '/Oembed',
  '/oembed/status/20',
  '/api/oembed',
  '/oembed.json',
])('[caching 12] [inputs 5] GET %s returns 404 route_not_found', async (path) => {
  expectProblem(
    await createTestApp({ upstream: upstreamNotCalled }).get(`${path}?url=x.com/jack/status/20`),
    404,
    'route_not_found',
  );
});
