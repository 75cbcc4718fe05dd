import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test('[caching 1] [keys 9] a request that bypasses the edge returns 403 before its key is checked', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of [...routesOf(BROWSE_TARGETS), '/search', '/api/v1/search?feed=x']) {
    for (const secret of [null, '', 'wrong']) {
      const plain = await get(route, { secret });
      expectProblem(plain, 403, 'forbidden_origin');
      expect(plain.headers['cache-control']).toBe('no-store');
      const keyed = await get(route, { secret, headers: { authorization: 'Bearer x' } });
      expectProblem(keyed, 403, 'forbidden_origin');
      expect(keyed.headers['cache-control']).toBe('private, no-store');
      for (const { headers } of [plain, keyed]) expect(headers).not.toHaveProperty('x-api-key-status');
    }
  }
});
