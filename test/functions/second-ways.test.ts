// Tests what callers get when one kind of query of the provider fails or is frozen: real client and mappers, and a provider on
// loopback.
import { expect, test } from 'vitest';
import { warning } from '../../shared/contract/warnings.ts';
import { type Behaviour, faultServer, json } from '../support/fault-server.ts';
import { fxTwitterAt } from '../support/fxtwitter.ts';
import { LIST_ROUTES } from '../support/list-routes.ts';
import { expectProblem } from '../support/problem.ts';
import { createTestApp, NOW } from '../support/test-app.ts';

const DAY = 86_400_000;
const OLD = NOW - 40 * DAY;

const tweet = (id: string, createdAt: number) => ({
  type: 'status',
  id,
  text: `post ${id}`,
  author: { screen_name: 'jack' },
  replies: 50,
  created_timestamp: createdAt / 1000,
});

const page = (createdAt: number, bottom: string | null = 'NEXT'): Behaviour =>
  json({ code: 200, results: [tweet('41', createdAt), tweet('40', createdAt)], cursor: { top: null, bottom } });

const failed = json({ code: 404, results: [], cursor: { top: null, bottom: null } }, 404);

/** Answers by the path and the query. */
const serviceAt = async (answer: (path: string) => Behaviour) => {
  const behave: Behaviour = (incoming, response) => answer(incoming.url ?? '')(incoming, response);
  const server = await faultServer({ fxtwitter: behave, canary: behave });
  const upstream = fxTwitterAt(server, { freshnessProfile: 'news_desk', limits: { retryJitterMilliseconds: 0 } });
  return { ...createTestApp({ upstream }), server };
};

const account = json({ code: 200, user: { screen_name: 'jack', id: '12' } });

test('[outages 6] a timeline that fails is read by search on every form and page, and says so', async () => {
  const { get, server } = await serviceAt((path) => {
    if (path.includes('/2/search')) return page(NOW - DAY);
    return path.includes('/statuses') ? failed : account;
  });
  const first = await get('/api/v1/profiles/jack/posts?format=json&limit=2');
  expect(first.json()).toMatchObject({
    posts: [{ id: '41' }, { id: '40' }],
    degraded: true,
    warnings: [{ code: 'fallback_answered' }],
  });
  expect(first.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  expect((await get('/jack?format=json')).json()).toMatchObject({ posts: [{ id: '41' }, {}], degraded: true });
  expect((await get('/api/v1/timeline?handles=jack&format=json')).json()).toMatchObject({ degraded: true });
  expect((await get('/jack/with_replies?format=markdown')).body).toContain('A source with less data answered.');
  const cursor = String(first.json()['next_cursor']);
  const before = server.calls().length;
  const second = await get(`/api/v1/profiles/jack/posts?format=json&limit=2&cursor=${cursor}`);
  expect(second.status).toBe(200);
  expect(
    server
      .calls()
      .slice(before)
      .every((path) => path.includes('/2/search')),
  ).toBe(true);
});

test('[outages 8] the accounts of a timeline share the repetitions of one request when every search is dropped', async () => {
  const { get, server } = await serviceAt((path) => {
    if (/\/statuses|\/2\/search/.test(path)) return failed;
    return json({ code: 200, user: { screen_name: /jack\d+/.exec(path)?.[0] ?? 'X', id: '12' } });
  });
  const handles = Array.from({ length: 20 }, (_, index) => `jack${index}`).join();
  const { status, json: body } = await get(`/api/v1/timeline?handles=${handles}&format=json`);
  expect([status, body()['code']]).toEqual([503, 'upstream_unavailable']);
  const searches = server.calls().filter((path) => path.includes('from%3Ajack'));
  expect(searches.length).toBeLessThanOrEqual(25);
  expect(new Set(searches).size).toBe(20);
});

test('a timeline that is read as ever has no member degraded', async () => {
  const { get } = await serviceAt((path) => (path.includes('/statuses') ? page(NOW - DAY) : account));
  expect((await get('/api/v1/profiles/jack/posts?format=json')).json()).not.toHaveProperty('degraded');
});

/** A timeline of several accounts reads such an account from its start instead. */
const cursorRoutes = [
  ...LIST_ROUTES.map(({ name, v1 }) => [name, v1] as const),
  ['a profile', '/api/v1/profiles/jack'],
  ['followers', '/api/v1/profiles/jack/followers'],
  ['following', '/api/v1/profiles/jack/following'],
  ['a search', '/api/v1/search?q=tide'],
  ['a search for accounts', '/api/v1/search?q=tide&feed=users'],
  ['a list of X', '/api/v1/lists/7/posts'],
] as const;

const people = json({ code: 200, results: [{ screen_name: 'ada' }], cursor: { top: null, bottom: 'NEXT' } });

test.each(cursorRoutes)(
  '[provider-faults 16] a cursor that the provider no longer knows is invalid_cursor: %s',
  async (_, route) => {
    const { get } = await serviceAt((path) => {
      if (path.includes('cursor=')) return json({ code: 400, message: 'Unknown request cursor' }, 400);
      if (/\/(?:followers|following|reposts|search\/users)\b/.test(path)) return people;
      if (path.includes('/2/conversation/'))
        return json({
          code: 200,
          status: tweet('20', OLD),
          thread: [tweet('20', OLD)],
          replies: [],
          cursor: { bottom: 'NEXT' },
        });
      if (path.endsWith('/2/status/20')) return json({ code: 200, status: tweet('20', OLD) });
      return /\/2\/(?:search|profile\/[^/?]+\/|status\/[^/?]+\/)/.test(path) ? page(OLD) : account;
    });
    const target = `${route}${route.includes('?') ? '&' : '?'}format=json&limit=1`;
    let answer = await get(target);
    // The rest of a page comes before the next one.
    for (let count = 0; count < 4 && answer.status === 200; count += 1) {
      const { next_cursor: cursor } = answer.json();
      expect(cursor).toBeTypeOf('string');
      answer = await get(`${target}&cursor=${String(cursor)}`);
    }
    expectProblem(answer, 400, 'invalid_cursor');
  },
);

test('[outages 7] a frozen timeline is timeline_stale in each form, for a minute, and is no error', async () => {
  const { get, server } = await serviceAt((path) => (/\/2\/profile\/[^/?]+\//.test(path) ? page(OLD) : account));
  const body = (await get('/api/v1/profiles/jack/posts?format=json')).json();
  expect(body).toMatchObject({ posts: [{ id: '41' }, {}], warnings: [{ code: 'timeline_stale' }] });
  const { message } = warning('timeline_stale');
  for (const target of ['/jack/rss', '/api/v1/profiles/jack/posts?format=atom', '/jack/media/rss'])
    expect((await get(target)).body).toContain(message);
  const feed = await get('/jack/rss');
  expect(feed.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  expect((await get('/jack?format=markdown')).body).toContain(message);
  expect((await get('/api/v1/timeline?handles=jack,ada&format=markdown')).body).toContain(message);
  expect((await get('/jack', { headers: { accept: 'text/html' } })).body).toContain('X shows old posts only just now');
  expect(server.calls().filter((path) => path.includes('news_desk/statuses'))).toHaveLength(1);
});

test('[outages 7] a quiet account is read without a word when the busy account is fresh', async () => {
  const { get } = await serviceAt((path) => {
    if (path.includes('news_desk')) return page(NOW - DAY);
    return /\/2\/profile\/[^/?]+\//.test(path) ? page(OLD) : account;
  });
  expect((await get('/api/v1/profiles/jack/posts?format=json')).json()).toMatchObject({ warnings: [] });
  expect((await get('/jack/rss')).body).not.toContain('old posts only');
});
