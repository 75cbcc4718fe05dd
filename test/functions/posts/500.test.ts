import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp } from '../../support/test-app.ts';

test('[problems 7] an exception returns 500 without its message, and the message is logged', async () => {
  const { get, log } = createTestApp({
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
