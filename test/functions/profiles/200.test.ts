import { describe, expect, test } from 'vitest';
import { bodies } from '../../../shared/model/resources.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { idsOf, PROFILE_TARGETS, RESERVED, upstreamWithLists } from '../../support/browse-routes.ts';
import { createTestApp, found, NOW, page, post, user } from '../../support/test-app.ts';

describe('GET of a profile and its lists', () => {
  test('the JSON of a profile has exactly the members of its schema', async () => {
    const body = (await createTestApp().get('/api/v1/profiles/jack?format=json')).json();
    expect(bodies.ProfileBody.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({ profile: { handle: 'jack' }, posts: [{ id: '20' }] });
  });

  test.each(['followers', 'following'])('the JSON of %s has exactly the members of its schema', async (list) => {
    const body = (await createTestApp().get(`/api/v1/profiles/jack/${list}?format=json`)).json();
    expect(bodies.UserListBody.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({ handle: 'jack', users: [{ handle: 'ada' }] });
  });

  test('[negotiation 4] two requests for one profile differ only in fetched_at', async () => {
    const at = (fetchedAt: number) =>
      createTestApp({ upstream: { readProfile: async () => ({ ...found(user()), fetchedAt }) as Outcome<never> } });
    const earlier = await at(1).get('/jack?format=json');
    const later = await at(NOW).get('/api/v1/profiles/jack?format=json');
    const { fetched_at: first, ...rest } = earlier.json();
    const { fetched_at: second, ...otherRest } = later.json();
    expect(first).not.toBe(second);
    expect(rest).toEqual(otherRest);
    expect(earlier.headers['etag']).toBe(later.headers['etag']);
  });

  test('[caching 4] a list has Cache-Control, ETag and Vary, and each representation has its own tag', async () => {
    const { get } = createTestApp();
    for (const { permalink } of PROFILE_TARGETS) {
      const answers = await Promise.all(
        ['text/markdown', 'application/json', 'text/html'].map((accept) => get(permalink, { headers: { accept } })),
      );
      for (const { headers } of answers) {
        expect(headers['cache-control']).toBe(
          'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600',
        );
        expect(headers['vary']).toBe('Accept, Authorization, Accept-Encoding');
        expect(headers['etag']).toMatch(/^W\/"[\w-]{22}"$/);
      }
      expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(3);
    }
  });

  test('[inputs 4] a leading @ of a handle is accepted and removed', async () => {
    const { get } = createTestApp();
    for (const { v1, permalink, alias } of PROFILE_TARGETS) {
      const plain = (await get(v1)).body;
      for (const route of [v1, permalink, alias]) {
        for (const at of ['@', '%40']) {
          const answer = await get(route.replace('jack', `${at}jack`));
          expect(answer.status).toBe(200);
          expect(answer.body).toBe(plain);
        }
      }
    }
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
});

test('GET of an empty follower list of a public profile returns 200 with no users', async () => {
  const { get } = createTestApp({ upstream: { listUsers: async () => found(page([])) } });
  for (const list of ['followers', 'following']) {
    const answer = await get(`/jack/${list}?format=json`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ users: [], warnings: [] });
    expect(answer.json()).not.toHaveProperty('next_cursor');
  }
});

test('max_tokens bounds the Markdown, also in JSON, with the warning truncated', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(60) });
  for (const { v1 } of PROFILE_TARGETS) {
    const markdown = await get(`${v1}?max_tokens=150&limit=50`);
    expect(Buffer.byteLength(markdown.body)).toBeLessThanOrEqual(600);
    expect(markdown.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    const json = await get(`${v1}?max_tokens=150&limit=50&format=json`);
    expect(json.json()).toMatchObject({ markdown: markdown.body, warnings: [{ code: 'truncated' }] });
    expect(idsOf(json)).toHaveLength(50);
  }
});
