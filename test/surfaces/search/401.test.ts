import { describe, expect, test } from 'vitest';
import { also, KEYS, routesOf, searchReads, seen } from '../../support/browsing.ts';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

const ROUTES = routesOf(searchReads);

describe('a key that nobody was given', () => {
  test.each(KEYS)('[57][33] %o is refused with invalid_key, for its holder alone', async (authorization) => {
    const { get, log } = house({ upstream: untouched });
    for (const route of ROUTES) {
      const answer = await get(route, { headers: { authorization } });
      expect(expectProblem(answer, 401, 'invalid_key')['resolution']).toMatch(/Authorization/);
      expect(answer.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-api-key-status': 'invalid',
        vary: 'Accept',
      });
    }
    expect(JSON.stringify(log)).not.toContain('pstn_');
  });

  test('[44] is what is wrong first, whatever the parameters and Accept are', async () => {
    const { get } = house({ upstream: untouched });
    const headers = { authorization: 'Bearer x', accept: 'image/png', 'if-none-match': '*' };
    for (const route of ['/search', '/api/v1/search', '/api/browse?resource=search', ...ROUTES]) {
      for (const query of ['', 'q=', 'q=a&q=b', 'feed=x', 'limit=0', 'format=xml', 'cursor=x', `q=${'x'.repeat(513)}`])
        expectProblem(await get(also(route, query), { headers }), 401, 'invalid_key');
    }
  });

  test('[44][43] is not looked at where there is no such route', async () => {
    const { get } = house({ upstream: untouched });
    for (const route of ['/search/', '/Search?q=x', '/api/v1/search/', '/api/v1/search/posts', '/search/x']) {
      const answer = await get(route, { headers: { authorization: 'Bearer x' } });
      expectProblem(answer, 404, 'route_not_found');
      expect(answer.headers).not.toHaveProperty('x-api-key-status');
    }
  });

  test('[20][69] HEAD is refused as GET is, and pages on other origins can read it', async () => {
    const { get } = house({ upstream: untouched });
    for (const route of ROUTES) {
      const headers = { authorization: 'Bearer x', origin: 'https://a.example' };
      const withBody = await get(route, { headers });
      expect(seen(await get(route, { headers, method: 'HEAD' }))).toEqual(seen({ ...withBody, body: '' }));
      expect(withBody.headers['access-control-expose-headers']).toMatch(/\bX-Api-Key-Status\b/);
    }
  });
});
