import { describe, expect, test } from 'vitest';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { conversation, found, page, post, user } from '../../support/test-app.ts';

/** What a provider was asked, and what came of it. */
const asking = async (name: string, args: object) => {
  const asked: object[] = [];
  const { call, log } = createTestRegistry({
    upstream: {
      readPost: async (request) => {
        asked.push(request);
        return found(conversation(request.id));
      },
      readProfile: async (handle) => {
        asked.push({ handle });
        return found(user(handle));
      },
      listPosts: async (request, { size }) => {
        asked.push({ ...request, size });
        return found(page([post('20')]));
      },
      listUsers: async (request, { size }) => {
        asked.push({ ...request, size });
        return found(page([user('ada')]));
      },
    },
  });
  const result = await call(name, args);
  return { asked, result, text: resultText(result), log };
};

const POSTS: readonly object[] = [
  { url: 'https://x.com/jack/status/20' },
  { url: ' twitter.com/jack/status/20?s=20 ' },
  { url: 'https://api.example.test/jack/status/20' },
  { url: '20' },
  { id: '20' },
  { id: 'https://x.com/jack/status/20' },
  { id: '20', handle: 'jack' },
  { id: '20', handle: 'https://x.com/jack' },
  { id: '20', url: 'https://x.com/jack/status/20' },
  { id: 'https://x.com/i/status/20', url: '20' },
  { url: 'https://x.com/jack/status/20', handle: 'jack' },
  { link: 'https://x.com/jack/status/20' },
  { tweet_url: 'https://x.com/jack/status/20' },
  { post_url: 'https://x.com/jack/status/20' },
  { tweet_id: '20' },
  { post_id: '20' },
  { status_id: '20' },
  { tweetId: '20' },
  { 'status-id': '20' },
  { tweet_id: '21', id: '20' },
  { id: '20', url: null, handle: '' },
  { id: '20', whatever: { is: 'ignored' } },
];

describe('a post is found', () => {
  test.each(POSTS)('by %j', async (args) => {
    expect((await asking('x_get_post', args)).asked).toEqual([{ id: '20', thread: 'full', replies: 'top' }]);
  });

  test.each([
    [
      { thread: 'off', replies: 'off' },
      { thread: 'off', replies: 'off' },
    ],
    [
      { thread: false, replies: false },
      { thread: 'off', replies: 'off' },
    ],
    [
      { thread: true, replies: true },
      { thread: 'full', replies: 'top' },
    ],
    [{ thread: 5 }, { thread: 5, replies: 'top' }],
    [{ thread: '5' }, { thread: 5, replies: 'top' }],
  ])('with %j', async (args, wanted) => {
    expect((await asking('x_get_post', { id: '20', ...args })).asked).toEqual([{ id: '20', ...wanted }]);
  });
});

describe('a profile is found', () => {
  test.each([
    { handle: 'jack' },
    { handle: '@jack' },
    { handle: 'https://x.com/jack' },
    { handle: 'x.com/@jack' },
    { handle: 'https://twitter.com/jack/with_replies?lang=en' },
    { handle: 'https://mobile.twitter.com/jack/status/20' },
    { handle: 'https://api.example.test/jack' },
    { username: 'jack' },
    { screen_name: 'jack' },
    { screenName: 'jack' },
    { user: '@jack' },
    { account: 'jack' },
    { url: 'https://x.com/jack' },
    { handle: 'jack', username: 'ada' },
    { handle: null, username: 'jack' },
  ])('by %j', async (args) => {
    for (const name of ['x_list_followers', 'x_list_following', 'x_get_profile'])
      expect((await asking(name, args)).asked).toEqual(
        expect.arrayContaining([expect.objectContaining({ handle: 'jack' })]),
      );
  });

  test.each([
    { handle: 'https://x.com/i' },
    { handle: 'https://x.com/search?q=jack' },
    { handle: 'https://evil.example/jack' },
    { handle: 'https://jack@x.com/jack' },
    { handle: 'not a handle' },
    { handle: true },
    { handle: ['jack'] },
  ])('never by %j', async (args) => {
    const { asked, result } = await asking('x_get_profile', args);
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ isError: true, _meta: { status: 400 } });
  });
});

describe('a search is understood', () => {
  test.each([
    [{ q: 'fjord' }, { list: 'search', query: 'fjord', feed: 'latest' }],
    [{ query: 'fjord' }, { list: 'search', query: 'fjord', feed: 'latest' }],
    [
      { text: 'fjord', sort: 'top' },
      { list: 'search', query: 'fjord', feed: 'top' },
    ],
    [
      { search: 'fjord', type: 'users' },
      { list: 'users', query: 'fjord' },
    ],
    [
      { q: 'fjord', sort: 'relevance' },
      { list: 'search', query: 'fjord', feed: 'latest' },
    ],
    [
      { q: 'fjord', sort: 'relevance', type: 'media' },
      { list: 'search', query: 'fjord', feed: 'media' },
    ],
    [{ q: 2026 }, { list: 'search', query: '2026', feed: 'latest' }],
  ])('as %j', async (args, wanted) => {
    expect((await asking('x_search_posts', args)).asked).toEqual([expect.objectContaining(wanted)]);
  });

  test.each([
    { limit: 7 },
    { limit: '7' },
    { count: 7 },
    { max_results: '7' },
    { pageSize: 7 },
    { count: 9, limit: 7 },
  ])('with %j', async (args) => {
    const asked: number[] = [];
    const { call } = createTestRegistry({
      upstream: {
        listPosts: async (_, { size }) => {
          asked.push(size);
          return found(page([post('20')]));
        },
      },
    });
    const seven = await call('x_search_posts', { q: 'x', ...args });
    expect(seven.isError).toBeUndefined();
    expect(asked).toEqual([7]);
  });
});

const REFUSED: readonly (readonly [string, object, string, string])[] = [
  ['x_get_post', {}, 'missing_parameter', 'url is required, or handle and id.'],
  ['x_get_post', { id: 20 }, 'invalid_id', 'Pass id as a string.'],
  ['x_get_post', { tweet_id: Number('2028036267832246272') }, 'invalid_id', 'Pass id as a string.'],
  ['x_get_post', { url: 20 }, 'invalid_id', 'Pass id as a string.'],
  ['x_get_post', { id: 'abc' }, 'invalid_id', 'id must be a decimal number from 1 to 9223372036854775807.'],
  ['x_get_post', { url: 'https://evil.example/jack/status/20' }, 'unsupported_host', 'url is not on x.com'],
  ['x_get_post', { id: '21', url: 'https://x.com/jack/status/20' }, 'invalid_parameter', 'id names another post'],
  ['x_get_post', { id: '20', replies: 'all' }, 'invalid_parameter', 'replies must be one of top, recent, off.'],
  ['x_get_post', { id: '20', max_tokens: 5 }, 'invalid_parameter', 'max_tokens must be a whole number from 100'],
  ['x_get_profile', {}, 'missing_parameter', 'handle is required.'],
  [
    'x_list_followers',
    { handle: 'jack', limit: 51 },
    'invalid_parameter',
    'limit must be a whole number from 1 to 50.',
  ],
  ['x_list_following', { handle: 'jack', limit: 0 }, 'invalid_parameter', 'limit must be a whole number from 1 to 50.'],
  ['x_search_posts', { q: 'x', limit: 'many' }, 'invalid_parameter', 'limit must be a whole number from 1 to 50.'],
  ['x_search_posts', { q: 'x', limit: 2.5 }, 'invalid_parameter', 'limit must be a whole number from 1 to 50.'],
  ['x_search_posts', { q: 'x', limit: true }, 'invalid_parameter', 'limit must be a whole number.'],
  ['x_search_posts', { q: { a: 1 } }, 'invalid_parameter', 'q must be a string.'],
  ['x_search_posts', {}, 'missing_query', 'q is required.'],
  ['x_search_posts', { q: 'x', feed: 'best' }, 'invalid_feed', 'feed must be one of latest, top, media, users.'],
  ['x_search_posts', { q: 'x', cursor: 'made-up' }, 'invalid_cursor', 'cursor was not made by this service'],
];

describe('what is wrong is refused without asking anybody', () => {
  test.each(REFUSED)('%s %j is %s', async (name, args, code, words) => {
    const { asked, result, text, log } = await asking(name, args);
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ isError: true, _meta: { code, status: 400 } });
    expect(result.structuredContent).toBeUndefined();
    expect(text).toContain(words);
    expect(log).toEqual([]);
  });

  test('with all that is wrong, and without the values', async () => {
    const { text } = await asking('x_get_post', { id: 'secret1', replies: 'secret2', max_tokens: 'secret3' });
    for (const name of ['id', 'replies', 'max_tokens']) expect(text).toMatch(new RegExp(`^${name} must be`, 'm'));
    expect(text).not.toContain('secret');
  });
});
