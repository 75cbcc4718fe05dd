import { describe, expect, test } from 'vitest';
import { bodies } from '../../../shared/model/resources.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { PROFILE_TARGETS, RESERVED } from '../../support/browse-routes.ts';
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
