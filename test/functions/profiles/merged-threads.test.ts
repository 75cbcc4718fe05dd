// Tests `threads=merged`: feeds with one item for each thread of an account.
import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

const part = (id: string, answered?: string, handle = 'ada'): Post => ({
  ...post(id, 'ada'),
  text: `part ${id}`,
  created_at: `2026-03-${id.padStart(2, '0')}T12:00:00.000Z`,
  ...(answered !== undefined && { in_reply_to: { handle, id: answered } }),
});

/** A thread of 5, 6 and 8, a post, an answer to another account, and the end of a thread that began before the page. */
const POSTS = [part('9', '1', 'bo'), part('8', '6'), part('7'), part('6', '5'), part('5'), part('4', '3')];

const appOf = (posts: readonly Post[]) =>
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
  const { body } = await appOf(posts).get(`${path}format=jsonfeed&threads=merged`);
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
    const { body } = await appOf(POSTS).get(`/api/v1/profiles/ada/posts?format=${format}&threads=merged`);
    expect(XMLValidator.validate(body)).toBe(true);
    expect(body).toContain(format === 'atom' ? '<updated>2026-03-08T12:00:00.000Z</updated>' : 'Sun, 08 Mar 2026');
  },
);

test.each(PATHS)('[reposts 4] %s merges threads only in feeds, and only if they are asked for', async (path) => {
  const { get } = appOf(POSTS);
  for (const format of ['', 'format=json&', 'format=markdown&', 'format=ndjson&'])
    expect(
      expectProblem(await get(`${path}${format}threads=merged`), 400, 'invalid_parameter')['errors'],
    ).toMatchObject([{ parameter: 'threads' }]);
  expectProblem(await get(`${path}format=rss&threads=all`), 400, 'invalid_parameter');
  const { items } = JSON.parse((await get(`${path}format=jsonfeed`)).body);
  expect(items.map(({ id }: Item) => id)).toEqual(path.includes('media') ? [] : [url('7'), url('5')]);
});
