// Tests the timeline of several accounts over HTTP: statuses, missing accounts, charges and caching.
import { expect, test, vi } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import { createWithheld, parseWithheld } from '../../../shared/model/withheld.ts';
import type { FailedOutcome, Outcome, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { withhold } from '../../../shared/upstream/withhold.ts';
import { idsOf } from '../../support/browse-routes.ts';
import { createLimitedApp, TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, NOW, page, post, upstreamFindingAll, user } from '../../support/test-app.ts';

const TARGET = '/api/v1/timeline?handles=';

type Timelines = Readonly<Record<string, readonly string[] | FailedOutcome | 'protected'>>;

/** An upstream in which each account has one page of posts with these ids. */
const upstreamOf = (timelines: Timelines): Partial<Upstream> => ({
  async readProfile(handle): Promise<Outcome<User>> {
    const timeline = timelines[handle];
    if (timeline === undefined) return { kind: 'absent' };
    return typeof timeline === 'object' && 'kind' in timeline
      ? timeline
      : found(user(handle, { protected: timeline === 'protected' }));
  },
  async listPosts(request): Promise<Outcome<UpstreamPage<Post>>> {
    const handle = request.list === 'posts' ? request.handle : '';
    const timeline = timelines[handle];
    if (timeline === undefined) return { kind: 'ambiguous' };
    if (timeline === 'protected') return found(page<Post>([]));
    return 'kind' in timeline ? timeline : found(page(timeline.map((id) => post(id, handle))));
  },
});

const appOf = (timelines: Timelines) => createTestApp({ upstream: upstreamOf(timelines) });

/** Permalinks with the kind of their posts. */
const PERMALINKS = [
  ['', 'posts'],
  ['/with_replies', 'replies'],
  ['/media', 'media'],
] as const;

const DOWN = { kind: 'down', why: 'test' } as const;
const SUSPENDED = { kind: 'gone', reason: 'suspended' } as const;

test('[timelines 1] each spelling of a set of handles returns the same timeline, newest first', async () => {
  const { get } = appOf({ ada: ['9', '3'], bo: ['7', '5'] });
  const first = await get(`${TARGET}ada,bo&format=json`);
  expect(first.json()).toMatchObject({ handles: ['ada', 'bo'], kind: 'posts', missing: [], warnings: [] });
  expect(idsOf(first)).toEqual(['9', '7', '5', '3']);
  for (const handles of ['BO,%40Ada', 'bo,ada,BO', '%20ada%20,bo', 'bo,,ada,'])
    expect((await get(`${TARGET}${handles}&format=json`)).body).toBe(first.body);
});

test.each(PERMALINKS)('[timelines 6] the permalinks /ada,bo%s return the %s of the v1 route', async (path, kind) => {
  const { get } = appOf({ ada: ['9', '3'], bo: ['7', '5'] });
  for (const format of ['json', 'markdown', 'ndjson']) {
    const v1 = await get(`${TARGET}ada,bo&kind=${kind}&limit=2&format=${format}`);
    for (const handles of ['ada,bo', 'BO,@ada', 'bo,%20ada,BO,'])
      expect((await get(`/${handles}${path}?limit=2&format=${format}`)).body).toBe(v1.body);
  }
  const page = `https://api.example.test/ada,bo${path}`;
  const answer = await get(`/Bo,Ada${path}?limit=2`, { headers: { accept: 'text/html' } });
  expect(answer.headers['content-type']).toContain('text/html');
  // The posts have no media.
  if (kind !== 'media')
    expect(answer.headers['link']).toMatch(new RegExp(`^<${page}\\?limit=2&cursor=[^>]+>; rel="next"`));
  expect(answer.body).toContain(`href="${page}?limit=2&amp;format=markdown"`);
  expect(answer.body).toContain(`type="application/rss+xml" href="${page}?format=rss"`);
  const feed = await get(`/Bo,Ada${path}/rss`);
  expect(feed.headers['content-type']).toContain('application/rss+xml');
  expect(feed.body).toContain(`<link>${page}</link>`);
  expect(feed.body).toContain(`href="${page}/rss" rel="self"`);
});

test('[timelines 6] a path without a comma is a profile, and a path with other characters is no timeline', async () => {
  const { get } = appOf({ ada: ['9'], bo: ['7'] });
  expect((await get('/ada?format=json')).json()).toHaveProperty('profile');
  expect((await get('/ada,?format=json')).json()['handles']).toEqual(['ada']);
  for (const path of ['/,', '/%20,@', '/ada,b-o', '/ada,bo/followers/rss'])
    expectProblem(await get(path), 404, 'route_not_found');
  const many = Array.from({ length: 21 }, (_, index) => `a${index}`).join();
  expectProblem(await get(`/${many}`), 400, 'invalid_parameter');
  expectProblem(await get(`/ada,${'b'.repeat(16)}`), 400, 'invalid_handle');
});

test('[timelines 7] the page of a timeline names each account, the reason of a missing one, and leads to fewer and more', async () => {
  const { get } = appOf({ ada: ['9'], bo: 'protected', cy: ['7'] });
  const { body } = await get('/ada,bo,cy/media', { headers: { accept: 'text/html' } });
  for (const handle of ['ada', 'bo', 'cy']) expect(body).toContain(`<a href="/${handle}">@${handle}</a>`);
  expect(body).toContain('<small>protected</small>');
  expect(body).toMatch(/<a href="\/ada,cy\/media">.*Remove @bo/);
  expect(body).toContain('<input type="hidden" name="to" value="ada,bo,cy/media">');
  expect(body).toContain('<a href="/ada,bo,cy/with_replies">Replies</a>');
  expect(body).toContain('<a href="/ada,bo,cy/media" aria-current="page">Media</a>');
  expect((await get('/ada,bo', { headers: { accept: 'text/html' } })).body).toMatch(/<a href="\/ada">.*Remove @bo/);
});

test.each([
  ['', 'missing_parameter'],
  [',', 'invalid_handle'],
  ['ada,b-o', 'invalid_handle'],
  [Array.from({ length: 21 }, (_, index) => `a${index}`).join(), 'invalid_parameter'],
])('[timelines 1] the handles %o return 400 %s', async (handles, code) => {
  const { get } = appOf({});
  expect(expectProblem(await get(`${TARGET}${handles}`), 400, code)['errors']).toMatchObject([
    { parameter: 'handles' },
  ]);
});

test.each<[string, number, string, Timelines]>([
  ['all absent', 404, 'profile_not_found', {}],
  ['suspended and absent', 404, 'profile_not_found', { ada: SUSPENDED }],
  ['protected and absent', 404, 'profile_not_found', { ada: 'protected' }],
  ['all protected', 403, 'profile_protected', { ada: 'protected', bo: 'protected' }],
  ['failed and absent', 503, 'upstream_unavailable', { ada: DOWN }],
  ['failed and protected', 502, 'upstream_failed', { ada: { kind: 'failed', why: 'test' }, bo: 'protected' }],
])('[timelines 2] accounts that are %s return %i %s', async (_, status, code, timelines) => {
  expectProblem(await appOf(timelines).get(`${TARGET}ada,bo`), status, code);
});

test('[timelines 2] accounts that cannot be read are named in JSON and in Markdown', async () => {
  const { get } = appOf({ ada: ['9'], bo: 'protected', cy: SUSPENDED, ed: DOWN });
  const answer = await get(`${TARGET}ada,bo,cy,dan,ed&format=json`);
  expect(answer.json()).toMatchObject({
    missing: [
      { handle: 'bo', reason: 'protected' },
      { handle: 'cy', reason: 'suspended' },
      { handle: 'dan', reason: 'unknown' },
      { handle: 'ed', reason: 'failed' },
    ],
    warnings: [{ code: 'timeline_incomplete' }],
  });
  const { body } = await get(`${TARGET}ada,bo,cy,dan,ed&format=markdown`);
  expect(body).toContain('Missing: @bo (protected), @cy (suspended), @dan (not found), @ed (could not be read).');
});

test('[timelines 2] an account that fails keeps what was read of it and what ended beside it', async () => {
  const { listPosts, ...rest } = upstreamOf({ ada: ['9', '8'], bo: DOWN, cy: ['7', '6'] });
  const failing: Partial<Upstream> = {
    ...rest,
    listPosts: async (request, at, ...others) =>
      request.list !== 'posts' || request.handle !== 'cy'
        ? ((await listPosts?.(request, at, ...others)) ?? DOWN)
        : at.cursor === undefined
          ? found(
              page(
                ['7', '6'].map((id) => post(id, 'cy')),
                'next',
              ),
            )
          : DOWN,
  };
  const { get } = createTestApp({ upstream: failing });
  expect(idsOf(await get(`${TARGET}cy&format=json`))).toEqual(['7', '6']);
  const { next_cursor: next } = (await get(`${TARGET}ada,bo&format=json`)).json();
  const later = await get(`${TARGET}ada,bo&format=json&cursor=${next}`);
  expect(later.json()).toMatchObject({ posts: [], missing: [{ handle: 'bo', reason: 'failed' }] });
});

test('[timelines 2] an account that does not answer is named, and is there on the next page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { listPosts, ...rest } = upstreamOf({ ada: ['9'], bo: ['7'] });
    const slow: Partial<Upstream> = {
      ...rest,
      async listPosts(request, ...others) {
        if (request.list === 'posts' && request.handle === 'bo')
          await new Promise((resolve) => setTimeout(resolve, 5000));
        return (await listPosts?.(request, ...others)) ?? DOWN;
      },
    };
    const { get } = createTestApp({ upstream: slow });
    const answer = get(`${TARGET}ada,bo&format=json`);
    await vi.advanceTimersByTimeAsync(2500);
    const first = await answer;
    expect(idsOf(first)).toEqual(['9']);
    expect(first.json()['missing']).toEqual([{ handle: 'bo', reason: 'failed' }]);
    const next = get(`${TARGET}ada,bo&format=json&cursor=${first.json()['next_cursor']}`);
    await vi.advanceTimersByTimeAsync(5000);
    expect(idsOf(await next)).toEqual(['7']);
  } finally {
    vi.useRealTimers();
  }
});

test('[withheld 1] [withheld 2] withheld accounts are named, withheld posts are left out with the warning', async () => {
  const entries = [{ profile: 'Bo' }, { post: '9' }].map((entry) => ({ ...entry, reason: 'court' }));
  const list = parseWithheld(entries);
  if ('problem' in list) throw new Error(list.problem);
  const upstream = { ...upstreamFindingAll, ...upstreamOf({ ada: ['9', '3'], bo: ['7'] }) };
  const { get } = createTestApp({ upstream: withhold(upstream, () => createWithheld(list, () => NOW)) });
  const answer = await get(`${TARGET}ada,bo&format=json`);
  expect(idsOf(answer)).toEqual(['3']);
  expect(answer.json()).toMatchObject({
    missing: [{ handle: 'bo', reason: 'withheld' }],
    warnings: [{ code: 'withheld' }],
  });
  for (const target of ['/ada,bo?format=markdown', '/ada,bo?format=atom', '/ada,bo/rss', '/ada,bo/with_replies']) {
    const { status, body } = await get(target, { headers: { accept: 'text/html' } });
    expect([target, status]).toEqual([target, 200]);
    expect(body).toContain('/ada/status/3');
    expect(body).not.toMatch(/status\/[79]\b/);
  }
  expectProblem(await get(`${TARGET}bo,bo`), 451, 'withheld_by_operator');
  expectProblem(await get(`${TARGET}bo,absent`), 451, 'withheld_by_operator');
});

test('[timelines 7] many accounts are folded, and the page of an error has them in its box', async () => {
  const headers = { accept: 'text/html' };
  const { get } = appOf({ ada: ['9'] });
  const eight = 'ada,b1,b2,b3,b4,b5,b6,b7';
  expect((await get(`/${eight}`, { headers })).body).not.toContain('<details><summary>Show');
  const { body } = await get(`/${eight},b8`, { headers });
  expect(body).toMatch(
    /<details><summary>Show and change the accounts<.*name="to".*<\/details><p class="meta">Missing: @b1/,
  );
  const many = Array.from({ length: 21 }, (_, index) => `a${index}`).join();
  const refused = await get(`/${many}`, { headers });
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(`name="q" value="${many}"`)]);
  expect(refused.body).toContain('<h1>These are too many accounts.</h1>');
});

const FIVE = 'a1,a2,a3,a4,a5';
const FIVE_TIMELINES: Timelines = Object.fromEntries(
  FIVE.split(',').map((handle, index) => [handle, [`${index + 10}`]]),
);

const limitedApp = (count: number) =>
  createLimitedApp({
    upstream: upstreamOf(FIVE_TIMELINES),
    memoryMilliseconds: 60_000,
    access: { allowances: { browse: { ...TINY_ALLOWANCES.browse, anonymous: { count, seconds: 60 } } } },
  });

test('[timelines 3] a timeline charges one unit for each account that is not in the cache', async () => {
  const { get } = limitedApp(7);
  const statusOf = async (handles: string): Promise<number> => (await get(`${TARGET}${handles}&format=json`)).status;
  expect(await statusOf(FIVE)).toBe(200);
  expect(await statusOf(FIVE)).toBe(200);
  // Two units are left.
  expect(await statusOf(`${FIVE},b1,b2,b3`)).toBe(429);
  expect(await statusOf(`${FIVE},b1,b2`)).toBe(200);
  expect(await statusOf('b3')).toBe(429);
});

test.each(PERMALINKS)(
  '[timelines 3] the permalinks /a,b%s and their feeds charge what the v1 route charges',
  async (path) => {
    const { get } = limitedApp(5);
    for (const target of [`/${FIVE}${path}`, `/${FIVE}${path}/rss`]) expect((await get(target)).status).toBe(200);
    expectProblem(await get(`/b1,${path}`), 429, 'rate_limited');
  },
);

test('[timelines 3] a timeline of more accounts than the allowance has units charges the whole allowance', async () => {
  const { get } = limitedApp(3);
  expect((await get(`${TARGET}${FIVE}&format=json`)).status).toBe(200);
  expectProblem(await get(`${TARGET}a6&format=json`), 429, 'rate_limited');
});

test.each([
  [{ ada: ['9'], bo: 'protected' }, 's-maxage=900'],
  [{ ada: ['9'], bo: DOWN }, 's-maxage=60'],
] satisfies [Timelines, string][])('[timelines 4] the feed of %j is kept with %s', async (timelines, field) => {
  const { get } = appOf(timelines);
  const { headers } = await get(`${TARGET}ada,bo&format=atom`);
  expect(headers['cache-control']).toContain(field);
});
