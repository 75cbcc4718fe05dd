import { describe, expect, test } from 'vitest';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { conversation, found, page, post, user } from '../../support/test-app.ts';

/** Calls a tool and returns its result with the requests that the provider received. */
const callWithRequests = async (name: string, args: object) => {
  const requests: object[] = [];
  const { call, log } = createTestRegistry({
    upstream: {
      readPost: async ({ handle: _, ...request }) => {
        requests.push(request);
        return found(conversation(request.id));
      },
      readProfile: async (handle) => {
        requests.push({ handle });
        return found(user(handle));
      },
      listPosts: async (request, { size }) => {
        requests.push({ ...request, size });
        return found(page([post('20')]));
      },
      listUsers: async (request, { size }) => {
        requests.push({ ...request, size });
        return found(page([user('ada')]));
      },
    },
  });
  const result = await call(name, args);
  return { requests, result, text: resultText(result), log };
};

// biome-ignore format: side by side they fit on a screen
const POSTS: readonly object[] = [
  { url: 'https://x.com/jack/status/20' }, { url: ' twitter.com/jack/status/20?s=20 ' },
  { url: 'https://api.example.test/jack/status/20' }, { url: '20' }, { id: '20' }, { id: 'https://x.com/jack/status/20' },
  { id: '20', handle: 'jack' }, { id: '20', handle: 'https://x.com/jack' }, { id: 'https://x.com/i/status/20', url: '20' },
  { url: 'https://x.com/jack/status/20', handle: 'jack' }, { link: 'https://x.com/jack/status/20' },
  { tweet_url: 'https://x.com/jack/status/20' }, { post_url: 'https://x.com/jack/status/20' }, { tweet_id: '20' },
  { post_id: '20' }, { status_id: '20' }, { tweetId: '20' }, { 'status-id': '20' }, { tweet_id: '21', id: '20' },
  { id: '20', url: null, handle: '' }, { id: '20', whatever: { is: 'ignored' } },
];

test.each(POSTS)('x_get_post finds the post with %j', async (args) => {
  expect((await callWithRequests('x_get_post', args)).requests).toEqual([{ id: '20', thread: 'full', replies: 'top' }]);
});

// biome-ignore format: side by side they fit on a screen
const PROFILES: readonly object[] = [
  { handle: 'jack' }, { handle: '@jack' }, { handle: 'https://x.com/jack' }, { handle: 'x.com/@jack' },
  { handle: 'https://twitter.com/jack/with_replies?lang=en' }, { handle: 'https://mobile.twitter.com/jack/status/20' },
  { handle: 'https://api.example.test/jack' }, { username: 'jack' }, { screen_name: 'jack' }, { screenName: 'jack' },
  { user: '@jack' }, { account: 'jack' }, { url: 'https://x.com/jack' }, { handle: 'jack', username: 'ada' },
  { handle: null, username: 'jack' },
];

test.each(PROFILES)('the profile tools find the account with %j', async (args) => {
  for (const name of ['x_list_followers', 'x_list_following', 'x_get_profile'])
    expect((await callWithRequests(name, args)).requests[0]).toMatchObject({ handle: 'jack' });
});

// biome-ignore format: side by side they fit on a screen
const NO_PROFILES: readonly object[] = [
  { handle: 'https://x.com/i' }, { handle: 'https://x.com/search?q=jack' }, { handle: 'https://evil.example/jack' },
  { handle: 'https://jack@x.com/jack' }, { handle: 'not a handle' }, { handle: true }, { handle: ['jack'] },
];

test.each(NO_PROFILES)('x_get_profile returns 400 without a provider call for %j', async (args) => {
  const { requests, result } = await callWithRequests('x_get_profile', args);
  expect(requests).toEqual([]);
  expect(result).toMatchObject({ isError: true, _meta: { status: 400 } });
});

// biome-ignore format: side by side they fit on a screen
const LOOKUPS: readonly object[] = [
  { ids: ['20', '21'] }, { ids: '20,21' }, { ids: ' 20 , 21 ' }, { ids: ['https://x.com/jack/status/20', '21', '20'] },
  { ids: ['https://x.com/jack/status/20?a=1,2', 'x.com/i/status/21'] }, { ids: 'https://x.com/jack/status/20,21' },
  { post_ids: ['20', '21'] }, { tweetIds: ['20', '21'] }, { urls: ['x.com/jack/status/20', 'x.com/jack/status/21'] },
  { ids: ['20,21'] },
];

test.each(LOOKUPS)('x_get_posts reads two posts from %j', async (args) => {
  const { requests, result } = await callWithRequests('x_get_posts', args);
  expect(requests).toEqual(['20', '21'].map((id) => ({ id, thread: 'off', replies: 'off' })));
  expect(result.isError).toBeUndefined();
});

// biome-ignore format: side by side they fit on a screen
const PARSED: readonly (readonly [tool: string, args: object, request: object])[] = [
  ['x_get_post', { id: '20', thread: 'off', replies: 'off' }, { thread: 'off', replies: 'off' }],
  ['x_get_post', { id: '20', thread: false, replies: false }, { thread: 'off', replies: 'off' }],
  ['x_get_post', { id: '20', thread: true, replies: true }, { thread: 'full', replies: 'top' }],
  ['x_get_post', { id: '20', thread: 5 }, { thread: 5, replies: 'top' }],
  ['x_get_post', { id: '20', thread: '5' }, { thread: 5, replies: 'top' }],
  ['x_search_posts', { q: 'fjord' }, { list: 'search', query: 'fjord', feed: 'latest' }],
  ['x_search_posts', { query: 'fjord' }, { list: 'search', query: 'fjord', feed: 'latest' }],
  ['x_search_posts', { text: 'fjord', sort: 'top' }, { list: 'search', query: 'fjord', feed: 'top' }],
  ['x_search_posts', { search: 'fjord', type: 'users' }, { list: 'users', query: 'fjord' }],
  ['x_search_posts', { q: 'fjord', sort: 'relevance', type: 'media' }, { list: 'search', feed: 'media' }],
  ['x_search_posts', { q: 2026 }, { list: 'search', query: '2026', feed: 'latest' }],
  ['x_search_posts', { q: 'x', limit: 7 }, { size: 7 }],
  ['x_search_posts', { q: 'x', limit: '7' }, { size: 7 }],
  ['x_search_posts', { q: 'x', max_results: '7' }, { size: 7 }],
  ['x_search_posts', { q: 'x', pageSize: 7 }, { size: 7 }],
  ['x_search_posts', { q: 'x', max_results: 9, limit: 7 }, { size: 7 }],
  ['x_list_posts', { handle: 'jack' }, { list: 'posts', handle: 'jack', kind: 'posts' }],
  ['x_list_posts', { handle: 'https://x.com/jack/media', kind: 'media' }, { handle: 'jack', kind: 'media' }],
  ['x_list_posts', { handle: 'https://x.com/jack/media' }, { handle: 'jack', kind: 'media' }],
  ['x_list_posts', { url: 'x.com/jack/with_replies' }, { handle: 'jack', kind: 'replies' }],
  ['x_list_posts', { handle: 'https://x.com/jack/media', kind: 'articles' }, { handle: 'jack', kind: 'articles' }],
  ['x_list_posts', { handle: 'https://x.com/jack/followers' }, { handle: 'jack', kind: 'posts' }],
  ['x_list_posts', { handle: 'jack', type: 'media' }, { handle: 'jack', kind: 'media' }],
  ['x_list_posts', { handle: '@jack', since: '2026-01-01', until: '2026-02-01T00:00:00Z' },
    { handle: 'jack', since: Date.UTC(2026, 0, 1), until: Date.UTC(2026, 1, 1) }],
  ['x_list_replies', { id: '20' }, { id: '20', list: 'replies', order: 'top' }],
  ['x_list_replies', { id: 'https://x.com/jack/status/20', sort: 'recent' }, { id: '20', order: 'recent' }],
  ['x_list_replies', { url: 'https://x.com/jack/status/20', kind: 'replies' }, { list: 'replies', order: 'top' }],
  ['x_list_replies', { tweet_id: '20', kind: 'quotes' }, { id: '20', list: 'quotes' }],
  ['x_list_replies', { link: 'twitter.com/jack/status/20', kind: ' quotes ' }, { list: 'quotes' }],
  ['x_list_replies', { id: '20', kind: 'reposts' }, { list: 'reposts' }],
  ['x_list_replies', { id: '20', kind: 'retweets' }, { list: 'reposts' }],
  ['x_list_replies', { id: '20', type: 'quotes' }, { list: 'quotes' }],
  ['x_list_replies', { id: '20', type: 'media' }, { list: 'replies' }],
  ['x_list_replies', { url: 'https://x.com/jack/status/20/quotes' }, { id: '20', list: 'quotes' }],
  ['x_list_replies', { id: 'https://x.com/jack/status/20/retweets/with_comments' }, { id: '20', list: 'quotes' }],
  ['x_list_replies', { id: 'x.com/jack/status/20/retweets' }, { id: '20', list: 'reposts' }],
  ['x_list_replies', { id: 'https://api.example.test/jack/status/20/quotes' }, { id: '20', list: 'quotes' }],
  ['x_list_replies', { id: 'https://x.com/jack/status/20/quotes', kind: 'replies' }, { list: 'replies' }],
  ['x_list_replies', { id: '20', tree: true }, { id: '20', isExcerpt: true }],
  ['x_list_replies', { id: 'https://x.com/jack/status/20', tree: 'true' }, { id: '20', isExcerpt: true }],
  ['x_list_replies', { id: 'https://x.com/jack/status/20/quotes', tree: 1, kind: 'quotes' }, { isExcerpt: true }],
  ['x_list_replies', { id: '20', tree: false }, { list: 'replies' }],
];

test.each(PARSED)('[mcp 5] %s parses %j', async (name, args, expected) => {
  expect((await callWithRequests(name, args)).requests[0]).toMatchObject(expected);
});

const REFUSED: readonly (readonly [string, object, string, string])[] = [
  ['x_get_post', {}, 'missing_parameter', 'url is required, or handle and id.'],
  ['x_get_post', { id: 20 }, 'invalid_id', 'Pass id as a string.'],
  ['x_get_post', { id: 'abc' }, 'invalid_id', 'id must be a decimal number from 1 to 9223372036854775807.'],
  ['x_get_post', { url: 'https://evil.example/jack/status/20' }, 'unsupported_host', 'url is not on x.com'],
  ['x_get_post', { id: '21', url: 'https://x.com/jack/status/20' }, 'invalid_parameter', 'id names another post'],
  ['x_get_post', { id: '20', replies: 'all' }, 'invalid_parameter', 'replies must be one of top, recent, off.'],
  ['x_get_post', { id: '20', max_tokens: 5 }, 'invalid_parameter', 'max_tokens must be a whole number from 100'],
  ['x_get_profile', {}, 'missing_parameter', 'handle is required.'],
  ['x_get_post', { id: '20', format: 'obsidian' }, 'invalid_format', 'format must be one of markdown, json.'],
  ['x_get_post', { id: '20', format: 'json', layout: 'unrolled' }, 'invalid_parameter', 'layout is unrolled'],
  ['x_get_post', { url: 'https://x.com/jack' }, 'invalid_path', 'call x_get_profile with handle "jack".'],
  ['x_get_post', { url: 'x.com/jack/media?s=20' }, 'invalid_path', 'with handle "jack" and kind "media".'],
  ['x_get_post', { id: 'x.com/jack/with_replies' }, 'invalid_path', 'with handle "jack" and kind "replies".'],
  ['x_get_post', { url: '@jack' }, 'invalid_path', 'call x_get_profile with handle "jack".'],
  ['x_get_post', { url: 'https://x.com/jack/followers' }, 'invalid_path', 'call x_list_followers with handle "jack".'],
  ['x_get_post', { url: 'https://x.com/jack/following' }, 'invalid_path', 'call x_list_following with handle "jack".'],
  ['x_get_post', { url: 'https://x.com/jack/status/abc' }, 'invalid_id', 'url holds an id'],
  ['x_list_following', { handle: 'jack', limit: 0 }, 'invalid_parameter', 'limit must be a whole number from 1 to 50.'],
  ['x_search_posts', { q: 'x', limit: 2.5 }, 'invalid_parameter', 'limit must be a whole number from 1 to 50.'],
  ['x_search_posts', { q: 'x', limit: true }, 'invalid_parameter', 'limit must be a whole number.'],
  ['x_search_posts', { q: { a: 1 } }, 'invalid_parameter', 'q must be a string.'],
  ['x_get_posts', {}, 'missing_parameter', 'ids is required.'],
  ['x_get_posts', { ids: [] }, 'missing_parameter', 'ids is required.'],
  ['x_get_posts', { ids: [20, '21'] }, 'invalid_id', 'ids must be a string such as "20"'],
  ['x_get_posts', { ids: 20 }, 'invalid_id', 'Pass id as a string'],
  ['x_get_posts', { ids: ['20', null] }, 'invalid_parameter', 'ids must be a list of strings'],
  ['x_get_posts', { ids: Array(21).fill('20') }, 'invalid_parameter', 'ids must have at most 20 entries.'],
  ['x_get_posts', { ids: Array(100_000).fill('20') }, 'invalid_parameter', 'ids must have at most 20 entries.'],
  ['x_get_posts', { ids: ['20', 'https://x.com/jack'] }, 'invalid_path', '(entry 2): call x_get_profile with handle'],
  ['x_get_posts', { ids: 'x.com/jack/media,20' }, 'invalid_path', '(entry 1): call x_list_posts with handle'],
  ['x_list_replies', {}, 'missing_parameter', 'id is required.'],
  ['x_list_replies', { id: 'https://x.com/jack' }, 'invalid_path', 'call x_get_profile with handle "jack".'],
  ['x_list_replies', { id: '20', tree: 'maybe' }, 'invalid_parameter', 'tree must be true or false.'],
  ['x_list_replies', { id: '20', tree: [] }, 'invalid_parameter', 'tree must be true or false.'],
  ['x_list_replies', { id: '20', kind: 'likes' }, 'invalid_parameter', 'one of replies, quotes, reposts.'],
  ['x_list_replies', { id: '20', kind: 'toString' }, 'invalid_parameter', 'one of replies, quotes, reposts.'],
  ['x_list_posts', { handle: 'jack', kind: 'likes' }, 'invalid_parameter', 'kind must be one of posts, replies, media'],
  ['x_list_posts', { handle: 'jack', since: 'yesterday' }, 'invalid_parameter', 'since must be an RFC 3339 instant'],
  [
    'x_list_posts',
    { handle: 'jack', since: '2026-02-01', until: '2026-01-01' },
    'invalid_parameter',
    'until must be later',
  ],
  ['x_search_posts', {}, 'missing_query', 'q is required.'],
  ['x_search_posts', { q: 'x', feed: 'best' }, 'invalid_feed', 'feed must be one of latest, top, media, users.'],
  ['x_search_posts', { q: 'x', cursor: 'made-up' }, 'invalid_cursor', 'cursor was not made by this service'],
];

describe('invalid arguments', () => {
  test.each(REFUSED)('[mcp 7] %s %j returns %s without a provider call', async (name, args, code, expectedText) => {
    const { requests, result, text, log } = await callWithRequests(name, args);
    expect(requests).toEqual([]);
    expect(result).toMatchObject({ isError: true, _meta: { code, status: 400 } });
    expect(result.structuredContent).toBeUndefined();
    expect(text).toContain(expectedText);
    expect(log).toEqual([]);
  });

  test('the error names every invalid argument and none of the values', async () => {
    const { text } = await callWithRequests('x_get_post', { id: 'secret1', replies: 'secret2', max_tokens: 'secret3' });
    for (const name of ['id', 'replies', 'max_tokens']) expect(text).toMatch(new RegExp(`^${name} must be`, 'm'));
    expect(text).not.toContain('secret');
  });
});

const SEARCH = { q: 'x' };

/** Names of arguments that no tool has, with the last line of the answer. */
const UNKNOWN: readonly (readonly [string, object, string])[] = [
  ['x_search_posts', { ...SEARCH, count: 3 }, 'Ignored: count. Did you mean limit?'],
  ['x_search_posts', { ...SEARCH, maxTokns: 300 }, 'Ignored: maxTokns. Did you mean max_tokens?'],
  ['x_search_posts', { ...SEARCH, keywords: 'y' }, 'Ignored: keywords. Did you mean q?'],
  ['x_search_posts', { ...SEARCH, sort: 'relevance' }, 'Ignored: sort. Did you mean feed?'],
  ['x_search_posts', { ...SEARCH, colour: 'red' }, 'Ignored: colour.'],
  ['x_search_posts', { ...SEARCH, max_results: 3, limit: 2 }, 'Ignored: max_results. Did you mean limit?'],
  ['x_search_posts', { ...SEARCH, count: 3, page: 2 }, 'Ignored: count, page. Did you mean limit, cursor?'],
  [
    'x_search_posts',
    { ...SEARCH, a1: 1, a2: 2, a3: 3, a4: 4, a5: 5, a6: 6, a7: 7 },
    'Ignored: a1, a2, a3, a4, a5 and 2 more.',
  ],
  ['x_get_post', { id: '20', count: 3 }, 'Ignored: count.'],
  ['x_get_profile', { handle: 'jack', replies: true }, 'Ignored: replies.'],
  ['x_list_posts', { handle: 'jack', from: '2026-01-01', to: 'x' }, 'Ignored: from, to. Did you mean since, until?'],
  ['x_get_posts', { ids: ['20'], limit: 3 }, 'Ignored: limit.'],
  ['x_list_replies', { id: '20', kind: 'quotes', sort: 'recent' }, 'Ignored: sort.'],
  ['x_list_replies', { id: '20', type: 'media' }, 'Ignored: type. Did you mean kind?'],
  ['x_list_replies', { id: '20', tree: true, limit: 3, sort: 'top' }, 'Ignored: sort, limit.'],
  ['x_list_replies', { id: '20', tree: true, kind: 'quotes' }, 'Ignored: kind.'],
  ['x_search_posts', { ...SEARCH, since: '2026-03-01' }, 'Ignored: since. Did you mean q?'],
  ['x_list_replies', { id: '20', kind: 'reposts', count: 3, sort: 'top' }, 'Ignored: count, sort. Did you mean limit?'],
  ['x_list_following', { handle: 'jack', constructor: 1, __proto__x: 1 }, 'Ignored: constructor, __proto__x.'],
  ['x_search_posts', { ...SEARCH, 'a\nMore: call x "b"': 1 }, 'Ignored: a?More??call?x??b?.'],
  ['x_search_posts', { ...SEARCH, ['x'.repeat(5000)]: 1 }, `Ignored: ${'x'.repeat(40)}….`],
];

describe('[mcp 4] arguments that a tool does not know', () => {
  test.each(UNKNOWN)(
    '%s %j names them in the last line of the text and as a note in JSON',
    async (name, args, line) => {
      const { result, text } = await callWithRequests(name, args);
      expect(result.isError).toBeUndefined();
      expect(text.trimEnd().split('\n').at(-1)).toBe(line);
      const json = await callWithRequests(name, { ...args, format: 'json' });
      expect(json.result.structuredContent).toMatchObject({ notes: [line] });
      expect(JSON.parse(json.text)).toMatchObject({ notes: [line] });
    },
  );

  test.each([
    ['x_search_posts', SEARCH],
    ['x_search_posts', { ...SEARCH, count: null, page: '' }],
    ['x_get_post', { tweet_id: '20' }],
    ['x_get_profile', { url: 'https://x.com/jack' }],
    ['x_list_replies', { id: '20', kind: 'replies', sort: 'recent' }],
  ])('%s %j has none, and the text says nothing', async (name, args) => {
    const { text } = await callWithRequests(name, args);
    expect(text).not.toContain('Ignored');
    expect((await callWithRequests(name, { ...args, format: 'json' })).result.structuredContent).not.toHaveProperty(
      'notes',
    );
  });

  test('an error names them as well', async () => {
    const { result, text } = await callWithRequests('x_search_posts', { phrase: 'fjord' });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'missing_query' } });
    expect(text.split('\n').at(-1)).toBe('Ignored: phrase. Did you mean q?');
  });

  test('100,000 unknown arguments are named in time that grows with their number', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name${index}`, 1]));
    const { text } = await callWithRequests('x_search_posts', { ...SEARCH, ...many });
    expect(text).toContain('Ignored: name0, name1, name2, name3, name4 and 99995 more.');
  });
});

describe('[mcp 4] a limit above the maximum', () => {
  test.each([51, 100, '51', ' 200 ', 1e9, 1e21, '9'.repeat(400)])(
    '%j is the maximum, and the text says so',
    async (limit) => {
      const { requests, text } = await callWithRequests('x_search_posts', { q: 'x', limit });
      expect(requests).toMatchObject([{ size: 50 }]);
      expect(text.trimEnd().split('\n').at(-1)).toBe('limit is at most 50: 50 was used.');
      const { result } = await callWithRequests('x_search_posts', { q: 'x', limit, format: 'json' });
      expect(result.structuredContent).toMatchObject({ notes: ['limit is at most 50: 50 was used.'] });
    },
  );

  test.each([50, '50', 1])('%j is used as it is, and the text says nothing', async (limit) => {
    expect((await callWithRequests('x_search_posts', { q: 'x', limit })).text).not.toContain('limit is at most');
  });
});
