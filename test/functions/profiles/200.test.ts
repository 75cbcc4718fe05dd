// Checks the handles and the posts of a profile, and that a profile without readable posts still returns 200.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { idsOf, PROFILE_TARGETS, RESERVED, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

describe('posts of a profile', () => {
  test('the posts exclude reposts and replies', async () => {
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

  test('[problems 4] GET of a protected profile returns 200 without posts, whatever the provider returns', async () => {
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
    { kind: 'ambiguous' },
    { kind: 'gone', reason: 'unknown' },
    { kind: 'refused', why: 'no' },
  ])('[problems 6] GET of a profile returns 200 with a warning when its posts are $kind', async (outcome) => {
    const { get } = createTestApp({ upstream: { listPosts: async () => outcome } });
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

  test('[problems 6] a later page whose posts fail keeps its cursor for another attempt', async () => {
    const lists = upstreamWithLists(30);
    let isDown = false;
    const listPosts: typeof lists.listPosts = async (...args) =>
      isDown ? { kind: 'down', why: 'ECONNREFUSED' } : lists.listPosts(...args);
    const { get } = createTestApp({ upstream: { ...lists, listPosts } });
    const first = (await get('/api/v1/profiles/jack?limit=4&format=json')).json();
    const second = `/api/v1/profiles/jack?limit=4&format=json&cursor=${first['next_cursor']}`;
    isDown = true;
    const failed = (await get(second)).json();
    expect(failed).toMatchObject({ posts: [], warnings: [{ code: 'posts_unavailable' }] });
    isDown = false;
    const retried = `/api/v1/profiles/jack?limit=4&format=json&cursor=${failed['next_cursor']}`;
    expect(idsOf(await get(retried))).toEqual(['996', '995', '994', '993']);
  });
});

test('[caching 13] a permanent gap has the lifetime of a list, a transient gap a short lifetime', async () => {
  const cacheControlOf = async (upstream: Parameters<typeof createTestApp>[0], target: string) =>
    (await createTestApp(upstream).get(target)).headers['cache-control'];
  const LONG = 'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600';
  const BRIEF = 'public, max-age=30, s-maxage=60';
  const protectedProfile = { upstream: { readProfile: async () => found(user('jack', { protected: true })) } };
  expect(await cacheControlOf(protectedProfile, '/jack')).toBe(LONG);
  expect(await cacheControlOf({}, '/search?q=x&feed=users')).toBe(LONG);
  const profileWithoutPosts = { upstream: { listPosts: async () => ({ kind: 'down', why: '' }) as const } };
  expect(await cacheControlOf(profileWithoutPosts, '/jack')).toBe(BRIEF);
});

test('[ids 10] a profile has the spelling of its owner, whatever the request says', async () => {
  const upstream = {
    readProfile: async () => found(user('Jack')),
    listPosts: async () => found(page([post('20', 'Jack')])),
  };
  const { get } = createTestApp({ upstream });
  for (const list of ['', '/followers', '/following']) {
    const bodiesBySpelling = ['jack', 'JACK', '@jAcK'].map(
      async (handle) => (await get(`/${handle}${list}?format=json`)).body,
    );
    expect(new Set(await Promise.all(bodiesBySpelling)).size).toBe(1);
  }
  const bodies = await Promise.all(['jack', 'JACK', 'jAcK'].map(async (handle) => (await get(`/${handle}`)).body));
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain('@Jack');
  expect(bodies[0]).toContain('just setting up my twttr');
});

test('[inputs 5] a reserved segment is an ordinary handle on v1 routes and aliases', async () => {
  const { get } = createTestApp();
  for (const word of RESERVED) {
    for (const rest of ['', '/followers', '/following'])
      expect((await get(`/api/v1/profiles/${word}${rest}`)).status, word).toBe(200);
    for (const { alias } of PROFILE_TARGETS) expect((await get(alias.replace('jack', word))).status, word).toBe(200);
  }
});
