// Tests the lookup of several posts, and the fair-use bound of posts.
import { expect, test } from 'vitest';
import { FAIR_USE } from '../../../shared/contract/allowances.ts';
import type { PostRequest, Upstream } from '../../../shared/ports/upstream.ts';
import { chargingUpstream, viewerIp } from '../../support/limited-app.ts';
import { testClock } from '../../support/limiter.ts';
import { expectProblem } from '../../support/problem.ts';
import { conversation, createTestApp, found, NOW, post } from '../../support/test-app.ts';

const TARGET = '/api/v1/posts/lookup';

const lookup = (ids: string, more = '&format=json'): string => `${TARGET}?ids=${encodeURIComponent(ids)}${more}`;

const idsIn = (body: Record<string, unknown>): unknown[] => {
  const { posts } = body as { readonly posts: readonly { readonly id: string }[] };
  return posts.map(({ id }) => id);
};

const serviceWithFairUse = () => {
  const clock = testClock(NOW);
  return { clock, ...createTestApp({ upstream: chargingUpstream({}, clock.clock, 60_000), now: clock.now }) };
};

test('[lists 8] GET returns the posts in order, each once, without their conversations', async () => {
  const requests: PostRequest[] = [];
  const { get } = createTestApp({
    upstream: {
      readPost: async (request) => {
        requests.push(request);
        return found(conversation(request.id));
      },
    },
  });
  const answer = await get(lookup('30, https://x.com/jack/status/20 ,x.com/i/web/status/25,30,20'));
  expect(answer.status).toBe(200);
  expect(idsIn(answer.json())).toEqual(['30', '20', '25']);
  expect(requests).toEqual(['30', '20', '25'].map((id) => ({ id, thread: 'off', replies: 'off' })));
  expect(answer.json()).not.toHaveProperty('next_cursor');
  expect(answer.json()['warnings']).toEqual([]);
});

test('[lists 8] GET shows a missing post as a tombstone, and a post that could not be read as failed', async () => {
  const readPost: Upstream['readPost'] = async ({ id }) => {
    if (id === '21') return { kind: 'gone', reason: 'deleted' };
    return id === '22' ? { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' } : found(conversation(id));
  };
  const { get } = createTestApp({ upstream: { readPost } });
  const answer = await get(lookup('20,21,22,9223372036854775807'));
  expect(answer.status).toBe(200);
  expect(answer.json()['posts']).toMatchObject([
    { id: '20', text: 'just setting up my twttr' },
    { id: '21', unavailable: true, reason: 'deleted' },
    { id: '22', unavailable: true, reason: 'failed' },
    { id: '9223372036854775807', unavailable: true, reason: 'unknown' },
  ]);
  expect(answer.json()['warnings']).toMatchObject([{ code: 'posts_failed' }]);
  expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  const { body } = await get(lookup('20,21,22', ''));
  expect(body).toContain('was deleted');
  expect(body).toContain('could not be read');
});

test('[allowances 9] each post counts in the fair-use bound; cached posts are free', async () => {
  const { get } = serviceWithFairUse();
  const twenty = (from: number): string => Array.from({ length: 20 }, (_, index) => from + index).join();
  for (let from = 20; from < 20 + FAIR_USE.count; from += 20)
    expect((await get(lookup(twenty(from)))).status).toBe(200);
  expectProblem(await get('/i/status/1000'), 429, 'rate_limited');
  const denied = await get(lookup('20,1001'));
  expectProblem(denied, 429, 'rate_limited');
  expect(denied.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
  expect((await get(lookup(twenty(FAIR_USE.count)))).status).toBe(200); // cached
});

test('[lists 8] a lookup that max_tokens cuts names the parameters that it has', async () => {
  const text = 'the tide turns. '.repeat(100);
  const { get } = createTestApp({
    upstream: { readPost: async ({ id }) => found({ ...conversation(id), post: post(id, 'jack', text) }) },
  });
  const { body } = await get(lookup('20,21,22', '&format=markdown&max_tokens=600'));
  expect(body).toContain('2 posts left out. Ask again with a larger max_tokens or fewer ids for the rest.');
});

test('[bounds 6] an answer that would be too large leaves out the last posts and says so', async () => {
  const { get } = createTestApp({
    upstream: {
      readPost: async ({ id }) => found({ ...conversation(id), post: post(id, 'jack', 'long text '.repeat(60_000)) }),
    },
  });
  const answer = await get(lookup(Array.from({ length: 20 }, (_, index) => index + 20).join()));
  expect(answer.status).toBe(200);
  const ids = idsIn(answer.json());
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.length).toBeLessThan(20);
  expect(answer.json()['warnings']).toMatchObject([{ code: 'truncated' }]);
});

const targets = [
  (id: number) => `/api/v1/posts?handle=jack&id=${id}`,
  (id: number) => `/jack/status/${id}`,
  (id: number) => `/api/v1/oembed?url=https://x.com/jack/status/${id}`,
  (id: number) => `/api/convert?handle=jack&id=${id}`,
] as const;

test.each(targets)(
  '[allowances 9] GET returns 429 with Retry-After beyond the fair-use bound, by %s',
  async (targetOf) => {
    const { get, clock } = serviceWithFairUse();
    for (let id = 1; id <= FAIR_USE.count; id += 1) expect((await get(targetOf(id))).status).toBe(200);
    const denied = await get(targetOf(1000));
    expectProblem(denied, 429, 'rate_limited');
    expect(denied.headers['cache-control']).toBe('no-store');
    expect(denied.headers).not.toHaveProperty('ratelimit');
    const seconds = Number(denied.headers['retry-after']);
    expect(denied.json()['retry_after']).toBe(seconds);
    expect((await get(targetOf(FAIR_USE.count))).status).toBe(200); // cached
    expect((await get(targetOf(1000), { headers: viewerIp('198.51.100.77') })).status).toBe(200);
    clock.wait(seconds * 1000);
    expect((await get(targetOf(1001))).status).toBe(200);
  },
);
