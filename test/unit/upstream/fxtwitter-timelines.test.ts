// Tests the searches for posts of a profile before an instant. The requests of timelines are in the golden file of
// requests.test.ts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { Outcome, TimelineRequest } from '../../../shared/ports/upstream.ts';
import { formatShown } from '../../../shared/upstream/fxtwitter/shown-posts.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { ProviderPage } from '../../../shared/upstream/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { json } from '../../support/provider-calls.ts';
import { clientAnswering, clientCalling } from '../../support/recorded-lists.ts';
import { RECORDED_AT } from '../../support/recorded-posts.ts';

const BUDGET = { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } };
const DAY = 86_400_000;
const at = (time: string): number => Date.parse(time);

const timeline = (more: Partial<TimelineRequest> = {}): TimelineRequest => ({
  list: 'posts',
  kind: 'posts',
  handle: 'ada_larsson',
  ...more,
});

describe('posts before an instant', () => {
  test('a window cursor of 1.1.0 has one id, and posts that are not older count as shown', async () => {
    const results = ['99', '98', '97'].map((id) => raw({ id, time: at('2025-12-01') }));
    const provider = clientAnswering(json({ code: 200, results, cursor: { bottom: 'b' } }));
    const cursor = '2025-12-31/2025-12-03~98~98/a';
    const page = await provider.listPosts(timeline({ until: at('2026-03-02') }))?.({ size: 20, cursor }, BUDGET);
    const shown = formatShown(['97', ...new Array<string>(15).fill('98')]);
    expect(page).toMatchObject({
      value: { items: [{ id: '97' }], others: ['99', '98'], next: `2025-12-31/2025-12-01~97~${shown}/b` },
    });
  });

  test.each<readonly [string, FetchResult, Outcome<unknown>['kind']]>([
    ['404', json({ code: 404, results: [] }, 404), 'down'],
    ['400', json({ code: 400 }, 400), 'failed'],
    ['HTML', { kind: 'response', status: 200, json: undefined, isHtml: true }, 'failed'],
  ])('[provider-faults 10] a failed search is never the end of the list: %s gives %s', async (_, fetched, kind) => {
    const request = timeline({ until: at('2026-03-02') });
    expect((await clientAnswering(fetched).listPosts(request)({ size: 20 }, BUDGET)).kind).toBe(kind);
  });
});

interface WrittenPost {
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

interface SearchModel {
  readonly posts: readonly WrittenPost[];
  /** X ends a search after this number of posts. */
  readonly reach: number;
  readonly pageSize: number;
  /** X sends a cursor after the last page too. */
  readonly endsWithCursor: boolean;
  readonly isFirstPageEmpty: boolean;
  /** The cursor of the last page leads to the first one. */
  readonly isCyclic?: boolean;
  /** The numbers of places by which X moves a post behind older ones, by its id modulo their count. */
  readonly moves?: readonly number[];
}

const raw = ({ id, time }: WrittenPost) => ({
  type: 'status',
  id,
  text: `post ${id}`,
  author: { screen_name: 'ada_larsson', name: 'Ada' },
  created_timestamp: time / 1000,
});

/** The search of X: latest first, by days in UTC, and it ends although older posts exist. */
const searchOf =
  ({ posts, reach, pageSize, endsWithCursor, isFirstPageEmpty, isCyclic = false, moves = [0] }: SearchModel) =>
  ({ searchParams }: URL): FetchResult => {
    const query = searchParams.get('q') ?? '';
    const dayIn = (operator: string, otherwise: number): number =>
      Date.parse(new RegExp(`\\b${operator}:([0-9-]+)`).exec(query)?.[1] ?? '') || otherwise;
    const [since, until] = [dayIn('since', 0), dayIn('until', Number.POSITIVE_INFINITY)];
    const found = posts
      .filter(({ time }) => time >= since && time < until)
      .toSorted((a, b) => b.time - a.time)
      .slice(0, reach)
      .map((post, index) => ({ post, place: index + (moves[Number(post.id) % moves.length] ?? 0) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ post }) => post);
    const [, position] = /^at(-?\d+)$/.exec(searchParams.get('cursor') ?? '') ?? [];
    const start = Number(position ?? (isFirstPageEmpty ? -pageSize : 0));
    const shown = start < 0 ? [] : found.slice(start, start + pageSize);
    const after = start + pageSize;
    const end = isCyclic && after >= found.length ? 0 : after;
    const bottom = end < found.length || endsWithCursor ? `at${end}` : null;
    return json({ code: 200, results: shown.map(raw), cursor: { top: `at${start - 1}`, bottom } });
  };

/** Requests all pages. */
const walk = async (model: SearchModel, request: TimelineRequest) => {
  const requests: string[] = [];
  const provider = clientCalling(searchOf(model), requests);
  const posts = new Map<string, Post>();
  let itemCount = 0;
  let emptyPages = 0;
  let cursor: string | undefined;
  do {
    const outcome: Outcome<ProviderPage<Post>> = await provider.listPosts(request)(
      { size: 20, ...(cursor !== undefined && { cursor }) },
      BUDGET,
    );
    if (outcome.kind !== 'found') throw new Error(outcome.kind);
    const { items, next } = outcome.value;
    if (items.length === 0) emptyPages += 1;
    itemCount += items.length;
    for (const post of items) posts.set(post.id, post);
    expect(next === undefined || Buffer.byteLength(next) < 240).toBe(true);
    cursor = next;
  } while (cursor !== undefined && requests.length < 5000);
  return { ids: [...posts.keys()].sort(), items: itemCount, requests, emptyPages };
};

const UNTIL = at('2026-03-02T12:00:00Z');

describe('[pages 3] the windows of a search', () => {
  const daily = Array.from({ length: 95 }, (_, day) => ({ id: String(9000 - day), time: UNTIL - (day + 1) * DAY }));
  const model = { posts: daily, reach: 30, pageSize: 10, endsWithCursor: true, isFirstPageEmpty: false };

  test('a profile without posts takes one request if the provider gives no cursor, else two', async () => {
    const none = { ...model, posts: [] };
    expect((await walk({ ...none, endsWithCursor: false }, timeline({ until: UNTIL }))).requests).toHaveLength(1);
    expect((await walk(none, timeline({ until: UNTIL }))).requests).toHaveLength(2);
  });

  test('a day with more posts than a search shows does not end the list', async () => {
    const busy = Array.from({ length: 50 }, (_, index) => ({ id: String(99_999 - index), time: UNTIL - index * 1000 }));
    const { ids } = await walk({ ...model, posts: [...busy, ...daily] }, timeline({ until: UNTIL }));
    expect(ids).toEqual(expect.arrayContaining(daily.map(({ id }) => id)));
  });

  test('every walk ends, and finds every post if no day has more posts than a search shows', async () => {
    const postsIn = fc.uniqueArray(fc.integer({ min: 0, max: 400 * 24 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        postsIn,
        fc.integer({ min: 24, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.nat(14), { minLength: 1, maxLength: 30 }),
        async (hours, reach, pageSize, endsWithCursor, isFirstPageEmpty, moves) => {
          const posts = hours.map((hour) => ({ id: String(90_000 - hour), time: UNTIL - DAY - hour * 3_600_000 }));
          const { ids, items, requests } = await walk(
            { posts, reach, pageSize, endsWithCursor, isFirstPageEmpty, moves },
            timeline({ until: UNTIL }),
          );
          expect(ids).toEqual(posts.map(({ id }) => id).sort());
          expect(items).toBe(posts.length);
          expect(requests.length).toBeLessThan(500);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a provider that ignores the days ends too', async () => {
    const results = [raw({ id: '77', time: UNTIL + 10 * DAY })];
    const provider = clientAnswering(json({ code: 200, results, cursor: { bottom: null } }));
    const seen = new Set<string>();
    let cursor: string | undefined = '2006-04-20//';
    while (cursor !== undefined && !seen.has(cursor)) {
      seen.add(cursor);
      const outcome = await provider.listPosts(timeline({ until: UNTIL }))({ size: 20, cursor }, BUDGET);
      cursor = outcome.kind === 'found' ? outcome.value.next : undefined;
    }
    expect(cursor).toBeUndefined();
    expect(seen.size).toBe(1);
  });
});
