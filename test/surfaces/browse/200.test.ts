import { expect, test } from 'vitest';
import { browseReads, routesOf } from '../../support/browsing.ts';
import { house } from '../../support/house.ts';

const ROUTES = routesOf(browseReads);
const MISTAKEN = ['/jack/followers?limit=0', '/api/v1/profiles', '/search', '/api/v1/search/'];

test('[66][67] every page may read every answer and the headers that matter', async () => {
  const { get } = house();
  for (const route of [...ROUTES, ...MISTAKEN]) {
    for (const headers of [{}, { origin: 'https://elsewhere.example' }, { 'if-none-match': '*' }]) {
      const answer = await get(route, { headers });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(answer.headers['access-control-expose-headers']).toBe(
        'Deprecation, Sunset, Link, X-Api-Key-Status, Retry-After, RateLimit, RateLimit-Policy, ETag, X-Request-Id',
      );
    }
  }
});
