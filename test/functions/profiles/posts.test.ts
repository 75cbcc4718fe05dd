// Which posts a profile is shown with, and what becomes of it when they cannot be read: 200 all the same.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { idsOf, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

describe('the posts of a profile', () => {
  test('are its own: reposts and replies are left out', async () => {
    const parent = { handle: 'ada', id: '1' };
    const posts = [
      post('31'),
      { ...post('30'), reposted_by: user('jack') },
      post('29', 'ada'),
      { ...post('28'), in_reply_to: parent },
      post('27', 'JACK'),
    ];
    const { get } = createTestApp({ upstream: { listPosts: async () => found(page(posts)) } });
    expect(idsOf(await get('/jack?format=json'))).toEqual(['31', '27']);
  });

  test('[decision 5 #28] of a protected profile are not listed, whatever a provider says', async () => {
    const { get } = createTestApp({
      upstream: { ...upstreamWithLists(30), readProfile: async () => found(user('jack', { protected: true })) },
    });
    for (const route of ['/jack', '/api/v1/profiles/jack', '/api/browse?resource=profile&handle=jack']) {
      const answer = await get(withQuery(route, 'format=json'));
      expect(answer.status).toBe(200);
      const body = answer.json();
      expect(body).toMatchObject({
        profile: { handle: 'jack', protected: true },
        posts: [],
        warnings: [{ code: 'posts_protected' }],
      });
      expect(body).not.toHaveProperty('next_cursor');
      expect(answer.headers['link'] ?? '').not.toContain('next');
      expect((await get(route)).body).not.toContain('twttr');
    }
  });

  test.each<Exclude<Outcome<never>, { kind: 'found' }>>([
    { kind: 'down', why: 'ECONNREFUSED' },
    { kind: 'failed', why: 'not JSON' },
    { kind: 'ambiguous' },
    { kind: 'absent' },
    { kind: 'gone', reason: 'unknown' },
    { kind: 'refused', why: 'no' },
  ])('[spec 8.3 #30] that cannot be read ($kind) cost the profile a warning and nothing else', async (miss) => {
    const { get } = createTestApp({ upstream: { listPosts: async () => miss } });
    const answer = await get('/api/v1/profiles/jack?format=json');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      profile: { handle: 'jack' },
      posts: [],
      warnings: [{ code: 'posts_unavailable' }],
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    expect(answer.body).not.toContain('ECONNREFUSED');
  });

  test('[spec 8.3 #30] that fail on a later page can be asked for again with the same cursor', async () => {
    const lists = upstreamWithLists(30);
    let isDown = false;
    const listPosts: typeof lists.listPosts = async (...asked) =>
      isDown ? { kind: 'down', why: 'ECONNREFUSED' } : lists.listPosts(...asked);
    const { get } = createTestApp({ upstream: { ...lists, listPosts } });
    const first = (await get('/api/v1/profiles/jack?limit=4&format=json')).json();
    const second = `/api/v1/profiles/jack?limit=4&format=json&cursor=${first['next_cursor']}`;
    isDown = true;
    const failed = (await get(second)).json();
    expect(failed).toMatchObject({ posts: [], warnings: [{ code: 'posts_unavailable' }] });
    isDown = false;
    const again = `/api/v1/profiles/jack?limit=4&format=json&cursor=${failed['next_cursor']}`;
    expect(idsOf(await get(again))).toEqual(['996', '995', '994', '993']);
  });
});

test('[cache #8] what will not change is kept as long as any list, what may is kept briefly', async () => {
  const caching = async (upstream: Parameters<typeof createTestApp>[0], target: string) =>
    (await createTestApp(upstream).get(target)).headers['cache-control'];
  const LONG = 'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600';
  const BRIEF = 'public, max-age=30, s-maxage=60';
  const locked = { upstream: { readProfile: async () => found(user('jack', { protected: true })) } };
  expect(await caching(locked, '/jack')).toBe(LONG);
  expect(await caching({}, '/search?q=x&feed=users')).toBe(LONG);
  const without = { upstream: { listPosts: async () => ({ kind: 'down', why: '' }) as const } };
  expect(await caching(without, '/jack')).toBe(BRIEF);
});
