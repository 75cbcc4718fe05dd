// Tests the second ways of FxTwitter to a list: searches for a timeline that fails, and what a 400 says of a cursor.
import { describe, expect, test } from 'vitest';
import type { TimelineKind } from '../../../shared/model/lists.ts';
import { monotonic } from '../../../shared/model/time.ts';
import type { TimelineRequest } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { json, type ListRequest, providerCalling, readList } from '../../support/provider-calls.ts';

const NOW = Date.parse('2026-08-25T12:00:00Z');
const ID = '2028036267832246272';

const failed = json({ code: 404, results: [], cursor: { top: null, bottom: null } }, 404);

const tweet = (id: string, day: string) => ({
  type: 'status',
  id,
  text: `post ${id}`,
  author: { screen_name: 'ada' },
  created_timestamp: Date.parse(`${day}T00:00:00Z`) / 1000,
});

const pageOf = (results: readonly object[], bottom: string | null = null): FetchResult =>
  json({ code: 200, results, cursor: { top: null, bottom } });

const found = pageOf([tweet('40', '2026-08-24'), tweet('30', '2026-08-23')], 'MORE');

/** @param answer of a search */
const failingTimelines = (answer: FetchResult, timeline = failed) => {
  const requests: URL[] = [];
  const budgets: (boolean | undefined)[] = [];
  const next = (url: URL): FetchResult => {
    requests.push(url);
    return url.pathname === '/2/search' ? answer : timeline;
  };
  const provider = providerCalling(createFxTwitter, next, NOW);
  const read = (request: Partial<TimelineRequest> = {}, cursor?: string) =>
    provider.listPosts({ list: 'posts', kind: 'posts', handle: 'ada', ...request })?.(
      cursor === undefined ? { size: 20 } : { size: 20, cursor },
      { deadline: monotonic(NOW + 8000), calls: { retries: 0 } },
    );
  return {
    requests,
    budgets,
    read,
    queries: () => requests.flatMap(({ searchParams }) => searchParams.get('q') ?? []),
  };
};

describe('a timeline that fails', () => {
  test.each<[TimelineKind, string]>([
    ['posts', 'from:ada until:2026-08-26 -filter:replies'],
    ['replies', 'from:ada until:2026-08-26'],
    ['media', 'from:ada until:2026-08-26 filter:media'],
  ])('[outages 6] is read by search with a warning: %s', async (kind, query) => {
    const { read, queries } = failingTimelines(found);
    expect(await read({ kind })).toMatchObject({
      kind: 'found',
      value: { items: [{ id: '40' }, { id: '30' }], isFallback: true },
      warnings: [{ code: 'fallback_answered' }],
    });
    expect(queries()).toEqual([query]);
  });

  test.each<[string, FetchResult]>([
    ['a 500', json({ code: 500, results: [] }, 500)],
    ['an unusable answer', json({ code: 200 })],
    ['no answer', { kind: 'down', why: 'time-out' }],
  ])('[outages 6] is read by search after %s', async (_, answer) => {
    expect(await failingTimelines(found, answer).read()).toMatchObject({ value: { isFallback: true } });
  });

  test('[outages 6] goes on by search from its cursor, without a call of the timeline', async () => {
    const { read, requests, queries } = failingTimelines(found);
    const first = await read();
    const next = first?.kind === 'found' ? first.value.next : undefined;
    requests.length = 0;
    const second = await read({}, next);
    expect(second).toMatchObject({
      kind: 'found',
      value: { isFallback: true },
      warnings: [{ code: 'fallback_answered' }],
    });
    expect(requests.map(({ pathname }) => pathname)).toEqual(['/2/search']);
    expect(requests[0]?.searchParams.get('cursor')).toBe('MORE');
    expect(queries()).toEqual(['from:ada until:2026-08-26 -filter:replies']);
  });

  test('has replies of the account to itself when a feed merges threads', async () => {
    const { read, queries } = failingTimelines(found);
    await read({ threads: true });
    expect(queries()).toEqual(['from:ada until:2026-08-26']);
  });

  test('lacks reposts, and says so', async () => {
    const { read } = failingTimelines(found);
    expect(await read({ reposts: true })).toMatchObject({
      warnings: [{ code: 'reposts_unavailable' }, { code: 'fallback_answered' }],
    });
  });

  test.each<[string, FetchResult]>([
    ['finds nothing, as for a missing or protected account', pageOf([])],
    ['fails, too', failed],
  ])('[outages 6] keeps its failure when the search %s', async (_, answer) => {
    expect(await failingTimelines(answer).read()).toEqual({ kind: 'ambiguous' });
  });

  test.each<[string, FetchResult, Partial<TimelineRequest>, string | undefined]>([
    ['articles, which no search finds', failed, { kind: 'articles' }, undefined],
    ['a later page', failed, {}, 'DAAB'],
    ['a page that is too large', { kind: 'failed', why: 'body too large', isTooLarge: true }, {}, undefined],
    ['calls that wait for others of the caller', { kind: 'down', why: 'x', isStarved: true }, {}, undefined],
  ])('is not searched for: %s', async (_, answer, request, cursor) => {
    const { read, queries } = failingTimelines(found, answer);
    expect((await read(request, cursor))?.kind).not.toBe('found');
    expect(queries()).toEqual([]);
  });

  test('that is read until an instant of the past has no warning, because it is always a search', async () => {
    const until = Date.parse('2026-08-25T00:00:00Z');
    expect(await failingTimelines(found).read({ until })).toMatchObject({ value: {}, warnings: [] });
  });
});

const lists: readonly ListRequest[] = [
  { list: 'posts', kind: 'posts', handle: 'ada' },
  { list: 'posts', kind: 'replies', handle: 'ada' },
  { list: 'posts', kind: 'media', handle: 'ada' },
  { list: 'posts', kind: 'articles', handle: 'ada' },
  { list: 'search', query: 'tide', feed: 'top' },
  { list: 'list of X', listId: '7' },
  { list: 'quotes', id: ID },
  { list: 'reposts', id: ID },
  { list: 'followers', handle: 'ada' },
  { list: 'following', handle: 'ada' },
  { list: 'users', query: 'tide' },
];

test.each<[ListRequest, string]>([
  ...lists.map((request): [ListRequest, string] => [request, 'DAAB']),
  [{ list: 'posts', kind: 'posts', handle: 'ada' }, '2026-08-20/2026-08-15/DAAB'],
  [{ list: 'replies', id: ID, order: 'top' }, 'conversation|ada|20|9|5|0|||T'],
  [{ list: 'replies', id: ID, order: 'top' }, 'search|ada|20|9|5|0|||T'],
])(
  '[provider-faults 16] a 400 for the cursor of a page means that the cursor is not known: %j, %s',
  async (request, cursor) => {
    const rejected = json({ code: 400, message: 'Unknown request cursor' }, 400);
    const provider = providerCalling(createFxTwitter, () => rejected, NOW);
    const budget = { deadline: monotonic(NOW + 8000), calls: { retries: 0 } };
    expect((await readList(provider, request, { size: 20, cursor }, budget))?.kind).toBe('refused');
  },
);
