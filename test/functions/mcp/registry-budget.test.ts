// Checks that a result keeps to its budget by leaving out items at its end, and that its cursor continues after the last
// item that is left.
import { describe, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { upstreamWithLists } from '../../support/browse-routes.ts';
import { createTestRegistry, resultText, splitResultText } from '../../support/mcp-registry.ts';
import { postOf } from '../../support/post-models.ts';
import { conversation, found, page, post, user } from '../../support/test-app.ts';

const LISTS = [
  ['x_get_profile', { handle: 'jack' }, 'posts'],
  ['x_list_posts', { handle: 'ada', kind: 'replies' }, 'posts'],
  ['x_list_replies', { id: '7' }, 'posts'],
  ['x_list_replies', { id: '7', kind: 'quotes' }, 'posts'],
  ['x_list_replies', { id: '7', kind: 'reposts' }, 'users'],
  ['x_list_followers', { handle: 'jack' }, 'users'],
  ['x_list_following', { handle: 'jack' }, 'users'],
  ['x_search_posts', { q: 'x' }, 'posts'],
] as const;

/** @returns the handles of accounts, or the ids of posts */
const keysOf = (items: unknown): readonly string[] =>
  (Array.isArray(items) ? items : []).map((item) => String(Reflect.get(item, 'handle') ?? Reflect.get(item, 'id')));

const FORMATS = ['markdown', 'json'] as const;

/** @returns the items of a text: the ids of posts, or the handles of accounts */
const keysInText = (text: string, member: string): readonly string[] =>
  [...text.matchAll(member === 'posts' ? /\/status\/(\d+)\)/g : /\]\(https:\/\/x\.com\/(\w+)\)/g)].map(
    ([, key = '']) => key,
  );

describe.each(FORMATS)('[mcp 3] a list as %s', (format) => {
  test.each(LISTS)('%s %j has every item exactly once over the pages of any budget', async (name, args, member) => {
    const { call } = createTestRegistry({ upstream: upstreamWithLists(40) });
    const whole = await call(name, { ...args, limit: 50, format: 'json' });
    const keys = keysOf(whole.structuredContent?.[member]);
    expect(whole.structuredContent).not.toHaveProperty('next_cursor');
    for (const tokens of [300, 500, 1000, 3000]) {
      const read: string[] = [];
      let pages = 0;
      for (let cursor: unknown; pages < 50; pages += 1) {
        const result = await call(name, {
          ...args,
          limit: 50,
          max_tokens: tokens,
          format,
          ...(cursor !== undefined && { cursor }),
        });
        const text = resultText(result);
        expect(Buffer.byteLength(text), `${tokens}`).toBeLessThanOrEqual(4 * tokens);
        if (format === 'json') read.push(...keysOf(result.structuredContent?.[member]));
        else read.push(...keysInText(splitResultText(text).quote.join('\n'), member));
        cursor =
          format === 'json' ? result.structuredContent?.['next_cursor'] : /with cursor "([^"]+)"/.exec(text)?.[1];
        if (cursor === undefined) break;
      }
      const unique = [...new Set(read)].filter((key) => keys.includes(key));
      expect(unique, `${tokens}`).toEqual(keys);
      if (format === 'json') expect(read, `${tokens}`).toEqual(keys);
    }
  });
});

test.each(FORMATS)('[mcp 3] a list of characters of three bytes keeps to its budget as %s', async (format) => {
  const posts = Array.from({ length: 20 }, (_, index) => postOf({ id: String(100 + index), text: '灯'.repeat(60) }));
  const { call } = createTestRegistry({ upstream: { listPosts: async () => found(page(posts)) } });
  const result = await call('x_search_posts', { q: 'x', max_tokens: 600, format });
  expect(Buffer.byteLength(resultText(result))).toBeLessThanOrEqual(2400);
});

describe('[mcp 3] bounds of JSON', () => {
  test('a list that is cut has the warnings truncated and partial_page, and says how many items fit', async () => {
    const { call } = createTestRegistry({ upstream: upstreamWithLists(40) });
    const { structuredContent } = await call('x_search_posts', { q: 'x', format: 'json', max_tokens: 600 });
    expect(structuredContent?.['warnings']).toMatchObject([
      { code: 'partial_page' },
      { code: 'truncated', message: expect.stringMatching(/^Cut to max_tokens: the first \d of 20 items fit\.$/) },
    ]);
    expect(structuredContent?.['next_cursor']).toBeTypeOf('string');
  });

  test('a list that fits has no warning', async () => {
    const { call } = createTestRegistry({ upstream: upstreamWithLists(20) });
    const { structuredContent } = await call('x_search_posts', { q: 'x', format: 'json', limit: 3 });
    expect(structuredContent).toMatchObject({ warnings: [] });
  });

  const longText = '"word" 灯 🐋\n'.repeat(20_000);
  const upstream: Partial<Upstream> = {
    readPost: async ({ id }) => found({ ...conversation(id), post: { ...post(id), text: longText } }),
  };

  test.each([100, 200, 500, 1000, 6000])('a post that is too long is cut to %d tokens', async (tokens) => {
    const { call } = createTestRegistry({ upstream });
    const result = await call('x_get_post', { id: '20', format: 'json', max_tokens: tokens });
    expect(Buffer.byteLength(resultText(result))).toBeLessThanOrEqual(4 * tokens);
    expect(result.structuredContent).toMatchObject({
      post: { id: '20', text: expect.stringMatching(/^"word".*…$/s) },
      warnings: [{ code: 'truncated' }],
    });
    // The text uses most of the budget.
    if (tokens > 500) expect(Buffer.byteLength(resultText(result))).toBeGreaterThan(3.8 * tokens);
    if (tokens > 200) expect(result.structuredContent?.['post']).toHaveProperty('url');
  });

  test.each([6001, 200_001, '9'.repeat(30)])('max_tokens %s is taken as the maximum, and said', async (tokens) => {
    const { call } = createTestRegistry({ upstream });
    const note = 'max_tokens is at most 6000: 6000 was used.';
    const text = resultText(await call('x_get_post', { id: '20', max_tokens: tokens }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
    expect(text).toContain(note);
    const json = await call('x_get_post', { id: '20', max_tokens: tokens, format: 'json' });
    expect(Buffer.byteLength(resultText(json))).toBeLessThanOrEqual(24_000);
    expect(json.structuredContent).toMatchObject({ notes: [note] });
  });

  test('a conversation keeps the posts nearest to the post, and says how many are left out', async () => {
    const upstream: Partial<Upstream> = {
      readPost: async ({ id }) =>
        found({
          ...conversation(id),
          thread: Array.from({ length: 10 }, (_, index) =>
            postOf({ id: String(100 + index), text: 'word '.repeat(60) }),
          ),
          replies: Array.from({ length: 10 }, (_, index) =>
            postOf({ id: String(200 + index), text: 'word '.repeat(60) }),
          ),
        }),
    };
    const { call } = createTestRegistry({ upstream });
    const result = await call('x_get_post', { id: '20', format: 'json', max_tokens: 1500 });
    expect(Buffer.byteLength(resultText(result))).toBeLessThanOrEqual(6000);
    const thread = keysOf(result.structuredContent?.['thread']);
    expect(thread.length).toBeGreaterThan(2);
    expect(thread).toEqual(Array.from({ length: thread.length }, (_, index) => String(100 + index)));
    expect(result.structuredContent).toMatchObject({
      replies: [],
      warnings: [
        { code: 'truncated', message: expect.stringContaining(`${20 - thread.length} posts of the conversation`) },
      ],
    });
    const shortest = await call('x_get_post', { id: '20', format: 'json', max_tokens: 100 });
    expect(shortest.structuredContent).toMatchObject({
      thread: [],
      warnings: [
        {
          code: 'truncated',
          message: 'Cut to max_tokens: long texts end early, and the conversation lacks 20 posts.',
        },
      ],
    });
  });

  test.each(FORMATS)('several posts as %s name the ids of those that are left out', async (format) => {
    const upstream: Partial<Upstream> = {
      readPost: async ({ id }) => found({ ...conversation(id), post: { ...post(id), text: 'word '.repeat(60) } }),
    };
    const { call } = createTestRegistry({ upstream });
    const ids = Array.from({ length: 20 }, (_, index) => String(100 + index));
    const read: string[] = [];
    for (let rest = ids; rest.length > 0; ) {
      const text = resultText(await call('x_get_posts', { ids: rest, format, max_tokens: 700 }));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2800);
      const [, named = ''] = /the others have the ids ([\d,]+)/.exec(text) ?? [];
      const others = named.split(',').filter((id) => id !== '');
      read.push(...rest.slice(0, rest.length - others.length));
      for (const id of rest) expect(text.includes(`/status/${id}`), id).toBe(!others.includes(id));
      expect(others.length).toBeLessThan(rest.length);
      rest = others;
    }
    expect(read).toEqual(ids);
  });

  test('an account with a very long biography is cut', async () => {
    const upstream: Partial<Upstream> = {
      readProfile: async (handle) => found(user(handle, { bio: longText, name: longText })),
      listPosts: async () => found(page([])),
    };
    const { call } = createTestRegistry({ upstream });
    const result = await call('x_get_profile', { handle: 'jack', format: 'json', max_tokens: 400 });
    expect(Buffer.byteLength(resultText(result))).toBeLessThanOrEqual(1600);
    expect(result.structuredContent).toMatchObject({ profile: { handle: 'jack' }, posts: [] });
  });
});
