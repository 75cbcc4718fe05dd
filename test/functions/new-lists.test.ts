// Tests the lists of posts, replies, quotes and reposts over HTTP: each has the formats, pages, keys, allowance and errors of
// all lists.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../shared/model/post.ts';
import type { Upstream } from '../../shared/ports/upstream.ts';
import { collectPages, cursorOf, idsOf, upstreamWithLists, withQuery } from '../support/browse-routes.ts';
import { createLimitedApp, TINY_ALLOWANCES, viewerIp } from '../support/limited-app.ts';
import { LIST_ROUTES, targetsOf } from '../support/list-routes.ts';
import { expectProblem } from '../support/problem.ts';
import {
  BASE_URL,
  createTestApp,
  found,
  page,
  post,
  upstreamNotCalled,
  upstreamReturning,
} from '../support/test-app.ts';

const PHOTO = { type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' } as const;

/** A post that belongs to every kind of timeline. */
const everyKind = (entry: Post): Post => ({ ...entry, media: [PHOTO], article: { title: 'T', blocks: [] } });

const withEveryKind = (upstream: Upstream): Upstream => ({
  ...upstream,
  listPosts: async (request, ...rest) => {
    const outcome = await upstream.listPosts(request, ...rest);
    return outcome.kind === 'found' && request.list === 'posts'
      ? { ...outcome, value: { ...outcome.value, items: outcome.value.items.map(everyKind) } }
      : outcome;
  },
});

const thirty = withEveryKind(upstreamWithLists(30));

const down = { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' } as const;

describe.each(LIST_ROUTES)('$name', (route) => {
  const targets = targetsOf(route);
  const { v1, honoursKey, notFound } = route;

  test.each(['markdown', 'json'])('[lists 8] GET returns the same %s by v1 and permalink', async (format) => {
    const { get } = createTestApp({ upstream: thirty });
    const answers = await Promise.all(targets.map((target) => get(withQuery(target, `format=${format}&limit=3`))));
    const [first] = answers;
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.body.replaceAll(/cursor=[\w-]+/g, '')).toBe(first?.body.replaceAll(/cursor=[\w-]+/g, ''));
      expect(answer.headers['etag']).toBe(first?.headers['etag']);
      expect(answer.headers['cache-control']).toBe(
        'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600',
      );
      expect(answer.headers['vary']).toBe(
        honoursKey ? 'Accept, Authorization, Accept-Encoding' : 'Accept, Accept-Encoding',
      );
    }
  });

  test('[lists 2] Markdown names the v1 URL of the next page with the parameters of the read', async () => {
    const { get } = createTestApp({ upstream: thirty });
    const own = v1.includes('/profiles/') ? 'since=2006-01-01&until=' : v1.endsWith('/replies') ? 'sort=recent' : '';
    for (const target of targets) {
      const { body } = await get(withQuery(target, `${own}&limit=3&format=markdown`));
      const [, url = ''] = /\n\nNext page: <(.+)>\n$/.exec(body) ?? [];
      const next = new URL(url);
      const expected = new URL(withQuery(v1, `${own}&limit=3`), BASE_URL);
      expect(`${next.origin}${next.pathname}`).toBe(`${BASE_URL}${expected.pathname}`);
      expected.searchParams.delete('until'); // it was empty
      expected.searchParams.set('cursor', next.searchParams.get('cursor') ?? '');
      expect([...next.searchParams].toSorted()).toEqual([...expected.searchParams].toSorted());
      const following = await get(withQuery(url.slice(BASE_URL.length), 'format=json'));
      expect(idsOf(following)).toHaveLength(3);
      expect(idsOf(following)).not.toEqual(idsOf(await get(withQuery(target, `${own}&limit=3&format=json`))));
    }
  });

  test('[lists 8] pages have exactly limit items, and together every item once', async () => {
    const { get } = createTestApp({ upstream: thirty });
    for (const target of targets) {
      const pages = await collectPages(get, withQuery(target, 'limit=4'));
      expect(pages.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4, 4, 2]);
      const [all = []] = await collectPages(get, withQuery(target, 'limit=100'));
      expect(all).toHaveLength(30);
      expect(pages.flat()).toEqual(all);
    }
  });

  test('[lists 8] a cursor is valid for its list only, by every route of the list', async () => {
    const { get } = createTestApp({ upstream: thirty });
    const cursor = await cursorOf(get, withQuery(v1, 'limit=4'));
    for (const target of targets)
      expect((await get(withQuery(target, `cursor=${cursor}&limit=9`))).status, target).toBe(200);
    for (const other of LIST_ROUTES.filter(({ name }) => name !== route.name))
      expectProblem(await get(withQuery(other.v1, `cursor=${cursor}`)), 400, 'invalid_cursor');
    for (const changed of [`${cursor}A`, cursor.slice(1), 'A'])
      expectProblem(await get(withQuery(v1, `cursor=${changed}`)), 400, 'invalid_cursor');
  });

  test('[lists 8] a wrong parameter returns 400 before any provider call', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const target of targets) {
      expectProblem(await get(withQuery(target, 'limit=101')), 400, 'invalid_parameter');
      expectProblem(await get(withQuery(target, 'max_tokens=99')), 400, 'invalid_parameter');
      expectProblem(await get(withQuery(target, 'format=obsidian')), 400, 'invalid_format');
      expectProblem(await get(withQuery(target, 'limit=2&limit=3')), 400, 'repeated_parameter');
      expectProblem(await get(target, { headers: { accept: 'image/png' } }), 406, 'not_acceptable');
    }
  });

  test('[lists 8] the browse allowance of the caller bounds the list', async () => {
    const { get, statuses } = createLimitedApp({ upstream: thirty });
    const { count } = TINY_ALLOWANCES.browse.anonymous;
    expect(await statuses(count, v1)).toEqual(Array(count).fill(200));
    for (const target of targets) {
      const denied = await get(target);
      expectProblem(denied, 429, 'rate_limited');
      expect(denied.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(denied.headers['ratelimit']).toContain(';r=0');
      expect(denied.headers['cache-control']).toBe('no-store');
    }
    expect((await get(v1, { headers: viewerIp('198.51.100.77') })).status).toBe(200);
  });

  test.each([
    ['suspended', { kind: 'gone', reason: 'suspended' } as const],
    ['unknown', { kind: 'absent' } as const],
  ])('[lists 8] an empty or missing list of an owner that is %s returns 404', async (reason, owner) => {
    for (const list of [found(page<never>([])), { kind: 'ambiguous' } as const]) {
      const upstream: Upstream = {
        readPost: async () => owner,
        readProfile: async () => owner,
        listPosts: async () => list,
        listUsers: async () => list,
      };
      const { get } = createTestApp({ upstream });
      for (const target of targets) expect(expectProblem(await get(target), 404, notFound)).toMatchObject({ reason });
    }
  });

  test('[lists 8] an outage is 503 or 502, never an empty list and never 404', async () => {
    for (const outcome of [down, { kind: 'ambiguous' } as const]) {
      const { get } = createTestApp({ upstream: upstreamReturning(outcome) });
      for (const target of targets) expectProblem(await get(target), 503, 'upstream_unavailable');
    }
    const failing = createTestApp({ upstream: upstreamReturning({ kind: 'failed', why: 'LEAKY' }) });
    for (const target of targets) {
      const answer = await failing.get(target);
      expectProblem(answer, 502, 'upstream_failed');
      expect(answer.body).not.toContain('LEAKY');
    }
    const emptyList = { listPosts: async () => found(page<never>([])), listUsers: async () => found(page<never>([])) };
    const { get } = createTestApp({ upstream: { ...upstreamReturning(down), ...emptyList } });
    for (const target of targets) expectProblem(await get(target), 503, 'upstream_unavailable');
  });

  test('[lists 8] an empty list of an owner that can be read is 200', async () => {
    const { get } = createTestApp({
      upstream: { listPosts: async () => found(page<never>([])), listUsers: async () => found(page<never>([])) },
    });
    for (const target of targets) {
      const answer = await get(withQuery(target, 'format=json'));
      expect(answer.status).toBe(200);
      expect(idsOf(answer)).toEqual([]);
      expect(answer.json()).not.toHaveProperty('next_cursor');
    }
  });
});

test('[lists 8] the body of an engagement list names its post, and of a timeline its handle and kind', async () => {
  const { get } = createTestApp({ upstream: thirty });
  expect((await get('/i/status/20/replies?format=json')).json()).toMatchObject({ id: '20', posts: expect.any(Array) });
  expect((await get('/i/status/20/retweets?format=json')).json()).toMatchObject({ id: '20', users: expect.any(Array) });
  expect((await get('/Jack/media?format=json')).json()).toMatchObject({ handle: 'jack', kind: 'media' });
});

test('[lists 8] the replies of a post are requested in the order that sort names', async () => {
  const orders: unknown[] = [];
  const { get } = createTestApp({
    upstream: {
      listPosts: async (request) => {
        if (request.list === 'replies') orders.push(request.order);
        return found(page([post('21')]));
      },
    },
  });
  for (const query of ['', '?sort=top', '?sort=recent']) await get(`/api/v1/posts/20/replies${query}`);
  expect(orders).toEqual(['top', 'top', 'recent']);
  expectProblem(await get('/api/v1/posts/20/replies?sort=old'), 400, 'invalid_parameter');
});

test('[problems 4] an engagement list of an id from the future is 404 without a provider call', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const target of ['replies', 'quotes', 'retweets'])
    expectProblem(await get(`/i/status/9223372036854775807/${target}`), 404, 'post_not_found');
});
