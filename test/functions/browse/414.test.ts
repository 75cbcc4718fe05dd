import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf, withQuery } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test('[problems 7] [caching 1] [keys 9] a path of 10 kB returns 414 as a problem document, private with a key', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of routesOf(BROWSE_TARGETS)) {
    const target = withQuery(route, `cursor=${'A'.repeat(10_000)}`);
    const plain = await get(target);
    expectProblem(plain, 414, 'uri_too_long');
    expect(plain.headers['cache-control']).toBe('no-store');
    const keyed = await get(target, { headers: { authorization: 'Bearer x' } });
    expectProblem(keyed, 414, 'uri_too_long');
    expect(keyed.headers['cache-control']).toBe('private, no-store');
    for (const { headers } of [plain, keyed]) expect(headers).not.toHaveProperty('x-api-key-status');
  }
});
