// Tests the replies to a post: pages without the author's own thread, and the ways in which a list of replies ends.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asRecord, type JsonRecord } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { Outcome, RepliesRequest } from '../../../shared/ports/upstream.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { ProviderPage } from '../../../shared/upstream/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { layoutOf } from '../../support/conversation-layout.ts';
import { json } from '../../support/provider-calls.ts';
import { clientAnswering, clientCalling } from '../../support/recorded-lists.ts';
import { RECORDED_AT } from '../../support/recorded-posts.ts';
import { idsOf, rawPosts, type WrittenPost } from '../../support/threads.ts';

const BUDGET = { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } };
const THREAD = '2034932961899447678';

const recorded = (name: string): JsonRecord =>
  JSON.parse(readFileSync(new URL(`../../fixtures/fxtwitter/conversation/${name}.json`, import.meta.url), 'utf8'));
const BARE_404 = json({ code: 404, status: null, thread: null, replies: null, author: null, cursor: null }, 404);

/** The cursor after a first page of five answers to the post, of nine. */
const AFTER_FIRST_PAGE = `conversation|ada_larsson|${THREAD}|9|5|0|||token`;

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
  foundIn(await clientAnswering(json(body)).listPosts(request)({ size: 20 }, BUDGET));

const laterPage = (
  fetched: FetchResult | readonly FetchResult[],
  cursor = AFTER_FIRST_PAGE,
  request = replies(THREAD),
  requests: string[] = [],
) => clientAnswering(fetched, requests).listPosts(request)({ size: 20, cursor }, BUDGET);

describe('the first page', () => {
  test('[pages 3] has the replies of others and the answers of the author to them, but no part of the thread', async () => {
    const { items, next } = await firstPage(recorded('tide_401'), replies('2100000000000000401'));
    const numbers = items.map(({ id }) => Number(id.slice(-3)));
    expect(numbers.filter((number) => number <= 425)).toEqual([]);
    expect(numbers).toContain(440);
    expect(numbers).toHaveLength(16);
    expect(next).toMatch(/^conversation\|lena_quay\|2100000000000000401\|39\|16\|.*\|more412$/);
  });

  test('[pages 3] top puts the replies with the most likes first, recent the latest', async () => {
    const top = await firstPage(recorded('th1_p1_likes'), replies(THREAD));
    expect(top.items.map(({ metrics }) => metrics.likes)).toEqual([265, 230, 212, 177, 159]);
    const recent = await firstPage(recorded('th1_recency'), replies(THREAD, 'recent'));
    expect(idsOf(recent.items)).toEqual(idsOf(recent.items).toSorted().reverse());
    expect(recent.items.length).toBeGreaterThan(1);
  });

  test.each<readonly [string, FetchResult, object]>([
    ['a 404 without a reason', BARE_404, { kind: 'ambiguous' }],
    ['a tombstone', json(recorded('tombstone'), 404), { kind: 'gone', reason: 'suspended' }],
    ['503', json({ code: 503 }, 503), { kind: 'down', why: 'code 503' }],
    ['a limit', json({ code: 429 }), { kind: 'down', why: 'code 429' }],
    ['no answer', { kind: 'down', why: 'time-out' }, { kind: 'down', why: 'time-out' }],
    ['another post', json(recorded('th1_p1_likes')), { kind: 'failed', why: 'wrong post' }],
    ['HTML', { kind: 'response', status: 200, json: undefined, isHtml: true }, { kind: 'failed' }],
  ])('[provider-faults 10] [provider-faults 12] the response %s gives its own outcome', async (_, fetched, outcome) => {
    const id = '1990000000000000003';
    expect(await clientAnswering(fetched).listPosts(replies(id))({ size: 20 }, BUDGET)).toMatchObject(outcome);
  });

  test('a post without its conversation fails', async () => {
    const { status } = recorded('th1_p1_likes');
    const fetched = json({ code: 200, status, thread: null });
    expect((await clientAnswering(fetched).listPosts(replies(THREAD))({ size: 20 }, BUDGET)).kind).toBe('failed');
  });
});

test.each([
  '',
  '|',
  'jack|',
  'ja ck|A',
  'conversation|jack|20|9|5|0|||',
  'conversation|ja ck|20|9|5|0|||A',
  `search|${'a'.repeat(31)}|20|9|5|0|||A`,
  'search|jack|from:ada|9|5|0|||A',
])('the cursor "%s" is refused without a request', async (cursor) => {
  const requests: string[] = [];
  const provider = clientAnswering(BARE_404, requests);
  expect((await provider.listPosts(replies('20'))({ size: 20, cursor }, BUDGET)).kind).toBe('refused');
  expect(requests).toEqual([]);
});

const reply = (id: string, by: string, to: string, parent = '12') => ({
  type: 'status',
  id,
  text: id,
  author: { screen_name: by, name: by },
  replying_to: { screen_name: to, status: parent },
});

describe('later pages', () => {
  test('[pages 3] the recorded pages have every reply once, and the last one ends the list', async () => {
    const requests: string[] = [];
    const pages = ['th1_p1_likes', 'th1_p2_likes', 'th1_p3_likes'].map((name) => json(recorded(name)));
    const provider = clientAnswering(pages, requests);
    const items: Post[] = [];
    let cursor: string | undefined;
    do {
      const page = foundIn(await provider.listPosts(replies(THREAD))({ size: 20, ...(cursor && { cursor }) }, BUDGET));
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

  test.each<readonly [string, FetchResult, object]>([
    ['500', json({ code: 500, status: null }, 500), { kind: 'down' }],
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
    ['HTML', { kind: 'response', status: 404, json: undefined, isHtml: true }, { kind: 'failed' }],
  ])('[provider-faults 10] an outage is never the end of the list: %s', async (_, fetched, outcome) => {
    expect(await laterPage(fetched)).toMatchObject(outcome);
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
    expect(page.next).toMatch(/\|b$/);
  });

  test('an empty page with a new cursor continues, a page with its own cursor leads to the search', async () => {
    const page = (bottom: string) => laterPage(json({ code: 200, replies: [], cursor: { bottom } }));
    const next = AFTER_FIRST_PAGE.replace('token', 'other');
    expect(foundIn(await page('other'))).toEqual({ items: [], next, warnings: [] });
    expect(foundIn(await page('token')).next).toBe(
      AFTER_FIRST_PAGE.replace('conversation', 'search').replace('token', ''),
    );
  });

  test('a cursor of 1.0.0 goes on in the conversation and ends with a warning, because no search can follow', async () => {
    const requests: string[] = [];
    const page = json({ code: 200, replies: [reply('33', 'bob', 'ada')], cursor: { bottom: 'b|c' } });
    const first = foundIn(await laterPage(page, 'ada|a|b', replies('20'), requests));
    expect(requests).toEqual(['/2/conversation/20?ranking_mode=likes&cursor=a%7Cb']);
    expect(idsOf(first.items)).toEqual(['33']);
    expect(first).toMatchObject({
      next: expect.stringMatching(/^conversation\|ada\|\|\|0\|0\|.*\|b\|c$/),
      warnings: [],
    });
    const last = foundIn(await laterPage(BARE_404, first.next, replies('20')));
    expect(last).toEqual({ items: [], warnings: ['replies_incomplete'] });
  });

  test('a page has the warning media_unsupported if it lacks media', async () => {
    const media = { all: [{ type: 'hologram', url: 'https://pbs.twimg.com/a.bin' }] };
    const page = await laterPage(json({ code: 200, replies: [{ ...reply('33', 'bob', 'ada'), media }] }));
    expect(foundIn(page).warnings).toEqual(['media_unsupported']);
  });
});

describe('the search', () => {
  const START = 'search|ada|1000|9|5|0|||';
  const searchPage = (
    results: readonly object[],
    { bottom = null, cursor = START, id = '1000' }: { bottom?: string | null; cursor?: string; id?: string } = {},
  ) => laterPage(json({ code: 200, results, cursor: { bottom } }), cursor, replies(id, 'recent'));
  const answers = (...ids: readonly number[]) => ids.map((id) => reply(String(id), 'bob', 'ada', '1000'));

  test('[pages 3] a 404 without a reason for the page of a cursor leads to the search', async () => {
    const requests: string[] = [];
    const fetched = [BARE_404, json({ code: 200, results: answers(1009), cursor: { bottom: null } })];
    const cursor = 'conversation|ada|1000|6|5|0|||token';
    const page = await laterPage(fetched, cursor, replies('1000'), requests);
    expect(foundIn(page)).toMatchObject({ items: [{ id: '1009' }], warnings: [] });
    expect(requests).toEqual([
      '/2/conversation/1000?ranking_mode=likes&cursor=token',
      '/2/search?q=conversation_id%3A1000&feed=latest&count=20',
    ]);
  });

  test('[pages 3] keeps the answers to the post and the posts below them that the conversation did not show', async () => {
    const {
      items: [first],
      next: cursor = '',
    } = await firstPage(
      {
        code: 200,
        status: { ...reply('1000', 'ada', 'eve', '900'), replies: 9 },
        thread: [reply('1000', 'ada', 'eve', '900')],
        replies: [reply('1001', 'bob', 'ada', '1000'), reply('1002', 'ada', 'ada', '1000')],
        cursor: null,
      },
      replies('1000'),
    );
    expect(first?.id).toBe('1001');
    expect(cursor).toMatch(/^search\|ada\|900\|9\|2\|/);
    const results = [
      reply('1010', 'eve', 'bob', '1009'),
      reply('1009', 'bob', 'ada', '1000'),
      reply('1008', 'ada', 'bob', '1001'),
      reply('1007', 'bob', 'ada', '1002'),
      reply('1006', 'bob', 'eve', '900'),
      reply('1002', 'ada', 'ada', '1000'),
      reply('1001', 'bob', 'ada', '1000'),
    ];
    const page = foundIn(await searchPage(results, { cursor, bottom: 's' }));
    expect(idsOf(page.items)).toEqual(['1010', '1009', '1008']);
    expect(page.others).toEqual(['1007', '1006']);
    expect(page.next).toMatch(
      /^search\|ada\|900\|9\|3\|0\|.*\|=AAAAAAAAA-kAAAAAAAAD6gAAAAAAAAPuAAAAAAAAA-8AAAAAAAAD8AAAAAAAAAPxAAAAAAAAA_I\|s$/,
    );
  });

  test.each([
    ['has no older post', answers(1009, 1005), { bottom: 'b', cursor: 'search|ada|1000|9|5|0||1005|a' }, []],
    ['is older than the post', [reply('999', 'bob', 'eve', '900')], { bottom: 'b' }, []],
    ['has no cursor', answers(1009), {}, ['1009']],
    ['has its own cursor', answers(1004), { bottom: 'a', cursor: 'search|ada|1000|9|5|0||1005|a' }, ['1004']],
    [
      'is the 20th without an answer',
      [reply('1004', 'bob', 'eve', '1')],
      { bottom: 'b', cursor: 'search|ada|1000|9|5|19||1005|a' },
      [],
    ],
    ['is empty', [], { bottom: 'b', cursor: 'search|ada|1000|9|5|0||1005|a' }, []],
  ])(
    '[threads 2] a page that %s ends the list with a warning if answers are missing',
    async (_, results, page, ids) => {
      const { items, next, warnings } = foundIn(await searchPage(results, page));
      expect({ ids: idsOf(items), next, warnings }).toEqual({ ids, next: undefined, warnings: ['replies_incomplete'] });
    },
  );

  test('[threads 2] a list with the counted number of answers ends without a warning at the first page without one', async () => {
    const { next, warnings } = foundIn(await searchPage(answers(1009, 1008, 1007, 1006), { bottom: 'b' }));
    expect({ next, warnings }).toEqual({
      next: 'search|ada|1000|9|9|0||=AAAAAAAAA-4AAAAAAAAD7wAAAAAAAAPwAAAAAAAAA_E|b',
      warnings: [],
    });
    const more = foundIn(await searchPage(answers(1005), { cursor: next ?? '', bottom: 'c' }));
    expect(idsOf(more.items)).toEqual(['1005']);
    const unrelated = [reply('1003', 'bob', 'eve', '1')];
    const last = foundIn(await searchPage(unrelated, { cursor: more.next ?? '', bottom: 'd' }));
    expect([last.items, last.next, last.warnings]).toEqual([[], undefined, []]);
  });

  test('an empty first page may have more pages behind it', async () => {
    expect(foundIn(await searchPage([], { bottom: 'b' })).next).toBe('search|ada|1000|9|5|1|||b');
  });

  describe('if the post does not count its replies', () => {
    const UNKNOWN = 'search|ada|1000||1|0||.1005|a';

    test('[threads 2] follows the conversation and ends without a warning', async () => {
      const body = recorded('no_replies');
      const status = { ...asRecord(body['status']), replies: null };
      const page = await firstPage({ ...body, status }, replies('2028036267832246272'));
      expect(page.next).toBe('search|ada_larsson|2028036267832246272||0|0|||');
      const { items, next, warnings } = foundIn(await searchPage(answers(1004), { cursor: UNKNOWN }));
      expect({ ids: idsOf(items), next, warnings }).toEqual({ ids: ['1004'], next: undefined, warnings: [] });
      expect(foundIn(await searchPage(answers(1004), { cursor: UNKNOWN, bottom: 'b' })).next).toBe(
        'search|ada|1000||2|0||=AAAAAAAAA-wAAAAAAAAD7Q|b',
      );
    });

    test('[threads 2] has a warning if its later pages are not read', async () => {
      const cursor = UNKNOWN.replace('|1|0|', '|1|19|');
      const page = foundIn(await searchPage([reply('1004', 'bob', 'eve', '1')], { cursor, bottom: 'b' }));
      expect(page).toMatchObject({ warnings: ['replies_incomplete'] });
      expect(page.next).toBeUndefined();
    });
  });

  test.each<readonly [string, FetchResult, string]>([
    ['404', json({ code: 404, results: [], cursor: { bottom: null } }, 404), 'down'],
    ['400', json({ code: 400, message: 'q' }, 400), 'failed'],
  ])('[provider-faults 10] a failed search is not the end of the list: %s', async (_, fetched, kind) => {
    expect((await laterPage(fetched, START, replies('1000'))).kind).toBe(kind);
  });

  test('a conversation page with more posts than a cursor can name ends the list with a warning', async () => {
    const many = Array.from({ length: 150 }, (_, index) => reply(String(1001 + index), 'bob', 'ada', '1000'));
    const page = await laterPage(
      json({ code: 200, replies: many }),
      'conversation|ada|1000|999|0|0|||t',
      replies('1000'),
    );
    expect(foundIn(page)).toMatchObject({ warnings: ['replies_incomplete'] });
    expect(foundIn(page).next).toBeUndefined();
  });
});

test('[outages 1] a failed or missing conversation is requested once more', async () => {
  const talk = recorded('th1_p1_likes');
  for (const first of [BARE_404, json({ code: 500 }, 500)]) {
    const requests: string[] = [];
    const page = await clientAnswering([first, json(talk)], requests).listPosts(replies(THREAD))({ size: 20 }, BUDGET);
    expect(foundIn(page).items).toHaveLength(5);
    expect(requests).toHaveLength(2);
  }
});

test('[pages 3] all pages of a search have every answer once although X changes places of posts', async () => {
  const places = fc.array(fc.nat(14), { minLength: 120, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: 30 }), async (moves, pageSize) => {
      const found = moves
        .map((move, index) => ({ place: index + move, entry: reply(String(1200 - index), 'bob', 'ada', '1000') }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ entry }) => entry);
      const provider = clientCalling(({ searchParams }) => {
        const start = Number(searchParams.get('cursor') ?? 0);
        const results = found.slice(start, start + pageSize);
        return json({ code: 200, results, cursor: { bottom: String(start + results.length) } });
      });
      const ids: string[] = [];
      let cursor: string | undefined = 'search|ada|1000|130|0|0|||';
      while (cursor !== undefined) {
        const page: ReturnType<typeof foundIn> = foundIn(
          await provider.listPosts(replies('1000'))({ size: 20, cursor }, BUDGET),
        );
        ids.push(...idsOf(page.items));
        cursor = page.next;
      }
      expect(ids.toSorted()).toEqual(found.map(({ id }) => id).toSorted());
    }),
    { numRuns: 50 },
  );
});

test('[pages 3] all pages together have every answer to the post exactly once and no part of the thread', async () => {
  const talkOf = fc
    .array(fc.tuple(fc.nat(30), fc.constantFrom('ada', 'bob', 'eve')), { maxLength: 60 })
    .map((entries) => {
      const posts: WrittenPost[] = [{ id: '1000', by: 'ada' }];
      for (const [to, by] of entries)
        posts.push({ id: String(1000 + posts.length), by, to: posts[to % posts.length]?.id });
      return posts;
    });
  await fc.assert(
    fc.asyncProperty(
      talkOf,
      fc.constantFrom<RepliesRequest['order']>('top', 'recent'),
      fc.boolean(),
      fc.nat(3),
      async (talk, order, hasLaterPages, focalIndex) => {
        const layout = layoutOf(rawPosts(talk), { moduleEntries: 3, modulesPerPage: 4, hasLaterPages });
        const focal = talk[focalIndex] ?? talk[0];
        const id = focal?.id ?? '';
        const provider = clientCalling(({ pathname, searchParams }) => {
          const { status, body } =
            layout.search(searchParams) ?? layout.answer(pathname.split('/')[2] ?? '', id, searchParams);
          return json(body, status);
        });
        const ids: string[] = [];
        const warnings: string[] = [];
        let cursor: string | undefined;
        let calls = 0;
        do {
          const page = foundIn(
            await provider.listPosts(replies(id, order))({ size: 20, ...(cursor && { cursor }) }, BUDGET),
          );
          ids.push(...idsOf(page.items));
          warnings.push(...page.warnings);
          cursor = page.next;
          calls += 1;
        } while (cursor !== undefined && calls < 100);
        expect(cursor).toBeUndefined();
        const answersBy = (isOwn: boolean) => talk.filter(({ by, to }) => to === id && (by === focal?.by) === isOwn);
        expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
        for (const { id: answer } of answersBy(false)) expect(ids).toContain(answer);
        for (const { id: answer } of answersBy(true)) expect(ids).not.toContain(answer);
        expect(warnings).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});
