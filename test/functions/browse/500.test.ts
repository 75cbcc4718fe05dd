import { expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test('[problems 7] an exception returns 500 as a problem document without the message, and is logged', async () => {
  const { get, log } = createTestApp({ upstream: upstreamNotCalled });
  for (const route of [...routesOf(BROWSE_TARGETS), '/search?q=fjord&feed=users']) {
    const answer = await get(route);
    expectProblem(answer, 500, 'internal_error');
    expect(answer.body).not.toContain('a provider was called');
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-api-key-status': 'anonymous' });
  }
  expect(log).toContainEqual(
    expect.objectContaining({
      level: 'error',
      event: 'problem',
      cause: expect.stringContaining('a provider was called'),
    }),
  );
  expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'request', status: 500 }));
});
