import { expect, test } from 'vitest';
import { routesOf, searchReads } from '../../support/browsing.ts';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get'])(
  '[22][H8][57] %s on a route is 405 with Allow, and with a key for its holder alone',
  async (method) => {
    const { get } = house({ upstream: untouched });
    for (const route of [...routesOf(searchReads), '/search', '/api/v1/search']) {
      const plain = await get(route, { method });
      const keyed = await get(route, { method, headers: { authorization: 'Bearer x' } });
      for (const answer of [plain, keyed]) {
        expectProblem(answer, 405, 'method_not_allowed');
        expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
        expect(answer.headers).not.toHaveProperty('x-api-key-status');
      }
      expect(plain.headers['cache-control']).toBe('no-store');
      expect(keyed.headers['cache-control']).toBe('private, no-store');
    }
  },
);

test('[22][H8] on an unknown route the route is what is wrong', async () => {
  const { get } = house({ upstream: untouched });
  for (const route of ['/search/', '/api/v1/search/x', '/Search'])
    expectProblem(await get(route, { method: 'POST' }), 404, 'route_not_found');
});
