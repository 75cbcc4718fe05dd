import { describe, expect, test } from 'vitest';
import { also, browseReads, KEYS, routesOf, seen } from '../../support/browsing.ts';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

const ROUTES = routesOf(browseReads);

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
    for (const route of ROUTES) {
      for (const query of ['limit=0', 'limit=1&limit=2', 'format=xml', 'format=', 'cursor=x', 'max_tokens=1'])
        expectProblem(await get(also(route, query), { headers }), 401, 'invalid_key');
    }
    for (const route of [
      '/api/v1/profiles/ja-ck',
      '/ja-ck/followers',
      '/api/v1/profiles/%zz',
      '/search',
      '/search?q=&feed=x',
    ])
      expectProblem(await get(route, { headers }), 401, 'invalid_key');
  });

  test('[44][43] is not looked at where there is no such route', async () => {
    const { get } = house({ upstream: untouched });
    for (const route of [
      '/api/v1/profiles',
      '/api/v1/profiles/jack/',
      '/ja-ck',
      '/docs/followers',
      '/api/nope',
      '/search/',
      '/Search?q=x',
    ]) {
      const answer = await get(route, { headers: { authorization: 'Bearer x' } });
      expectProblem(answer, 404, 'route_not_found');
      expect(answer.headers).not.toHaveProperty('x-api-key-status');
    }
  });

  test('[20] HEAD is refused as GET is, without a body', async () => {
    const { get } = house({ upstream: untouched });
    for (const route of ROUTES) {
      const options = { headers: { authorization: 'Bearer x' } };
      const withBody = await get(route, options);
      expect(seen(await get(route, { ...options, method: 'HEAD' }))).toEqual(seen({ ...withBody, body: '' }));
    }
  });

  test('[69] is refused in a way that pages on other origins can read', async () => {
    const { get } = house({ upstream: untouched });
    for (const route of ROUTES) {
      const { headers } = await get(route, { headers: { authorization: 'Bearer x', origin: 'https://a.example' } });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toMatch(/\bX-Api-Key-Status\b/);
    }
  });
});
