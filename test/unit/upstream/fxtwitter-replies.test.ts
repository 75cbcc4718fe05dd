// Tests the replies to a post: pages without the author's own thread, and the ways in which a list of replies ends.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../infra/local/conversation-layout.ts';
import type { JsonRecord } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { Outcome, RepliesRequest } from '../../../shared/ports/upstream.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { asRecords } from '../../../shared/upstream/json-readers.ts';
import type { ProviderPage } from '../../../shared/upstream/provider.ts';
import { clientAnswering, clientCalling } from '../../support/recorded-lists.ts';
import { RECORDED_AT } from '../../support/recorded-posts.ts';
import { idsOf, rawPosts, type WrittenPost } from '../../support/threads.ts';

const BUDGET = { deadline: RECORDED_AT + 8000, retries: 0 };
const THREAD = '2034932961899447678';

const json = (value: unknown, status = 200): FetchResult => ({ kind: 'response', status, json: value, isHtml: false });
const recorded = (name: string): JsonRecord =>
  JSON.parse(readFileSync(new URL(`../../fixtures/fxtwitter/conversation/${name}.json`, import.meta.url), 'utf8'));
const BARE_404 = json({ code: 404, status: null, thread: null, replies: null, author: null, cursor: null }, 404);

const replies = (id: string, order: RepliesRequest['order'] = 'top'): RepliesRequest => ({
  list: 'replies',
  id,
  order,
});

const foundIn = (outcome: Outcome<ProviderPage<Post>>) => {
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  return { ...outcome.value, warnings: outcome.warnings.map(({ code }) => code) };
};

const firstPage = async (body: unknown, request: RepliesRequest) =>
  foundIn(await clientAnswering(json(body)).listReplies(request, { size: 20 }, BUDGET));

const laterPage = (
  fetched: FetchResult | readonly FetchResult[],
  cursor = 'ada_larsson|token',
  request = replies(THREAD),
  requests: string[] = [],
) => clientAnswering(fetched, requests).listReplies(request, { size: 20, cursor }, BUDGET);

describe('the first page', () => {
  test('[decision 11 #116] has the replies of others and the answers of the author to them, but no part of the thread', async () => {
    const { items, next } = await firstPage(recorded('tide_401'), replies('2100000000000000401'));
    const numbers = items.map(({ id }) => Number(id.slice(-3)));
    expect(numbers.filter((number) => number <= 425)).toEqual([]);
    expect(numbers).toContain(440);
    expect(numbers).toHaveLength(16);
    expect(next).toBe('lena_quay|more412');
  });

  test('[decision 11 #116] top puts the replies with the most likes first, recent the latest', async () => {
    const top = await firstPage(recorded('th1_p1_likes'), replies(THREAD));
    expect(top.items.map(({ metrics }) => metrics.likes)).toEqual([265, 230, 212, 177, 159]);
    const recent = await firstPage(recorded('th1_recency'), replies(THREAD, 'recent'));
    expect(idsOf(recent.items)).toEqual(idsOf(recent.items).toSorted().reverse());
    expect(recent.items.length).toBeGreaterThan(1);
  });

  test('a page of a reply has neither its ancestors nor the reply', async () => {
    const body = recorded('reply_focal');
    const { items } = await firstPage(body, replies('2035310449259448307'));
    const chain = asRecords(body['thread']).map(({ id }) => id);
    expect(chain.length).toBeGreaterThan(1);
    expect(idsOf(items).filter((id) => chain.includes(id))).toEqual([]);
  });

  test('a post without replies has an empty page without a cursor', async () => {
    const { items, next } = await firstPage(recorded('no_replies'), replies('2028036267832246272'));
    expect({ items, next }).toEqual({ items: [], next: undefined });
  });

  test.each<readonly [string, FetchResult, object]>([
    ['a 404 without a reason', BARE_404, { kind: 'ambiguous' }],
    ['a tombstone', json(recorded('tombstone'), 404), { kind: 'gone', reason: 'suspended' }],
    ['a protected post', json({ code: 401, status: null }, 401), { kind: 'gone', reason: 'protected' }],
    ['500', json({ code: 500 }, 500), { kind: 'down', why: 'code 500' }],
    ['429', json({ code: 429 }, 429), { kind: 'down', why: 'code 429' }],
    ['no answer', { kind: 'down', why: 'time-out' }, { kind: 'down', why: 'time-out' }],
    ['another post', json(recorded('th1_p1_likes')), { kind: 'failed', why: 'wrong post' }],
    ['HTML', { kind: 'response', status: 200, json: undefined, isHtml: true }, { kind: 'failed' }],
  ])('[provider-fault #10][provider-fault #12] the response %s gives its own outcome', async (_, fetched, outcome) => {
    const id = '1990000000000000003';
    expect(await clientAnswering(fetched).listReplies(replies(id), { size: 20 }, BUDGET)).toMatchObject(outcome);
  });

  test('a post without its conversation fails', async () => {
    const { status } = recorded('th1_p1_likes');
    const fetched = json({ code: 200, status, thread: null });
    expect((await clientAnswering(fetched).listReplies(replies(THREAD), { size: 20 }, BUDGET)).kind).toBe('failed');
  });
});

describe('the requests', () => {
  const requestsFor = async (request: RepliesRequest, cursor?: string): Promise<readonly string[]> => {
    const requests: string[] = [];
    await clientAnswering(BARE_404, requests).listReplies(request, { size: 100, ...(cursor && { cursor }) }, BUDGET);
    return requests;
  };

  test.each([
    ['top', undefined, '/2/conversation/20?ranking_mode=likes'],
    ['recent', undefined, '/2/conversation/20?ranking_mode=recency'],
    ['recent', 'jack|A|b+/=', '/2/conversation/20?ranking_mode=recency&cursor=A%7Cb%2B%2F%3D'],
    ['top', '|A', '/2/conversation/20?ranking_mode=likes&cursor=A'],
  ] as const)('%s with the cursor %s', async (order, cursor, url) => {
    expect((await requestsFor(replies('20', order), cursor))[0]).toBe(url);
  });

  test.each(['', '|', 'jack', 'jack|', 'ja ck|A', `${'a'.repeat(31)}|A`, 'jack/../|A'])(
    'the cursor "%s" is refused without a request',
    async (cursor) => {
      const requests: string[] = [];
      const provider = clientAnswering(BARE_404, requests);
      expect((await provider.listReplies(replies('20'), { size: 20, cursor }, BUDGET)).kind).toBe('refused');
      expect(requests).toEqual([]);
    },
  );

  test('FxTwitter has no ids of one digit, so there is no request', async () => {
    expect(await requestsFor(replies('7'))).toEqual([]);
  });
});

describe('later pages', () => {
  test('[decision 11 #116] the recorded pages have every reply once, and the last one ends the list', async () => {
    const requests: string[] = [];
    const pages = ['th1_p1_likes', 'th1_p2_likes', 'th1_p3_likes'].map((name) => json(recorded(name)));
    const provider = clientAnswering(pages, requests);
    const items: Post[] = [];
    let cursor: string | undefined;
    do {
      const page = foundIn(
        await provider.listReplies(replies(THREAD), { size: 20, ...(cursor && { cursor }) }, BUDGET),
      );
      items.push(...page.items);
      expect(page.warnings).toEqual([]);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(requests).toHaveLength(3);
    expect(items).toHaveLength(12);
    expect(new Set(idsOf(items)).size).toBe(12);
    expect(items.filter(({ author }) => author?.handle === 'ada_larsson')).toMatchObject([
      { in_reply_to: { handle: 'Zeynep_vrea0' } },
    ]);
  });

  test('[decision 11 #116] a 404 without a reason ends the list with a warning if the post itself is found', async () => {
    const requests: string[] = [];
    const post = json({ code: 200, status: recorded('th1_p1_likes')['status'] });
    const page = await laterPage([BARE_404, post], 'ada_larsson|token', replies(THREAD), requests);
    expect(foundIn(page)).toEqual({ items: [], warnings: ['replies_incomplete'] });
    expect(requests).toEqual([`/2/conversation/${THREAD}?ranking_mode=likes&cursor=token`, `/2/status/${THREAD}`]);
  });

  test.each<readonly [string, FetchResult, object]>([
    ['a 404 as well', BARE_404, { kind: 'ambiguous' }],
    ['500', json({ code: 500 }, 500), { kind: 'down' }],
    ['no answer', { kind: 'down', why: 'time-out' }, { kind: 'down' }],
    ['protected', json({ code: 401, status: null }, 401), { kind: 'gone', reason: 'protected' }],
  ])(
    '[provider-fault #10] a 404 without a reason does not end the list if the post is %s',
    async (_, post, outcome) => {
      expect(await laterPage([BARE_404, post])).toMatchObject(outcome);
    },
  );

  test.each<readonly [string, FetchResult, object]>([
    ['500', json({ code: 500, status: null }, 500), { kind: 'down' }],
    ['429', json({ code: 429 }, 429), { kind: 'down' }],
    ['no answer', { kind: 'down', why: 'time-out' }, { kind: 'down' }],
    [
      'a tombstone',
      json({ code: 404, status: { type: 'tombstone', id: THREAD, reason: 'deleted' } }, 404),
      { kind: 'gone', reason: 'deleted' },
    ],
    ['400', json({ code: 400 }, 400), { kind: 'refused' }],
    [
      'another post',
      json({ code: 200, status: { type: 'status', id: '77' }, replies: [] }),
      { kind: 'failed', why: 'wrong post' },
    ],
    ['no list', json({ code: 200, status: null, replies: null }), { kind: 'failed' }],
    ['a list that is an object', json({ code: 200, replies: {} }), { kind: 'failed' }],
    ['HTML', { kind: 'response', status: 404, json: undefined, isHtml: true }, { kind: 'failed' }],
  ])('[provider-fault #10] an outage is never the end of the list: %s', async (_, fetched, outcome) => {
    expect(await laterPage(fetched)).toMatchObject(outcome);
  });

  const author = (handle: string) => ({ screen_name: handle, name: handle });
  const reply = (id: string, by: string, to: string) => ({
    type: 'status',
    id,
    text: id,
    author: author(by),
    replying_to: { screen_name: to, status: '12' },
  });

  test('parts of the thread are left out, answers of the author to others are kept', async () => {
    const entries = [
      reply('31', 'ADA_Larsson', 'ada_larsson'),
      reply('32', 'ada_larsson', 'bob'),
      reply('33', 'bob', 'ada_larsson'),
      { type: 'tombstone', id: '34', reason: 'deleted' },
      { ...reply(THREAD, 'bob', 'ada_larsson') },
    ];
    const page = foundIn(await laterPage(json({ code: 200, replies: entries, cursor: { bottom: 'b' } })));
    expect(idsOf(page.items)).toEqual(['33', '32']);
    expect(page.next).toBe('ada_larsson|b');
  });

  test('an empty page with a new cursor continues, a page with its own cursor ends the list', async () => {
    const page = (bottom: string) => laterPage(json({ code: 200, replies: [], cursor: { bottom } }));
    expect(foundIn(await page('other'))).toEqual({ items: [], next: 'ada_larsson|other', warnings: [] });
    expect(foundIn(await page('token'))).toEqual({ items: [], warnings: [] });
  });

  test('a page has the warning media_unsupported if it lacks media', async () => {
    const media = { all: [{ type: 'hologram', url: 'https://pbs.twimg.com/a.bin' }] };
    const page = await laterPage(json({ code: 200, replies: [{ ...reply('33', 'bob', 'ada'), media }] }));
    expect(foundIn(page).warnings).toEqual(['media_unsupported']);
  });
});

test('[decision 11 #116] all pages together have the replies of every conversation, without the thread and each at least once', async () => {
  const talkOf = fc
    .array(fc.tuple(fc.nat(30), fc.constantFrom('ada', 'bob', 'eve')), { maxLength: 60 })
    .map((entries) => {
      const posts: WrittenPost[] = [{ id: '1000', by: 'ada' }];
      for (const [to, by] of entries)
        posts.push({ id: String(1000 + posts.length), by, to: posts[to % posts.length]?.id });
      return posts;
    });
  await fc.assert(
    fc.asyncProperty(talkOf, fc.constantFrom<RepliesRequest['order']>('top', 'recent'), async (talk, order) => {
      const layout = layoutOf(rawPosts(talk), { moduleEntries: 3, modulesPerPage: 4, hasLaterPages: true });
      const provider = clientCalling(({ searchParams }) => {
        const { status, body } = layout.answer('conversation', '1000', searchParams);
        return json(body, status);
      });
      const ids = new Set<string>();
      let cursor: string | undefined;
      let calls = 0;
      do {
        const page = foundIn(
          await provider.listReplies(replies('1000', order), { size: 20, ...(cursor && { cursor }) }, BUDGET),
        );
        for (const { id } of page.items) ids.add(id);
        cursor = page.next;
        calls += 1;
      } while (cursor !== undefined && calls < 100);
      expect(cursor).toBeUndefined();
      const answers = (isOwn: boolean) => talk.filter(({ by, to }) => to === '1000' && (by === 'ada') === isOwn);
      for (const { id } of answers(false)) expect(ids).toContain(id);
      for (const { id } of answers(true)) expect(ids).not.toContain(id);
    }),
    { numRuns: 200 },
  );
});
