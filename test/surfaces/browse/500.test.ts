import { expect, test } from 'vitest';
import { browseReads, routesOf } from '../../support/browsing.ts';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

test('[31] an exception is a problem document without its text, and is logged', async () => {
  const { get, log } = house({ upstream: untouched });
  for (const route of [...routesOf(browseReads), '/search?q=fjord&feed=users']) {
    const answer = await get(route);
    expectProblem(answer, 500, 'internal_error');
    expect(answer.body).not.toContain('a provider was asked');
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-api-key-status': 'anonymous' });
  }
  expect(log).toContainEqual(
    expect.objectContaining({
      level: 'error',
      event: 'problem',
      cause: expect.stringContaining('a provider was asked'),
    }),
  );
});
