// Tests `reposts` of profiles, their posts and timelines.
import { expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { PostListRequest } from '../../../shared/ports/upstream.ts';
import { idsOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

const DAYS: Readonly<Record<string, string>> = { 50: '05', 40: '04', 31: '03', 30: '03', 20: '02', 10: '01' };

const dated = (id: string, handle: string): Post => ({
  ...post(id, handle),
  created_at: `2026-03-${DAYS[id]}T12:00:00.000Z`,
});

const repost = (id: string, author: string, by: string): Post => ({ ...dated(id, author), reposted_by: user(by) });

/** Ada reposted a post of Cy, a post of Bo, and a post of her own; Bo reposted the post of Cy. */
const TIMELINES: Readonly<Record<string, readonly Post[]>> = {
  ada: [
    dated('50', 'ada'),
    repost('10', 'cy', 'ada'),
    repost('31', 'bo', 'ada'),
    dated('30', 'ada'),
    repost('20', 'ada', 'ada'),
    dated('20', 'ada'),
  ],
  bo: [dated('40', 'bo'), dated('31', 'bo'), repost('10', 'cy', 'bo')],
};

const createApp = () => {
  const requests: PostListRequest[] = [];
  const app = createTestApp({
    upstream: {
      readProfile: async (handle) => found(user(handle)),
      listPosts: async (request) => {
        requests.push(request);
        return found(page(request.list === 'posts' ? (TIMELINES[request.handle] ?? []) : []));
      },
    },
  });
  return { ...app, requests };
};

test.each([
  ['/api/v1/profiles/ada/posts', ['50', '30', '20'], ['50', '10', '31', '30', '20']],
  ['/api/v1/profiles/ada/posts?kind=replies', ['50', '30', '20'], ['50', '10', '31', '30', '20']],
  ['/api/v1/profiles/ada/posts?kind=media', [], []],
  ['/api/v1/profiles/ada', ['50', '30', '20'], ['50', '10', '31', '30', '20']],
  ['/ada', ['50', '30', '20'], ['50', '10', '31', '30', '20']],
  ['/api/v1/timeline?handles=ada,bo', ['50', '40', '31', '30', '20'], ['50', '40', '10', '31', '30', '20']],
])(
  '[reposts 1] [reposts 2] %s lists reposts only if they are included, each post once',
  async (path, without, including) => {
    const { get, requests } = createApp();
    const target = `${path}${path.includes('?') ? '&' : '?'}format=json`;
    expect(idsOf(await get(target))).toEqual(without);
    expect(idsOf(await get(`${target}&reposts=exclude`))).toEqual(without);
    expect(requests.some((request) => 'reposts' in request)).toBe(false);
    const answer = await get(`${target}&reposts=include`);
    expect(idsOf(answer)).toEqual(including);
    if (including.length > 0)
      expect(answer.json()['posts']).toContainEqual(
        expect.objectContaining({ id: '10', reposted_by: expect.objectContaining({ handle: 'ada' }) }),
      );
  },
);

test('[reposts 1] a period counts a repost at its place', async () => {
  const { get } = createApp();
  const idsBetween = async (period: string) =>
    idsOf(await get(`/api/v1/profiles/ada/posts?reposts=include&format=json&${period}`));
  expect(await idsBetween('since=2026-03-03')).toEqual(['50', '10', '31', '30']);
  expect(await idsBetween('until=2026-03-03')).toEqual(['20']);
});

test('[reposts 1] the cursors of lists with reposts and without them differ, and other values are 400', async () => {
  const { get } = createApp();
  for (const path of ['/api/v1/profiles/ada?', '/api/v1/profiles/ada/posts?', '/api/v1/timeline?handles=ada,bo&']) {
    const first = await get(`${path}format=json&reposts=include&limit=2`);
    const next = `${path}format=json&limit=2&cursor=${first.json()['next_cursor']}`;
    expect((await get(`${next}&reposts=include`)).status).toBe(200);
    expectProblem(await get(next), 400, 'invalid_cursor');
    expectProblem(await get(`${path}reposts=all`), 400, 'invalid_parameter');
  }
});

test('[reposts 3] Markdown, feeds and pages say who reposted, and the page leads to its reposts and back', async () => {
  const { get } = createApp();
  const markdown = await get('/api/v1/profiles/ada/posts?reposts=include&format=markdown');
  expect(markdown.body).toContain('Reposted by ');
  expect(markdown.body).toContain('@cy');
  const feed = await get('/api/v1/timeline?handles=ada,bo&reposts=include&format=rss');
  expect(feed.body).toContain('Reposted by ');
  const plain = await get('/ada', { headers: { accept: 'text/html' } });
  expect(plain.body).toContain('<a href="/ada?reposts=include">With reposts</a>');
  expect(plain.body).not.toContain(' reposted</p>');
  const including = await get('/ada?reposts=include', { headers: { accept: 'text/html' } });
  expect(including.body).toContain('<a href="/ada">Without reposts</a>');
  expect(including.body).toContain(' reposted</p>');
  expect(including.body).toMatch(/href="[^"]+reposts=include[^"]*format=rss"/);
  const media = await get('/ada/media', { headers: { accept: 'text/html' } });
  expect(media.body).not.toContain('reposts');
});
