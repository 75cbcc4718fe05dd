import { describe, expect, test } from 'vitest';
import { PROFILE_TARGETS, RESERVED } from '../../support/browse-routes.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

describe('GET of a profile and its lists', () => {
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
