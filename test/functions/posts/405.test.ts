import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp } from '../../support/test-app.ts';

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get'])(
  '[methods 3] %s on a known route returns 405 with Allow',
  async (method) => {
    const { get } = createTestApp();
    for (const route of [
      '/api/v1/posts?handle=jack&id=20',
      '/jack/status/20',
      '/api/convert',
      '/api',
      '/docs/errors',
    ]) {
      const answer = await get(route, { method });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
    }
  },
);

test('[methods 3] POST on an unknown route returns 404, not 405', async () => {
  expectProblem(await createTestApp().get('/api/nope', { method: 'POST' }), 404, 'route_not_found');
});
