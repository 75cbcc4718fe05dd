// Tests that the bundled sample answers every list, with pages, and that the entries of the lists can be read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SampleServer, startSampleServer } from '../../infra/local/sample-server.ts';
import type { Post } from '../../shared/model/post.ts';
import type { User } from '../../shared/model/user.ts';
import type { Outcome, PageRequest, Upstream, UpstreamPage } from '../../shared/ports/upstream.ts';
import { createUpstream } from '../../shared/upstream/create-upstream.ts';
import { idsOf, OWN_ANSWER, PARTS } from '../support/threads.ts';

const THREAD = '2034932961899447678';
const QUOTED = '2028036267832246272';
const NOW = Date.parse('2026-11-22T00:00:00Z');
const DEADLINE = NOW + 8000;

let server: SampleServer;
let upstream: Upstream;

beforeAll(async () => {
  server = await startSampleServer();
  upstream = createUpstream({
    providers: [{ name: 'fxtwitter', baseUrl: `${server.origin}/fxtwitter`, source: 'sample' }],
    canaryPost: '20',
    canaryProfile: 'X',
    userAgent: 'Postern/test',
    cacheMilliseconds: 60_000,
    clock: () => NOW,
    log: () => undefined,
    random: () => 0,
  });
});

afterAll(() => server.close());

/** Requests all pages. */
const walk = async <T>(read: (page: PageRequest) => Promise<Outcome<UpstreamPage<T>>>) => {
  const items: T[] = [];
  const warnings: string[] = [];
  let pages = 0;
  let position: Partial<PageRequest> | undefined = {};
  while (position !== undefined && pages < 50) {
    const outcome: Outcome<UpstreamPage<T>> = await read({ size: 20, ...position });
    if (outcome.kind !== 'found') throw new Error(outcome.kind);
    const { next, provider } = outcome.value;
    items.push(...outcome.value.items);
    warnings.push(...outcome.warnings.map(({ code }) => code));
    pages += 1;
    position = next === undefined || next === position.cursor ? undefined : { provider, cursor: next };
  }
  expect(position).toBeUndefined();
  return { items, warnings, pages };
};

const walkPosts = (request: Parameters<Upstream['listPosts']>[0]) =>
  walk<Post>((page) => upstream.listPosts(request, page, DEADLINE));

const walkUsers = (request: Parameters<Upstream['listUsers']>[0]) =>
  walk<User>((page) => upstream.listUsers(request, page, DEADLINE));

const timeline = (kind: 'posts' | 'replies' | 'media' | 'articles', handle = 'ada_larsson') =>
  ({ list: 'posts', kind, handle }) as const;

describe('the timelines of a profile', () => {
  test('have posts, more posts with replies, media, and one article', async () => {
    const [posts, replies, media, articles] = await Promise.all([
      walkPosts(timeline('posts')),
      walkPosts(timeline('replies')),
      walkPosts(timeline('media')),
      walkPosts(timeline('articles')),
    ]);
    expect(posts.pages).toBeGreaterThan(1);
    expect(replies.pages).toBeGreaterThan(1);
    expect(replies.items.some(({ in_reply_to: answered }) => answered?.handle === 'Zeynep_vrea0')).toBe(true);
    expect(media.items.length).toBeGreaterThan(2);
    for (const post of media.items) expect(post.media).not.toEqual([]);
    expect(articles.items).toMatchObject([{ article: { title: expect.any(String), blocks: [] } }]);
  });

  test('a period has the posts of its days', async () => {
    const period = { since: Date.parse('2026-01-10'), until: Date.parse('2026-02-01') };
    const found = await walkPosts({ ...timeline('posts'), ...period });
    const times = (await walkPosts(timeline('replies'))).items.filter(
      ({ created_at: at = '', in_reply_to: answered }) => {
        const time = Date.parse(at);
        return answered === undefined && time >= period.since && time < period.until;
      },
    );
    expect(new Set(idsOf(found.items))).toEqual(new Set(idsOf(times)));
    expect(times.length).toBeGreaterThan(3);
  });
});

describe('the lists of a post', () => {
  test('the replies of the shorter thread have three pages', async () => {
    const { items, warnings, pages } = await walkPosts({ list: 'replies', id: THREAD, order: 'top' });
    expect({ count: items.length, warnings, pages }).toEqual({ count: 12, warnings: [], pages: 3 });
  });

  test.each(['top', 'recent'] as const)('the replies of the longer thread (%s) have no part of it', async (order) => {
    const { items, warnings } = await walkPosts({ list: 'replies', id: PARTS[0] ?? '', order });
    expect(idsOf(items).filter((id) => PARTS.includes(id))).toEqual([]);
    expect(idsOf(items)).toContain(OWN_ANSWER);
    // The sample has fewer replies than the first part counts.
    expect(warnings).toEqual(['replies_incomplete']);
  });

  test('quotes have the quoted post', async () => {
    const { items } = await walkPosts({ list: 'quotes', id: QUOTED });
    expect(items).toMatchObject(Array.from({ length: 4 }, () => ({ quote: { id: QUOTED } })));
  });

  test('reposts have more than one page, each account once', async () => {
    const { items, pages } = await walkUsers({ list: 'reposts', id: QUOTED });
    expect(pages).toBeGreaterThan(1);
    expect(items).toHaveLength(26);
    expect(new Set(items.map(({ handle }) => handle)).size).toBe(26);
  });
});

test('every post of the lists and every author can be read', async () => {
  const lists = await Promise.all([
    ...['ada_larsson', 'kestrel_labs', 'slowtv_live'].flatMap((handle) =>
      (['posts', 'replies', 'media', 'articles'] as const).map((kind) => walkPosts(timeline(kind, handle))),
    ),
    walkPosts({ list: 'replies', id: THREAD, order: 'top' }),
    walkPosts({ list: 'quotes', id: QUOTED }),
    walkPosts({ list: 'search', query: 'tide', feed: 'latest' }),
  ]);
  const posts = lists.flatMap(({ items }) => items);
  const ids = new Set(
    posts.flatMap(({ id, quote }) => [id, ...(quote !== undefined && 'metrics' in quote ? [quote.id] : [])]),
  );
  expect(ids.size).toBeGreaterThan(60);
  const unread: string[] = [];
  for (const id of ids) {
    const { kind } = await upstream.readPost({ id, thread: 'full', replies: 'top' }, DEADLINE);
    if (kind !== 'found') unread.push(id);
  }
  for (const handle of new Set(posts.flatMap(({ author }) => author?.handle ?? []))) {
    const { kind } = await upstream.readProfile(handle, DEADLINE);
    if (kind !== 'found') unread.push(handle);
  }
  expect(unread).toEqual([]);
});
