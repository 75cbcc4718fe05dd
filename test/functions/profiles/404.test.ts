import { describe, expect, test } from 'vitest';
import type { TombstoneReason } from '../../../shared/model/post.ts';
import { PROFILE_ID_ROUTES, PROFILE_TARGETS, RESERVED, routesOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, page, upstreamNotCalled, upstreamReturning } from '../../support/test-app.ts';

const ROUTES = [...routesOf(PROFILE_TARGETS), ...PROFILE_ID_ROUTES];
const [, ...lists] = PROFILE_TARGETS;

describe('profiles that do not exist', () => {
  test.each<TombstoneReason>(['suspended', 'deleted', 'withheld', 'unknown'])(
    '[problems 4] GET of a profile with the reason %s and of its lists returns 404 with the reason',
    async (reason) => {
      const { get } = createTestApp({ upstream: upstreamReturning({ kind: 'gone', reason }) });
      for (const route of ROUTES) {
        const answer = await get(route);
        expect(expectProblem(answer, 404, 'profile_not_found')).toMatchObject({ reason });
        expect(answer.headers).toMatchObject({
          'cache-control': 'public, max-age=30, s-maxage=30',
          'x-api-key-status': 'anonymous',
        });
      }
    },
  );

  test.each<[TombstoneReason, string]>([
    ['deleted', 'Do not retry: its owner closed the account, or has another handle now.'],
    ['suspended', 'Do not retry soon: the account comes back only if its suspension ends.'],
    ['withheld', 'Do not retry: X does not show this account to visitors.'],
    ['unknown', 'Check the handle or the id; do not retry soon.'],
  ])('[problems 11] the resolution of a profile that is %s is: %s', async (reason, resolution) => {
    const { get } = createTestApp({ upstream: upstreamReturning({ kind: 'gone', reason }) });
    for (const route of ROUTES)
      expect(expectProblem(await get(route), 404, 'profile_not_found')['resolution']).toBe(resolution);
  });

  test('[problems 4] GET of an absent profile returns 404 profile_not_found', async () => {
    const { get } = createTestApp({ upstream: upstreamReturning({ kind: 'absent' }) });
    for (const route of ROUTES)
      expect(expectProblem(await get(route), 404, 'profile_not_found')).toMatchObject({ reason: 'unknown' });
  });

  test.each([
    ['suspended', { kind: 'gone', reason: 'suspended' } as const, 'suspended'],
    ['unknown', { kind: 'absent' } as const, 'unknown'],
  ])('[problems 4] GET of an empty or missing list returns 404 when its profile is %s', async (_, profile, reason) => {
    for (const outcome of [found(page<never>([])), { kind: 'ambiguous' } as const]) {
      const { get } = createTestApp({
        upstream: { readProfile: async () => profile, listUsers: async () => outcome },
      });
      for (const route of routesOf(lists))
        expect(expectProblem(await get(route), 404, 'profile_not_found')).toMatchObject({ reason });
    }
  });
});

describe('unknown routes', () => {
  test.each([
    '/api/v1/profiles',
    '/api/v1/profiles/',
    '/api/v1/profiles/jack/',
    '/api/v1/profiles//followers',
    '/api/v1/profiles/jack/likes',
    '/api/v1/profiles/a/b',
    '/api/v1/profiles/jack/Followers',
    '/api/v1/profiles/jack%2Ffollowers',
    '/api/v1/Profiles/jack',
    '/api/v2/profiles/jack',
    '/API/v1/profiles/jack',
  ])('[problems 5] GET %s returns a problem document with 404 whatever Accept says', async (route) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const accept of ['text/html', 'text/markdown', '*/*']) {
      const document = expectProblem(await get(route, { headers: { accept } }), 404, 'route_not_found');
      expect(document['resolution']).toMatch(/\/api\b/);
    }
  });

  test.each([
    '//jack',
    '//jack/',
    '/jack/Followers/',
    '/jack/Followers',
    '/jack//followers',
    '/jack/likes',
    '/jack%2Ffollowers',
    '/jack/followers/ada',
  ])('[caching 12] GET %s returns 404 because it is not a spelling of a permalink', async (route) => {
    expectProblem(await createTestApp({ upstream: upstreamNotCalled }).get(route), 404, 'route_not_found');
  });

  test.each(RESERVED.filter((segment) => !['api', 'docs', 'search', 'oembed'].includes(segment)))(
    '[inputs 5] [keys 9] GET /%s and its lists return 404 because the segment is reserved, with and without @',
    async (segment) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      for (const at of ['', '@', '%40']) {
        for (const rest of ['', '/followers', '/following']) {
          const answer = await get(`/${at}${segment}${rest}`);
          expectProblem(answer, 404, 'route_not_found');
          expect(answer.headers).not.toHaveProperty('x-api-key-status');
          expect(answer.headers['cache-control']).toBe('public, max-age=60, s-maxage=60');
        }
      }
    },
  );

  test.each([
    ['api', 200],
    ['docs', 200],
    ['search', 400],
    ['oembed', 400],
  ])('[inputs 5] /%s belongs to another route with status %d, and its lists return 404', async (segment, status) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const route of [`/${segment}/followers`, `/@${segment}/following`, `/@${segment}`, `/%40${segment}`])
      expectProblem(await get(route), 404, 'route_not_found');
    expect((await get(`/${segment}`)).status).toBe(status);
  });

  test.each([
    '/no-pe',
    '/@@jack',
    '/sixteen_letters_',
    '/j%C3%A4ck',
    '/favicon.png',
    '/jack%0D%0A',
    '/%zz',
    '/ja%00ck',
    '/@',
  ])('[inputs 5] [problems 7] GET %s returns 404 because the segment is not a handle', async (route) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const query of ['', '?format=json', '?limit=0', '?cursor=x'])
      expectProblem(await get(`${route}${query}`), 404, 'route_not_found');
  });

  test('[inputs 5] a 404 is HTML, Markdown or a problem document, depending on Accept', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const route of ['/no-pe', '/Docs', '/docs/followers', '/@api/following']) {
      const type = async (accept: string) => (await get(route, { headers: { accept } })).headers['content-type'];
      expect(await type('text/html,application/xhtml+xml,*/*;q=0.8')).toBe('text/html; charset=utf-8');
      expect(await type('text/markdown')).toBe('text/markdown; charset=utf-8');
      expect(await type('application/json')).toBe('application/problem+json');
    }
  });
});
