// Tests `reposts` of profiles, their posts and timelines, and `threads=merged` of their feeds.
import { XMLValidator } from 'fast-xml-parser';
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

/** Ada answered a post of Cy, and reposted it, a post of Bo, and a post of her own; Bo reposted the post of Cy. */
const TIMELINES: Readonly<Record<string, readonly Post[]>> = {
  ada: [
    dated('10', 'cy'), // the post that the next one answers
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
  expect(plain.body).toContain('<a href="/ada?reposts=include">Show reposts</a>');
  expect(plain.body).not.toContain(' reposted</p>');
  const including = await get('/ada?reposts=include', { headers: { accept: 'text/html' } });
  expect(including.body).toContain('<a href="/ada">Hide reposts</a>');
  expect(including.body).toContain(' reposted</p>');
  expect(including.body).toMatch(/href="[^"]+reposts=include[^"]*format=rss"/);
  const media = await get('/ada/media', { headers: { accept: 'text/html' } });
  expect(media.body).not.toContain('reposts');
});

// Feeds with `threads=merged` have one item for each thread of an account.

const part = (id: string, answered?: string, handle = 'ada'): Post => ({
  ...post(id, 'ada'),
  text: `part ${id}`,
  created_at: `2026-03-${id.padStart(2, '0')}T12:00:00.000Z`,
  ...(answered !== undefined && { in_reply_to: { handle, id: answered } }),
});

/** A thread of 5, 6 and 8, a post, an answer to another account, and the end of a thread that began before the page. */
const POSTS = [part('9', '1', 'bo'), part('8', '6'), part('7'), part('6', '5'), part('5'), part('4', '3')];

const feedApp = (posts: readonly Post[]) =>
  createTestApp({
    upstream: {
      readProfile: async (handle) => found(user(handle)),
      listPosts: async () => found(page(posts)),
    },
  });

interface Item {
  readonly id: string;
  readonly content_html: string;
  readonly date_published: string;
  readonly date_modified?: string;
}

const itemsOf = async (posts: readonly Post[], path: string): Promise<readonly Item[]> => {
  const { body } = await feedApp(posts).get(`${path}format=jsonfeed&threads=merged`);
  return JSON.parse(body).items;
};

const url = (id: string): string => `https://x.com/ada/status/${id}`;

const PATHS = [
  '/api/v1/profiles/ada/posts?',
  '/api/v1/timeline?handles=ada&',
  '/api/v1/profiles/ada/posts?kind=media&',
];

test.each(PATHS)('[reposts 4] %s has one item for a thread, with the text of its parts in order', async (path) => {
  const items = await itemsOf(POSTS, path);
  const thread = items.find(({ id }) => id === url('5'));
  expect(thread?.content_html).toMatch(
    path.includes('media') ? /part 6.*<hr\/>.*part 8/ : /part 5.*<hr\/>.*part 6.*<hr\/>.*part 8/,
  );
  expect(thread?.date_modified).toBe('2026-03-08T12:00:00.000Z');
  if (!path.includes('media')) expect(items.map(({ id }) => id)).toEqual([url('5'), url('7'), url('3')]);
});

test('[reposts 4] the id of a thread stays while it grows and its first post leaves the page', async () => {
  const path = PATHS[0] ?? '';
  const idOf = async (posts: readonly Post[]): Promise<string | undefined> => (await itemsOf(posts, path))[0]?.id;
  expect(await idOf([part('5')])).toBe(url('5'));
  expect(await idOf([part('6', '5'), part('5')])).toBe(url('5'));
  expect(await idOf([part('8', '6'), part('6', '5')])).toBe(url('5'));
});

test.each(['rss', 'atom'])(
  '[reposts 4] %s of merged threads is well-formed, and names the latest time',
  async (format) => {
    const { body } = await feedApp(POSTS).get(`/api/v1/profiles/ada/posts?format=${format}&threads=merged`);
    expect(XMLValidator.validate(body)).toBe(true);
    expect(body).toContain(format === 'atom' ? '<updated>2026-03-08T12:00:00.000Z</updated>' : 'Sun, 08 Mar 2026');
  },
);

test.each(PATHS)('[reposts 4] %s merges threads only in feeds, and only if they are asked for', async (path) => {
  const { get } = feedApp(POSTS);
  for (const format of ['', 'format=json&', 'format=markdown&', 'format=ndjson&'])
    expect(
      expectProblem(await get(`${path}${format}threads=merged`), 400, 'invalid_parameter')['errors'],
    ).toMatchObject([{ parameter: 'threads' }]);
  expectProblem(await get(`${path}format=rss&threads=all`), 400, 'invalid_parameter');
  const { items } = JSON.parse((await get(`${path}format=jsonfeed`)).body);
  expect(items.map(({ id }: Item) => id)).toEqual(path.includes('media') ? [] : [url('7'), url('5')]);
});
