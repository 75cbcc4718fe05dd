// Checks that the tools and the REST routes return the same bodies and accept the same cursors.
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, PostRequest, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestRegistry, resultText, splitResultText } from '../../support/mcp-registry.ts';
import { listExchanges, readExchange } from '../../support/recorded-lists.ts';
import { readablePosts, readRecorded } from '../../support/recorded-posts.ts';
import { createTestApp } from '../../support/test-app.ts';

interface Body {
  readonly warnings: readonly { readonly code: string }[];
  readonly markdown?: string;
}

/** Ignores truncation, because a tool text of 24,000 characters is truncated earlier than REST Markdown. */
const comparable = ({ markdown: _, warnings, ...body }: Body) => ({
  ...body,
  warnings: warnings.filter(({ code }) => code !== 'truncated'),
});

const expectSame = async (upstream: Partial<Upstream>, route: string, tool: string, args: object) => {
  const restAnswer = await createTestApp({ upstream }).get(withQuery(route, 'format=json'));
  const result = await createTestRegistry({ upstream }).call(tool, args);
  if (restAnswer.status !== 200) {
    const { code, status, retry_after } = restAnswer.json();
    expect(result).toMatchObject({
      isError: true,
      _meta: { code, status, ...(retry_after !== undefined && { retry_after }) },
    });
    return;
  }
  expect(result.structuredContent).not.toHaveProperty('markdown');
  expect(comparable(result.structuredContent as unknown as Body)).toEqual(
    comparable(restAnswer.json() as unknown as Body),
  );
};

describe('structured content and REST bodies', () => {
  test.each(readablePosts)(
    'the structured content of the recorded post %s equals the REST body without Markdown',
    async (file) => {
      const outcome: Outcome<Conversation> = await readRecorded(file);
      if (outcome.kind !== 'found') return;
      const { id } = outcome.value.post;
      await expectSame({ readPost: async () => outcome }, `/api/v1/posts?handle=i&id=${id}`, 'x_get_post', { id });
    },
  );

  test.each(listExchanges.map((exchange) => [exchange.file, exchange] as const))(
    'the structured content of the recorded list %s equals the REST body without Markdown',
    async (file, exchange) => {
      const outcome = await readExchange(exchange);
      const kind = file.split('/')[1] ?? '';
      // The folder of a recording decides which function reads it.
      const posts = { listPosts: async () => outcome as Outcome<UpstreamPage<Post>> };
      const users = { listUsers: async () => outcome as Outcome<UpstreamPage<User>> };
      const profile = { readProfile: async () => outcome as Outcome<User> };
      const v1 = '/api/v1/profiles/jack';
      if (kind === 'statuses') await expectSame(posts, v1, 'x_get_profile', { handle: 'jack' });
      else if (kind === 'followers') await expectSame(users, `${v1}/followers`, 'x_list_followers', { handle: 'jack' });
      else if (kind === 'following') await expectSame(users, `${v1}/following`, 'x_list_following', { handle: 'jack' });
      else if (kind === 'search') await expectSame(posts, '/api/v1/search?q=x', 'x_search_posts', { q: 'x' });
      else if (kind === 'typeahead')
        await expectSame(users, '/api/v1/search?q=x&feed=users', 'x_search_posts', { q: 'x', feed: 'users' });
      else await expectSame(profile, v1, 'x_get_profile', { handle: 'jack' });
    },
  );

  test('the structured content equals the REST body when a fallback provider answers', async () => {
    const upstream = upstreamWithLists(3);
    const fallback: Partial<Upstream> = {
      listPosts: async (...args) => {
        const outcome = await upstream.listPosts(...args);
        return outcome.kind === 'found' ? { ...outcome, value: { ...outcome.value, isFallback: true } } : outcome;
      },
    };
    await expectSame(fallback, '/api/v1/search?q=x', 'x_search_posts', { q: 'x' });
    const { structuredContent } = await createTestRegistry({ upstream: fallback }).call('x_search_posts', { q: 'x' });
    expect(structuredContent).toMatchObject({ degraded: true });
  });
});

const LISTS = [
  ['x_get_profile', '/api/v1/profiles/jack', { handle: '@jack' }],
  ['x_list_followers', '/api/v1/profiles/jack/followers', { username: 'jack' }],
  ['x_list_following', '/api/v1/profiles/jack/following', { handle: 'https://x.com/jack' }],
  ['x_search_posts', '/api/v1/search?q=fjord', { query: 'fjord' }],
] as const;

describe('cursors of tools and REST', () => {
  const itemsOf = (body: Readonly<Record<string, unknown>> | undefined) => body?.['posts'] ?? body?.['users'];

  test.each(LISTS)('a list that %s starts continues at %s, and the reverse', async (tool, route, args) => {
    const upstream = upstreamWithLists(20);
    const { get } = createTestApp({ upstream });
    const { call } = createTestRegistry({ upstream });
    const fullList = itemsOf((await get(withQuery(route, 'format=json'))).json());
    const firstByTool = (await call(tool, { ...args, limit: 6 })).structuredContent;
    const thenByRest = (
      await get(withQuery(route, `limit=50&format=json&cursor=${String(firstByTool?.['next_cursor'])}`))
    ).json();
    expect([itemsOf(firstByTool), itemsOf(thenByRest)].flat()).toEqual(fullList);
    const firstByRest = (await get(withQuery(route, 'limit=6&format=json'))).json();
    const thenByTool = (await call(tool, { ...args, limit: 50, page_token: firstByRest['next_cursor'] }))
      .structuredContent;
    expect([itemsOf(firstByRest), itemsOf(thenByTool)].flat()).toEqual(fullList);
  });

  test('a cursor of one list returns invalid_cursor for another list', async () => {
    const { call } = createTestRegistry({ upstream: upstreamWithLists(20) });
    const cursor = (await call('x_list_followers', { handle: 'jack', limit: 3 })).structuredContent?.['next_cursor'];
    const other = await call('x_list_following', { handle: 'jack', cursor });
    expect(other).toMatchObject({ isError: true, _meta: { code: 'invalid_cursor', status: 400 } });
  });
});

test('[decision 3 #112] x_get_post with layout unrolled quotes the thread as one text, and the parts stay members', async () => {
  const outcome: Outcome<Conversation> = await readRecorded('fxtwitter/thread/th3.json');
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  const requests: PostRequest[] = [];
  const upstream = {
    readPost: async (request: PostRequest) => {
      requests.push(request);
      return outcome;
    },
  };
  const { id } = outcome.value.post;
  const { call } = createTestRegistry({ upstream });
  const result = await call('x_get_post', { id, layout: 'unrolled' });
  const { quote } = splitResultText(resultText(result));
  const rest = await createTestApp({ upstream }).get(`/i/status/${id}?layout=unrolled`);
  expect(quote.map((line) => line.slice(2)).join('\n')).toBe(rest.body.trimEnd());
  expect(quote.filter((line) => line.includes('Thread of 4 posts'))).toHaveLength(1);
  expect(result.structuredContent).toMatchObject({ post: { id }, thread: expect.any(Array) });
  expect(requests.map(({ replies }) => replies)).toEqual(['off', 'off']);
});
