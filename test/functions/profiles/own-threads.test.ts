// Tests how lists show the threads of an account, and how their feeds name and date the posts.
import { expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import { snowflakeTime } from '../../../shared/model/snowflake.ts';
import { idsOf } from '../../support/browse-routes.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

const SNOWFLAKE_EPOCH = 1288834974657n;

/** The id of a post of an instant. */
const idAt = (instant: string, sequence = 0n): string =>
  String(((BigInt(Date.parse(instant)) - SNOWFLAKE_EPOCH) << 22n) + sequence);

const at = (instant: string, members: Partial<Post> = {}): Post => {
  const id = idAt(instant);
  return { ...post(id, 'ada'), created_at: `${instant.slice(0, 19)}Z`, ...members };
};

const answers = (parent: Post, instant: string, handle = 'ada'): Post =>
  at(instant, { text: `part of ${instant.slice(11)}`, in_reply_to: { handle, id: parent.id } });

const appWith = (timeline: (handle: string) => readonly Post[]) =>
  createTestApp({
    upstream: {
      readProfile: async (handle) => found(user(handle)),
      listPosts: async (request) => found(page(request.list === 'posts' ? timeline(request.handle) : timeline('ada'))),
    },
  });

const FIRST = at('2026-11-22T09:00:00.000Z');
const SECOND = answers(FIRST, '2026-11-22T09:00:00.150Z');
const THIRD = answers(SECOND, '2026-11-22T09:00:00.300Z');
const TO_OTHER = answers(at('2026-11-20T09:00:00.000Z'), '2026-11-23T09:00:00.000Z', 'bo');
const ALONE = at('2026-11-21T09:00:00.000Z');
const TIMELINE = [TO_OTHER, THIRD, SECOND, FIRST, ALONE];

const PATHS = ['/api/v1/profiles/ada/posts', '/api/v1/timeline?handles=ada,bo', '/ada'];

const withFormat = (path: string, format: string): string => `${path}${path.includes('?') ? '&' : '?'}format=${format}`;

test.each(PATHS)('[lists 14] %s says that a thread goes on, with the parts seen and a link', async (path) => {
  const { get } = appWith((handle) => (handle === 'ada' ? TIMELINE : []));
  expect(idsOf(await get(withFormat(path, 'json')))).toEqual([FIRST.id, ALONE.id]);
  const url = `https://api.example.test/ada/status/${FIRST.id}`;
  const markdown = (await get(withFormat(path, 'markdown'))).body;
  expect(markdown).toContain(`Thread of 3 posts: <${url}>`);
  expect(markdown.match(/Thread of/g)).toHaveLength(1);
  if (path !== '/api/v1/timeline?handles=ada,bo' && path !== '/ada') return;
  const html = (await get(path === '/ada' ? path : '/ada,bo', { headers: { Accept: 'text/html' } })).body;
  expect(html).toContain(
    `<a href="/ada/status/${FIRST.id}" class="on" tabindex="-1">Show this thread, 3 posts or more</a>`,
  );
  expect(html.match(/Show this thread/g)).toHaveLength(1);
});

test.each(['', '&kind=replies', '&threads=merged', '&threads=merged&kind=media'])(
  '[lists 14] the item of a thread in a feed with "%s" says Thread, with the parts seen and a link',
  async (query) => {
    const { get } = appWith(() => TIMELINE);
    const feed = (await get(`/api/v1/profiles/ada/posts?format=jsonfeed${query}`)).json();
    const items = feed['items'] as readonly Record<string, string>[]; // a JSON Feed
    const marked = items.filter((item) => item['content_html']?.includes('Thread of 3 posts</a>'));
    const isMedia = query.includes('media');
    expect(marked).toHaveLength(isMedia ? 0 : 1);
    if (isMedia) return;
    expect(marked[0]?.['content_html']).toContain(`href="https://api.example.test/ada/status/${FIRST.id}"`);
    // Readers notice that the item has changed.
    expect(marked[0]?.['date_published']).toBe('2026-11-22T09:00:00.000Z');
    expect(marked[0]?.['date_modified']).toBe('2026-11-22T09:00:00.300Z');
  },
);

test('[lists 15] the parts of a thread of one second keep their order: the time of an item has the millisecond of its id', async () => {
  const unknown = { ...at('2026-11-22T08:59:59.999Z'), created_at: undefined };
  // The provider says another time than the id, so the time counts.
  const other = { ...at('2026-11-22T08:00:00.250Z'), created_at: '2026-11-22T07:00:00Z' };
  const { get } = appWith(() => [THIRD, SECOND, FIRST, unknown, other, post('20', 'ada')]);
  const { body } = await get('/api/v1/profiles/ada/posts?kind=replies&format=atom');
  expect([...body.matchAll(/<published>(.*?)<\/published>/g)].map(([, time]) => time)).toEqual([
    '2026-11-22T09:00:00.300Z',
    '2026-11-22T09:00:00.150Z',
    '2026-11-22T09:00:00.000Z',
    '2026-11-22T08:59:59.999Z',
    '2026-11-22T07:00:00.000Z',
    '2006-03-21T20:50:14.000Z',
  ]);
});

test('[lists 16] the id of an item does not change with the letter case of a handle, and older items keep theirs', async () => {
  const LAST_OLD = at('2026-11-14T23:59:59.999Z');
  const FIRST_NEW = at('2026-11-15T00:00:00.000Z');
  const spelled = (handle: string, { id, ...members }: Post): Post => ({
    ...members,
    id,
    url: `https://x.com/${handle}/status/${id}`,
    author: user(handle),
  });
  const idsIn = async (handle: string, query = ''): Promise<readonly (string | undefined)[]> => {
    const posts = [THIRD, SECOND, FIRST_NEW, LAST_OLD, post('20', 'ada')].map((each) => spelled(handle, each));
    const { get } = appWith(() => posts);
    const { body } = await get(`/api/v1/profiles/ada/posts?format=rss&kind=replies${query}`);
    return [...body.matchAll(/<guid[^>]*>(.*?)<\/guid>/g)].map(([, id]) => id);
  };
  const old = [`https://x.com/ada/status/${LAST_OLD.id}`, 'https://x.com/ada/status/20'];
  const ids = await idsIn('ada');
  expect(ids).toEqual([...[THIRD, SECOND, FIRST_NEW].map(({ id }) => `https://x.com/i/status/${id}`), ...old]);
  expect((await idsIn('ADA')).slice(0, 3)).toEqual(ids.slice(0, 3));
  // The first known post of the thread is not on the page.
  const merged = [FIRST, FIRST_NEW].map(({ id }) => `https://x.com/i/status/${id}`);
  expect(await idsIn('ada', '&threads=merged')).toEqual([...merged, ...old]);
  expect((await idsIn('ADA', '&threads=merged')).slice(0, 2)).toEqual(merged);
  expect(snowflakeTime(FIRST_NEW.id)).toBe(BigInt(Date.UTC(2026, 10, 15)));
});
