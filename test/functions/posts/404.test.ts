import { describe, expect, test } from 'vitest';
import type { TombstoneReason } from '../../../shared/model/post.ts';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, NOW, postUpstreamReturning, upstreamNotCalled } from '../../support/test-app.ts';

test.each<TombstoneReason>(['deleted', 'suspended', 'withheld', 'unknown'])(
  '[problems 4] GET of a post with the reason %s returns 404 with the reason',
  async (reason) => {
    const answer = await createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason }) }).get(
      '/jack/status/20',
    );
    expect(expectProblem(answer, 404, 'post_not_found')).toMatchObject({ reason });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
  },
);

test.each<[TombstoneReason, string]>([
  ['deleted', 'Do not retry: a deleted post does not come back.'],
  ['suspended', 'Do not retry soon: the post comes back only if the suspension of its author ends.'],
  ['withheld', 'Do not retry: X does not show this post to visitors.'],
  ['unknown', 'Check the id; do not retry soon.'],
])('[problems 11] the resolution of a post that is %s is: %s', async (reason, resolution) => {
  const { get } = createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason }) });
  expect(expectProblem(await get('/jack/status/20'), 404, 'post_not_found')['resolution']).toBe(resolution);
});

test('[problems 4] GET of an absent post returns 404 post_not_found', async () => {
  expectProblem(
    await createTestApp({ upstream: postUpstreamReturning({ kind: 'absent' }) }).get('/jack/status/20'),
    404,
    'post_not_found',
  );
});

test('[ids 4] [ids 5] an id from the future returns 404 without a provider call, and a very low id is requested', async () => {
  let requested = 0;
  const upstream: Pick<Upstream, 'readPost'> = {
    readPost: async () => {
      requested += 1;
      return { kind: 'absent' };
    },
  };
  const { get } = createTestApp({ upstream });
  const idAt = (time: number) => String((BigInt(time) - 1288834974657n) << 22n);
  expectProblem(await get(`/jack/status/${idAt(NOW + 120_000)}`), 404, 'post_not_found');
  expect(requested).toBe(0);
  await get(`/jack/status/${idAt(NOW + 30_000)}`);
  await get('/jack/status/20');
  expect(requested).toBe(2);
});

describe('unknown routes', () => {
  test.each(['/i/article/20', '/I/article/20', '/@i/article/20', '/%40i/article/20'])(
    '[urls 17] GET %s returns 404, because below /i/ the number of an article is not the id of a post',
    async (target) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      expectProblem(await get(target, { headers: { accept: 'application/json' } }), 404, 'route_not_found');
      const page = await get(target, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );

  test.each([
    '/api/v2/posts',
    '/api/v1',
    '/api/v1/',
    '/api/v1/posts/',
    '/api/v1/Posts',
    '/API/v1/posts',
    '/api/v1/posts/20',
    '/api/nope',
  ])('[problems 5] [lifecycle 17] GET %s returns a problem document with 404 whatever Accept says', async (route) => {
    const { get } = createTestApp();
    for (const accept of ['text/html', 'text/markdown', '*/*']) {
      const document = expectProblem(await get(route, { headers: { accept } }), 404, 'route_not_found');
      expect(document['resolution']).toMatch(/\/api\b/);
      expect(document['links']).toContainEqual(expect.objectContaining({ href: 'https://api.example.test/api' }));
    }
  });

  test.each([
    '/jack/Status/20',
    '/jack/Status/20/',
    '/jack/status/20//',
    '/jack/status',
    '/jack/status/20/photo/0',
    '/jack/status/20/photo/x',
    '/jack/status/20/audio/1',
    '//jack/status/20',
    '/jack//status/20',
    '/a/b/c/d',
  ])('[caching 12] GET %s returns 404 because it is not a spelling of a permalink', async (route) => {
    expectProblem(await createTestApp().get(route), 404, 'route_not_found');
  });

  test.each([
    'api',
    'admin',
    'docs',
    'mcp',
    'search',
    'oembed',
    'home',
    'about',
    'status',
    'assets',
    'static',
    'health',
    'login',
    'openapi',
    'API',
    'Docs',
    '@api',
    '%40Docs',
  ])('[inputs 5] GET /%s/status/20 returns 404 because the segment is reserved', async (segment) => {
    expectProblem(await createTestApp().get(`/${segment}/status/20`), 404, 'route_not_found');
  });

  test('[headers 2] instance is the path without the query, percent-encoded and bounded', async () => {
    const { get } = createTestApp();
    expect((await get('/nö pe/<x>?secret=1')).json()['instance']).toBe('/n%C3%B6%20pe/%3Cx%3E');
    expect(String((await get(`/${'é'.repeat(3000)}`)).json()['instance']).length).toBeLessThanOrEqual(512);
  });

  test('a 404 is HTML, Markdown or a problem document, depending on Accept', async () => {
    const { get } = createTestApp();
    for (const route of ['/no-pe', '/docs/status/20', '/jack/status/20/photo/0']) {
      const type = async (accept: string) => {
        const answer = await get(route, { headers: { accept } });
        expect(answer.status).toBe(404);
        return answer.headers['content-type'];
      };
      expect(await type('text/html,application/xhtml+xml,*/*;q=0.8')).toBe('text/html; charset=utf-8');
      expect(await type('text/markdown')).toBe('text/markdown; charset=utf-8');
      expect(await type('*/*')).toBe('application/problem+json');
      expect(await type('application/json')).toBe('application/problem+json');
      expect(await type('image/png')).toBe('application/problem+json');
    }
  });
});
