// Tests how a frozen source is told from a quiet account.
import { describe, expect, test } from 'vitest';
import type { TimelineKind } from '../../../shared/model/lists.ts';
import { monotonic } from '../../../shared/model/time.ts';
import { createFreshness } from '../../../shared/upstream/freshness.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { ProviderOptions } from '../../../shared/upstream/provider.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';

const START = Date.parse('2026-08-25T12:00:00Z');
const DAY = 86_400_000;
const MINUTE = 60_000;
const BUDGET = { deadline: monotonic(START + 8000), calls: { retries: 0 } };
const PROFILE = 'news_desk';

const tweet = (author: string, createdAt: number) => ({
  type: 'status',
  id: String(createdAt),
  text: 'a post',
  author: { screen_name: author },
  created_timestamp: createdAt / 1000,
});

const listOf = (...ages: readonly number[]): FetchResult =>
  json({ code: 200, results: ages.map((age) => tweet('ada', START - age)), cursor: { top: null, bottom: 'MORE' } });

const QUIET = listOf(400 * DAY, 3 * DAY);
const FRESH = listOf(400 * DAY, DAY);

/** @param newest the answer about the account that posts many times a day */
const sourceWith = (newest: FetchResult, others: FetchResult = QUIET) => {
  let now = START;
  const answers = { newest, others };
  const asked: string[] = [];
  const isAboutProfile = ({ pathname, searchParams }: URL): boolean =>
    pathname.includes(PROFILE) || searchParams.get('q')?.includes(PROFILE) === true;
  const answer = (url: URL): FetchResult => {
    if (!isAboutProfile(url)) return answers.others;
    asked.push(`${url.pathname}${url.search}`);
    return answers.newest;
  };
  const create = (options: ProviderOptions) => {
    const clock = () => now;
    return createFxTwitter({ ...options, clock, freshness: createFreshness(PROFILE, clock) });
  };
  const provider = providerCalling(create, answer, START);
  const codesOf = (outcome: Awaited<ReturnType<ReturnType<typeof provider.listPosts> & object>> | undefined) =>
    outcome?.kind === 'found' ? outcome.warnings.map(({ code }) => code) : outcome?.kind;
  return {
    asked,
    answers,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    read: async (kind: TimelineKind = 'posts', cursor?: string, handle = 'ada') =>
      codesOf(
        await provider.listPosts({ list: 'posts', kind, handle })?.(
          cursor === undefined ? { size: 20 } : { size: 20, cursor },
          BUDGET,
        ),
      ),
    search: async (feed: 'latest' | 'top' = 'latest') =>
      codesOf(await provider.listPosts({ list: 'search', query: 'tide', feed })?.({ size: 20 }, BUDGET)),
  };
};

describe('a timeline without a post of the last two days', () => {
  test('[outages 7] has a warning from the first read on when the busy account is as old', async () => {
    const { read, asked } = sourceWith(QUIET);
    expect([await read(), await read('posts', 'MORE'), await read('posts', undefined, 'bob')]).toEqual(
      Array(3).fill(['timeline_stale']),
    );
    expect(asked).toEqual([`/2/profile/${PROFILE}/statuses?count=20`]);
  });

  test('[outages 7] of 1,000 quiet accounts has no warning when the busy account is fresh, and asks once in 10 minutes', async () => {
    const { read, asked, pass } = sourceWith(FRESH);
    for (let count = 0; count < 1000; count += 1) {
      expect(await read('posts', undefined, `quiet_${count}`)).toEqual([]);
      pass(1200);
    }
    expect(asked).toHaveLength(2);
  });

  test.each<[string, FetchResult]>([
    ['has no posts', listOf()],
    ['is not found', json({ code: 404, results: [] }, 404)],
    ['does not answer', { kind: 'down', why: 'time-out' }],
    ['is not understood', json({ code: 200 })],
  ])('[outages 7] has no warning when the busy account %s', async (_, newest) => {
    const { read, asked } = sourceWith(newest);
    expect([await read(), await read()]).toEqual([[], []]);
    expect(asked).toHaveLength(1);
  });

  test('loses its warning when the busy account is fresh again, at the next question', async () => {
    const { read, answers, pass } = sourceWith(QUIET);
    expect(await read()).toEqual(['timeline_stale']);
    answers.newest = FRESH;
    pass(10 * MINUTE - 1);
    expect(await read()).toEqual(['timeline_stale']);
    pass(1);
    expect(await read()).toEqual([]);
  });

  test('[outages 7] keeps its warning when another account has a fresh post, until the next question', async () => {
    const { read, answers, asked, pass } = sourceWith(QUIET);
    expect(await read()).toEqual(['timeline_stale']);
    answers.others = FRESH;
    expect(await read('posts', undefined, 'bob')).toEqual(['timeline_stale']);
    answers.others = QUIET;
    expect(await read()).toEqual(['timeline_stale']);
    answers.newest = FRESH;
    answers.others = FRESH;
    pass(10 * MINUTE);
    expect(await read('posts', undefined, 'bob')).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  test('is judged by its own kind of query', async () => {
    const { read, search, asked } = sourceWith(QUIET);
    for (const kind of ['replies', 'media'] as const) expect(await read(kind)).toEqual(['timeline_stale']);
    expect(await search()).toEqual(['timeline_stale']);
    expect(asked).toEqual([
      `/2/profile/${PROFILE}/statuses?with_replies=1&count=20`,
      `/2/profile/${PROFILE}/media?count=20`,
      `/2/search?q=from%3A${PROFILE}&feed=latest&count=20`,
    ]);
  });
});

test('[outages 7] nothing is asked for a page with a fresh post, a later page, articles or the best hits of a search', async () => {
  const fresh = sourceWith(QUIET, FRESH);
  expect(await fresh.read()).toEqual([]);
  const { read, search, asked } = sourceWith(QUIET);
  expect([await read('posts', 'MORE'), await read('articles'), await search('top')]).toEqual([[], [], []]);
  expect([...fresh.asked, ...asked]).toEqual([]);
});

test('two reads at the same time wait for one question', async () => {
  const { read, asked } = sourceWith(QUIET);
  expect(await Promise.all([read(), read()])).toEqual([['timeline_stale'], ['timeline_stale']]);
  expect(asked).toHaveLength(1);
});
