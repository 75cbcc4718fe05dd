// Tests threads of the official API, which are found by a search for the posts of the author.
import { describe, expect, test } from 'vitest';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';
import { chainOf, idsOf, type WrittenPost } from '../../support/threads.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;
const PROBLEM = 'https://api.twitter.com/2/problems/resource-not-found';

interface Setup {
  readonly posts: readonly WrittenPost[];
  /** Age of each post in days. @default 1 */
  readonly age?: (id: string) => number;
  /** Rows of one page of a search. @default 100 */
  readonly page?: number;
  readonly searchStatus?: number;
}

/** The documented API: a post comes with the post that it answers, and the search covers 7 days, newest first. */
const xApi = ({ posts, age = () => 1, page = 100, searchStatus = 200 }: Setup) => {
  const calls: URL[] = [];
  const find = (id: string | undefined) => posts.find((post) => post.id === id);
  const rootOf = (post: WrittenPost): string => {
    const parent = find(post.to);
    return parent === undefined ? (post.to ?? post.id) : rootOf(parent);
  };
  const userOf = (handle: string) => ({ id: `u-${handle}`, name: handle, username: handle });
  const dataOf = (post: WrittenPost) => ({
    id: post.id,
    text: `post ${post.id}`,
    author_id: `u-${post.by}`,
    conversation_id: rootOf(post),
    created_at: new Date(NOW - age(post.id) * DAY).toISOString(),
    public_metrics: { reply_count: posts.filter(({ to }) => to === post.id).length },
    ...(post.to !== undefined && {
      in_reply_to_user_id: `u-${find(post.to)?.by}`,
      referenced_tweets: [{ type: 'replied_to', id: post.to }],
    }),
  });
  const bodyOf = (data: unknown, about: readonly WrittenPost[], meta?: object) => ({
    data,
    includes: {
      users: [...new Set(posts.map(({ by }) => by))].map(userOf),
      tweets: about.flatMap(({ to }) => find(to) ?? []).map(dataOf),
    },
    ...(meta && { meta }),
  });
  const search = ({ searchParams }: URL): FetchResult => {
    const [, root, handle] = /^conversation_id:(\d+) from:(\w+)$/.exec(searchParams.get('query') ?? '') ?? [];
    const from = Number(searchParams.get('next_token') ?? 0);
    const all = posts.filter((post) => rootOf(post) === root && post.by === handle && age(post.id) < 7).toReversed();
    const shown = all.slice(from, from + page);
    const next = from + page < all.length ? { next_token: String(from + page) } : {};
    const body = shown.length === 0 ? { meta: { result_count: 0 } } : bodyOf(shown.map(dataOf), shown, next);
    return json(body, searchStatus);
  };
  const answer = (url: URL): FetchResult => {
    calls.push(url);
    if (url.pathname.endsWith('/search/recent')) return search(url);
    const id = url.pathname.split('/').at(-1) ?? '';
    const post = find(id);
    const missing = { errors: [{ type: PROBLEM, resource_id: id }] };
    return json(post === undefined || post.gone !== undefined ? missing : bodyOf(dataOf(post), [post]));
  };
  const provider = providerCalling(createXApi, answer, NOW);
  return {
    calls,
    read: async (id: string, rest: Partial<PostRequest> = {}) => {
      const request: PostRequest = { id, thread: 'full', replies: 'off', ...rest };
      const outcome = await provider.readPost?.(request, { deadline: readingAt(NOW + 8000), calls: { retries: 0 } });
      if (outcome?.kind !== 'found') throw new Error(outcome?.kind);
      const { ancestors, thread, replies } = outcome.value;
      return {
        ancestors: idsOf(ancestors),
        thread: idsOf(thread),
        replies: idsOf(replies),
        warnings: outcome.warnings.map(({ code }) => code),
        value: outcome.value,
      };
    },
  };
};

const CHAIN = idsOf(chainOf(25));

describe('a thread of the last seven days', () => {
  const posts: readonly WrittenPost[] = [
    ...chainOf(25),
    { id: '2001', by: 'bob', to: '1001' },
    { id: '2002', by: 'ada', to: '2001' },
    { id: '2003', by: 'ada', to: '2002' },
  ];

  test.each(CHAIN)('[threads 1] [threads 2] a thread is complete from %s', async (id) => {
    const { read, calls } = xApi({ posts });
    const seen = await read(id);
    expect([...seen.ancestors, id, ...seen.thread]).toEqual(CHAIN);
    expect(seen.warnings).toEqual([]);
    expect(calls.length).toBeLessThanOrEqual(5);
  });

  test('[threads 1] [threads 2] a thread is complete when the search has several pages', async () => {
    for (const id of ['1001', '1012', '1025']) {
      const { read, calls } = xApi({ posts, page: 10 });
      const seen = await read(id);
      expect([...seen.ancestors, id, ...seen.thread].filter((part) => !CHAIN.includes(part))).toEqual([]);
      expect(calls.length).toBeLessThanOrEqual(5);
      if ([...seen.ancestors, id, ...seen.thread].length < 25) expect(seen.warnings).toEqual(['thread_incomplete']);
    }
  });

  test('[threads 1] posts below an answer of the author to another account are not parts', async () => {
    const seen = await xApi({ posts }).read('2002');
    expect(seen.ancestors).toEqual(['1001', '2001']);
    expect(seen.thread).toEqual(['2003']);
    expect(seen.warnings).toEqual([]);
  });

  test('[threads 1] [threads 2] earlier posts of the author elsewhere in the conversation are not parts', async () => {
    const deep: readonly WrittenPost[] = [
      ...posts,
      { id: '3001', by: 'eve', to: '2001' },
      { id: '3002', by: 'ada', to: '3001' },
      { id: '3003', by: 'ada', to: '3002' },
    ];
    const { read, calls } = xApi({ posts: deep });
    const seen = await read('3002');
    expect(seen.ancestors).toEqual(['1001', '2001', '3001']);
    expect(seen.thread).toEqual(['3003']);
    expect(seen.warnings).toEqual([]);
    expect(calls).toHaveLength(3);
  });
});

test('[threads 2] a post without a thread takes one call if it has no answers, and two otherwise', async () => {
  const alone = xApi({ posts: [{ id: '1001', by: 'ada' }] });
  expect((await alone.read('1001', { replies: 'top' })).warnings).toEqual([]);
  expect(alone.calls).toHaveLength(1);
  const answered = xApi({
    posts: [
      { id: '1001', by: 'ada' },
      { id: '1002', by: 'bob', to: '1001' },
    ],
  });
  expect((await answered.read('1001')).warnings).toEqual([]);
  expect(answered.calls).toHaveLength(2);
});

describe('posts that the search does not cover', () => {
  test('[threads 1] an answered post of 8 days ago gives a warning', async () => {
    const { read, calls } = xApi({ posts: chainOf(25), age: () => 8 });
    const seen = await read('1001');
    expect(seen.thread).toEqual([]);
    expect(seen.warnings).toEqual(['thread_incomplete']);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['7 days', 0, 1],
    ['one second less', 1, 2],
  ])('a post of %s ago: the search covers less than 7 days', async (_, seconds, count) => {
    const { read, calls } = xApi({ posts: chainOf(2), age: () => 7 - seconds / 86_400 });
    await read('1001');
    expect(calls).toHaveLength(count);
  });

  test('[threads 1] [threads 2] older ancestors are read one by one with at most 5 calls', async () => {
    const ages = (id: string) => (Number(id) <= 1006 ? 8 : 1);
    const { read, calls } = xApi({ posts: chainOf(9), age: ages });
    const seen = await read('1009');
    expect(seen.ancestors).toEqual(idsOf(chainOf(9)).slice(0, -1));
    expect(seen.warnings).toEqual([]);
    expect(calls.length).toBeLessThanOrEqual(5);
    const long = await xApi({ posts: chainOf(60), age: () => 8 }).read('1060');
    expect(long.ancestors.length).toBeLessThan(59);
    expect(long.ancestors).toEqual(idsOf(chainOf(60)).slice(-1 - long.ancestors.length, -1));
    expect(long.warnings).toEqual(['thread_incomplete']);
  });

  test('[threads 1] a deleted ancestor is a tombstone', async () => {
    const posts = chainOf(4).map((post) => (post.id === '1002' ? { ...post, gone: 'deleted' } : post));
    const withoutDeleted = posts.filter(({ gone }) => gone === undefined);
    const seen = await xApi({ posts: withoutDeleted }).read('1004');
    expect(seen.value.ancestors).toMatchObject([{ id: '1002', unavailable: true, reason: 'unknown' }, { id: '1003' }]);
    expect(seen.warnings).toEqual([]);
  });

  test.each([429, 403, 503])('[threads 1] a search with status %i gives the post with a warning', async (status) => {
    const seen = await xApi({ posts: chainOf(3), searchStatus: status }).read('1002');
    expect(seen.ancestors).toEqual(['1001']);
    expect(seen.thread).toEqual([]);
    expect(seen.warnings).toEqual(['thread_incomplete']);
  });
});
