import { describe, expect, test } from 'vitest';
import { bodies } from '../../../shared/model/resources.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import {
  comparableAnswer,
  idsOf,
  OTHER_CREDENTIALS,
  PROFILE_TARGETS,
  RESERVED,
  routesOf,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { expectNoLifecycle } from '../../support/lifecycle-headers.ts';
import { createTestApp, found, NOW, page, post, user } from '../../support/test-app.ts';

const ROUTES = routesOf(PROFILE_TARGETS);

describe('GET of a profile and its lists', () => {
  test.each(ROUTES)(
    '[negotiation 3] GET %s returns Markdown with a charset, or JSON without a charset',
    async (route) => {
      const { get } = createTestApp();
      const markdown = await get(route);
      expect(markdown.status).toBe(200);
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
      const json = await get(route, { headers: { accept: 'application/json' } });
      expect(json.headers['content-type']).toBe('application/json');
      expect(json.json()).toMatchObject({
        source: 'fxtwitter',
        fetched_at: '2026-11-21T12:00:00.000Z',
        warnings: [],
        markdown: markdown.body,
      });
    },
  );

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

  test.each(PROFILE_TARGETS)(
    '[negotiation 4] [lifecycle 16] v1 route, permalink and alias return the same bytes: $resource',
    async ({ v1, permalink, alias }) => {
      const { get } = createTestApp({ upstream: upstreamWithLists(30) });
      for (const accept of ['text/markdown', 'application/json']) {
        const answers = await Promise.all(
          [v1, permalink, alias].map((route) => get(withQuery(route, 'limit=3'), { headers: { accept } })),
        );
        expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
        for (const name of ['etag', 'cache-control', 'content-type', 'vary', 'x-api-key-status'])
          expect(new Set(answers.map(({ headers }) => headers[name] ?? 'absent')).size, name).toBe(1);
      }
    },
  );

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

  test('[methods 1] HEAD returns the status and headers of GET without a body', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const failing = ['limit=0', 'cursor=x', 'format=obsidian'].map((query) => withQuery('/jack/followers', query));
    for (const route of [...ROUTES, ...failing, '/api/followers', '/api/v1/profiles']) {
      const withBody = await get(route);
      const head = await get(route, { method: 'HEAD' });
      expect(withBody.body).not.toBe('');
      expect(comparableAnswer(head)).toEqual(comparableAnswer({ ...withBody, body: '' }));
    }
  });

  test('[keys 1] [keys 9] GET without a key sends the key status anonymous', async () => {
    const { get } = createTestApp();
    for (const route of ROUTES) expect((await get(route)).headers['x-api-key-status']).toBe('anonymous');
  });

  test.each(OTHER_CREDENTIALS)('[keys 4] only a Bearer token is read as a key: %o', async (headers) => {
    const { get, log } = createTestApp();
    for (const route of ROUTES)
      expect(comparableAnswer(await get(route, { headers }))).toEqual(comparableAnswer(await get(route)));
    expect(JSON.stringify(log)).not.toContain('pstn_x');
  });

  test('[keys 4] a key in the query changes nothing and is not logged', async () => {
    const { get, log } = createTestApp();
    for (const route of ROUTES) {
      const plain = comparableAnswer(await get(route));
      for (const name of ['api_key', 'access_token', 'key', 'authorization'])
        expect(comparableAnswer(await get(withQuery(route, `${name}=pstn_x`)))).toEqual(plain);
    }
    expect(JSON.stringify(log)).not.toContain('pstn_x');
  });

  test('[problems 9] no answer has a WWW-Authenticate header', async () => {
    const { get } = createTestApp();
    for (const route of [...ROUTES, '/jack/followers?limit=0', '/api/v1/profiles', '/no-pe']) {
      for (const options of [{}, { method: 'POST' }, { secret: null }, { headers: { authorization: 'Bearer x' } }]) {
        const names = Object.keys((await get(route, options)).headers);
        expect(names.filter((name) => name.includes('authenticate'))).toEqual([]);
      }
    }
  });

  test('[lifecycle 12] v1 routes and permalinks send no lifecycle headers, also with a next page', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    for (const { v1, permalink } of PROFILE_TARGETS) {
      for (const route of [v1, permalink, withQuery(v1, 'limit=0'), withQuery(permalink, 'limit=0')])
        expectNoLifecycle(await get(route));
    }
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

  test('[caching 7] unknown parameters change nothing, repeated or not', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const unknown = 'utm_source=a&utm_source=b&q=other&feed=nonsense&thread=1&url=x&a[]=1';
    for (const { v1, permalink } of PROFILE_TARGETS) {
      for (const route of [v1, permalink])
        expect(comparableAnswer(await get(`${route}?${unknown}&handle=other&handle=ada`))).toEqual(
          comparableAnswer(await get(route)),
        );
    }
  });

  test('[cors 3] [keys 9] OPTIONS returns 204 without a key status and allows Authorization', async () => {
    const { get } = createTestApp();
    for (const route of ROUTES) {
      for (const headers of [{}, { authorization: 'Bearer x' }]) {
        const answer = await get(route, { method: 'OPTIONS', headers });
        expect(answer.status).toBe(204);
        expect(answer.body).toBe('');
        expect(answer.headers['access-control-allow-headers']).toMatch(/\bAuthorization\b/);
        expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
        expect(answer.headers).not.toHaveProperty('x-api-key-status');
      }
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
