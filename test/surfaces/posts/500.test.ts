import { expect, test } from 'vitest';
import { house } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

test('[31] an exception is a problem document without its text, and is logged', async () => {
  const { get, log } = house({
    upstream: {
      readPost: async () => {
        throw new Error('secret detail');
      },
    },
  });
  const answer = await get('/jack/status/20');
  expectProblem(answer, 500, 'internal_error');
  expect(answer.body).not.toContain('secret detail');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(log).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'problem', cause: expect.stringContaining('secret detail') }),
  );
});
