import { expect, test } from 'vitest';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { nextLink, routesOf, SEARCH_TARGETS, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamReturning } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS).flatMap((route) => [
  route,
  withQuery(route, 'feed=users'),
  withQuery(route, 'feed=media'),
]);

test.each<Exclude<Outcome<never>, { kind: 'found' }>>([
  { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' },
  { kind: 'ambiguous' },
  { kind: 'absent' },
  { kind: 'gone', reason: 'unknown' },
  { kind: 'gone', reason: 'protected' },
])(
  '[problems 6] a search returns 503 with Retry-After: 30 and retry_after, never 404, for the outcome %o',
  async (outcome) => {
    const { get } = createTestApp({ upstream: upstreamReturning(outcome) });
    for (const route of ROUTES) {
      const answer = await get(route);
      expect(expectProblem(answer, 503, 'upstream_unavailable')).toMatchObject({ retry_after: 30 });
      expect(answer.headers).toMatchObject({
        'retry-after': '30',
        'cache-control': 'no-store',
        'x-api-key-status': 'anonymous',
      });
      expect(answer.body).not.toContain('10.0.0.1');
    }
  },
);

test('[problems 6] a later page returns 503 during an outage, so the list does not seem to end', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(30) });
  const broken = createTestApp({ upstream: upstreamReturning({ kind: 'down', why: '' }) });
  for (const route of ROUTES) {
    const next = nextLink(await get(withQuery(route, 'limit=7')));
    expectProblem(await broken.get(next ?? ''), 503, 'upstream_unavailable');
  }
});
