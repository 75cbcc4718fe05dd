// Checks that the tools read each link that the box reads, or answer with the call that does.
import { describe, expect, test } from 'vitest';
import { tools } from '../../../functions/mcp/tools.ts';
import { pageOnX } from '../../../shared/contract/pages-on-x.ts';
import { parseText } from '../../../shared/model/account-list.ts';
import { namedCall } from '../../support/mcp-calls.ts';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { BASE_URL, conversation, found, page, post, upstreamReturning, user } from '../../support/test-app.ts';

/** Calls a tool and returns its result with the requests that the provider received. */
const callTool = async (name: string, args: object) => {
  const requests: object[] = [];
  const { call } = createTestRegistry({
    upstream: {
      readPost: async ({ id }) => {
        requests.push({ post: id });
        return found(conversation(id));
      },
      readProfile: async (handle) => {
        requests.push({ profile: handle });
        return found(user(handle.replace('id:', 'of_')));
      },
      listPosts: async (request) => {
        requests.push(request);
        return found(page([post('20')]));
      },
      listUsers: async (request) => {
        requests.push(request);
        return found(page([user('ada')]));
      },
    },
  });
  const result = await call(name, args);
  return { requests, result, text: resultText(result) };
};

/** Links of each kind that the box reads, with a request that answers them. */
const LINKS: readonly (readonly [link: string, request: object])[] = [
  ['https://x.com/jack/status/20?s=46', { post: '20' }],
  ['https://x.com/i/web/status/20', { post: '20' }],
  ['https://x.com/an_old_handle_of_28_letters_/status/20', { post: '20' }],
  ['https://web.archive.org/web/2006/https://twitter.com/jack/status/20', { post: '20' }],
  ['look at <https://x.com/jack/status/20> please', { post: '20' }],
  ['https://fxtwitter.com/jack/status/20/de', { post: '20' }],
  [`${BASE_URL}/jack/status/20/replies`, { list: 'replies', id: '20' }],
  ['https://x.com/jack/status/20/quotes', { list: 'quotes', id: '20' }],
  [`${BASE_URL}/jack/status/20/conversation`, { post: '20' }],
  ['https://x.com/jack/status/20/retweets', { list: 'reposts', id: '20' }],
  ['https://x.com/jack', { profile: 'jack' }],
  ['https://x.com/jack/with_replies', { list: 'posts', handle: 'jack', kind: 'replies' }],
  ['https://x.com/jack/media', { list: 'posts', handle: 'jack', kind: 'media' }],
  ['https://x.com/jack/articles', { list: 'posts', handle: 'jack', kind: 'articles' }],
  ['https://x.com/jack/followers', { list: 'followers', handle: 'jack' }],
  ['https://x.com/jack/following', { list: 'following', handle: 'jack' }],
  ['https://x.com/i/user/12', { profile: 'id:12' }],
  ['https://twitter.com/intent/user?user_id=12', { profile: 'id:12' }],
  ['https://x.com/i/lists/12', { list: 'list of X', listId: '12' }],
  [`${BASE_URL}/ada,jack/media`, { list: 'posts', handle: 'ada', kind: 'media' }],
  [
    'https://x.com/search?q=from%3Ajack%20%22a%20b%22&f=live',
    { list: 'search', query: 'from:jack "a b"', feed: 'latest' },
  ],
  ['https://x.com/search?q=tide&f=user', { list: 'users', query: 'tide' }],
  ['https://x.com/hashtag/fj%C3%B8rd?src=hash', { list: 'search', query: '#fjørd', feed: 'top' }],
];

/** The first argument of each tool that names what is read. */
const ARGUMENTS = tools.map(({ name, parameters: [argument = ''] }) => [name, argument] as const);

describe('[mcp 11] a link that the box reads', () => {
  const CASES = LINKS.flatMap(([link, request]) =>
    ARGUMENTS.map(([name, argument]) => ({ name, argument, link, request })),
  );

  test.each(CASES)('$name with $argument $link reads it or names the call that does', async (row) => {
    const { name, argument, link, request } = row;
    // Words can hold a link, and then X searches for all of them.
    if (argument === 'q' && link.includes(' ')) return;
    expect(parseText(link, BASE_URL)).toMatchObject({ kind: expect.not.stringMatching('error') });
    const { result, requests, text } = await callTool(name, { [argument]: link });
    for (const each of requests) if ('query' in each) expect(each.query).not.toContain('://');
    if (!result.isError) return;
    expect(requests).toEqual([]);
    const [other, args] = namedCall(text) ?? ['', {}];
    const answer = await callTool(other, args);
    expect(answer.result.isError).toBeUndefined();
    expect(answer.requests).toEqual(expect.arrayContaining([expect.objectContaining(request)]));
  });

  /** The tools that read what the link says, without another call. */
  const READ: readonly (readonly [string, object, object])[] = [
    ['x_search_posts', { q: 'https://x.com/hashtag/tide' }, { list: 'search', query: '#tide', feed: 'top' }],
    ['x_search_posts', { q: 'x.com/search?q=tide&f=live' }, { list: 'search', query: 'tide', feed: 'latest' }],
    ['x_search_posts', { q: 'https://x.com/search?q=tide', feed: 'media' }, { query: 'tide', feed: 'media' }],
    ['x_list_posts', { handle: 'https://x.com/i/lists/12' }, { list: 'list of X', listId: '12' }],
    ['x_list_posts', { url: 'https://x.com/i/lists/12' }, { list: 'list of X', listId: '12' }],
    ['x_list_posts', { handle: 'https://x.com/jack/status/20' }, { list: 'posts', handle: 'jack', kind: 'posts' }],
    ['x_list_posts', { handle: `${BASE_URL}/ada,jack/media` }, { handle: 'jack', kind: 'media' }],
    ['x_get_profile', { handle: 'https://x.com/i/user/12' }, { profile: 'id:12' }],
    ['x_get_profile', { handle: 'https://x.com/jack/media' }, { profile: 'jack' }],
    ['x_list_followers', { handle: 'https://x.com/jack/following' }, { list: 'followers', handle: 'jack' }],
    ['x_list_replies', { id: 'https://x.com/jack/status/20/quotes' }, { list: 'quotes', id: '20' }],
    ['x_list_replies', { id: 'https://x.com/jack/status/20/quotes', kind: 'reposts' }, { list: 'reposts', id: '20' }],
    ['x_get_post', { url: 'https://x.com/jack/status/20/quotes' }, { post: '20' }],
    ['x_get_post', { handle: 'https://x.com/jack/status/20' }, { post: '20' }],
    ['x_get_posts', { ids: ['https://fxtwitter.com/jack/status/20/de'] }, { post: '20' }],
  ];

  test.each(READ)('%s %j is read', async (name, args, request) => {
    const { result, requests, text } = await callTool(name, args);
    expect(result.isError).toBeUndefined();
    expect(requests).toEqual(expect.arrayContaining([expect.objectContaining(request)]));
    expect(text).not.toContain('Ignored');
  });

  test.each(['20', 'tide', '@jack', 'url:x.com/jack/status/20', 'x.com', 'https://example.org/a', '"x.com/jack"'])(
    'x_search_posts searches for %s, which is no such link',
    async (q) => {
      expect((await callTool('x_search_posts', { q })).requests).toEqual([expect.objectContaining({ query: q })]);
    },
  );

  test.each([
    ['x_list_posts', { handle: 'ada,https://x.com/i/lists/12' }, '(entry 2): call x_list_posts with id "12".'],
    ['x_get_posts', { ids: '20,https://x.com/hashtag/tide' }, '(entry 2): call x_search_posts with q "#tide" and'],
    ['x_search_posts', { q: 'https://x.com/jack/nothing/here' }, 'q is a link, but not of a post, a profile'],
    ['x_list_followers', { handle: 'https://example.org/jack' }, 'handle is a link, but not of a post, a profile'],
  ])('%s %j says what is wrong', async (name, args, expected) => {
    const { result, requests, text } = await callTool(name, args);
    expect([result.isError, requests]).toEqual([true, []]);
    expect(text).toContain(expected);
  });
});

describe('[mcp 11] a link to what X does not show', () => {
  const UNSHOWN: readonly (readonly [path: string, instead: string])[] = [
    ['/jack/likes', 'Instead, call x_get_profile with handle "jack".'],
    ['/jack/highlights', 'Instead, call x_get_profile with handle "jack".'],
    ['/jack/status/20/likes', 'Instead, call x_get_post with id "20".'],
    ['/jack/status/20/hidden', 'Instead, call x_list_replies with id "20" and kind "replies".'],
    ['/i/lists/12/members', 'Instead, call x_list_posts with id "12".'],
    ['/i/bookmarks', 'Do not retry'],
    ['/i/spaces/1abc', 'Do not retry'],
    ['/explore', 'Do not retry'],
  ];
  const CASES = UNSHOWN.flatMap((row) => ARGUMENTS.map((argument) => [...argument, ...row] as const));

  test.each(CASES)(
    '%s with %s https://x.com%s says so in the words of the pages',
    async (name, argument, path, instead) => {
      const { result, text } = await callTool(name, { [argument]: `https://x.com${path}` });
      expect(text.split(pageOnX(path)?.text ?? 'no page')).toHaveLength(2);
      if (result.isError) expect(text).toContain(path.endsWith('hidden') ? 'Instead, call x_' : instead);
    },
  );

  test.each([
    ['x_get_profile', { handle: 'https://x.com/jack/likes' }],
    ['x_get_post', { url: 'https://x.com/jack/status/20/likes' }],
    ['x_list_followers', { handle: 'https://x.com/jack/verified_followers' }],
  ])('%s %j has what is here instead, and the words are a note', async (name, args) => {
    const { result, text } = await callTool(name, args);
    expect(result.isError).toBeUndefined();
    expect(text).toMatch(/^On X, this address leads to /m);
  });

  test.each([
    ['x_list_replies', { id: '20', kind: 'likes' }, 'On X, likes are the accounts that like a post.'],
    ['x_list_replies', { id: '20', kind: 'likers' }, 'X shows them only to the author of the post.'],
    ['x_list_posts', { handle: 'jack', kind: 'likes' }, 'On X, likes are the posts that an account likes.'],
    ['x_list_posts', { handle: 'jack', kind: 'bookmarks' }, 'X shows this only to the account itself.'],
  ])('%s %j says so', async (name, args, expected) => {
    const { result, text } = await callTool(name, args);
    expect(result).toMatchObject({ isError: true, _meta: { code: 'invalid_parameter' } });
    expect(text).toContain(expected);
  });
});

describe('[mcp 12] accounts by id, lists of X and reposts', () => {
  test.each([
    ['x_get_profile', { id: '12' }, { profile: 'id:12' }],
    ['x_get_profile', { user_id: '12' }, { profile: 'id:12' }],
    ['x_get_profile', { handle: '1234567890123456789' }, { profile: 'id:1234567890123456789' }],
    ['x_get_profile', { handle: '12' }, { profile: '12' }],
    ['x_get_profile', { id: 'https://x.com/jack' }, { profile: 'jack' }],
    ['x_list_posts', { id: '12' }, { list: 'list of X', listId: '12' }],
    ['x_list_posts', { list_id: '12' }, { list: 'list of X', listId: '12' }],
    ['x_list_posts', { handle: 'jack', reposts: 'include' }, { handle: 'jack', reposts: true }],
    ['x_list_posts', { handle: 'jack', include_retweets: true }, { handle: 'jack', reposts: true }],
    ['x_list_posts', { handle: 'jack', kind: 'retweets' }, { handle: 'jack', kind: 'posts', reposts: true }],
    ['x_get_profile', { handle: 'jack', reposts: true }, { handle: 'jack', reposts: true }],
  ])('%s %j asks the provider for it', async (name, args, request) => {
    const { result, requests, text } = await callTool(name, args);
    expect(result.isError).toBeUndefined();
    expect(requests).toEqual(expect.arrayContaining([expect.objectContaining(request)]));
    expect(text).not.toContain('Ignored');
  });

  test('digits that are no handle name the call for the id', async () => {
    const { call } = createTestRegistry({ upstream: upstreamReturning({ kind: 'absent' }) });
    for (const name of ['x_get_profile', 'x_list_posts', 'x_list_followers'])
      expect(resultText(await call(name, { handle: '2201001' }))).toContain('call x_get_profile with id "2201001".');
    expect(resultText(await call('x_get_profile', { id: '2201001' }))).not.toContain('call x_get_profile');
  });

  test('a list of X says which arguments do not count for it', async () => {
    expect((await callTool('x_list_posts', { id: '12', kind: 'media' })).text).toContain('Ignored: kind.');
  });
});

describe('[mcp 13] values as models write them', () => {
  test.each([
    ['x_get_posts', { ids: '["20", "https://x.com/jack/status/21"]' }, [{ post: '20' }, { post: '21' }]],
    ['x_get_posts', { ids: ' [20, 21] ' }, [{ post: '20' }, { post: '21' }]],
    ['x_list_posts', { handle: '["ada"]' }, [{ handle: 'ada' }]],
    ['x_list_posts', { handle: '["ada","https://x.com/jack"]' }, [{ handle: 'ada' }, { handle: 'jack' }]],
  ])('%s %j reads the array in the text', async (name, args, expected) => {
    const { result, requests } = await callTool(name, args);
    expect(result.isError).toBeUndefined();
    for (const request of expected) expect(requests).toContainEqual(expect.objectContaining(request));
  });

  test.each([
    ['x_get_posts', { ids: '["20", 21]' }, 'ids must hold only ids and addresses of posts (entry 1)'],
    ['x_get_post', { id: '20', max_tokens: 5 }, 'max_tokens must be a whole number from 100 to 6000.'],
    ['x_list_followers', { handle: 'jack', limit: 0 }, 'limit must be a whole number from 1 to 50.'],
    ['x_list_posts', { handle: 'jack', since: '2026-09-01T10:00' }, 'with its zone, such as 2026-09-01T10:00:00Z'],
  ])('%s %j says what the tool accepts', async (name, args, expected) => {
    const { requests, text } = await callTool(name, args);
    expect(requests).toEqual([]);
    expect(text).toContain(expected);
  });
});
