// Tests calls that the provider drops at random with a 404: searches, quotes and suggestions of accounts. Without a network, in
// virtual time.
import { describe, expect, test, vi } from 'vitest';
import { type Monotonic, monotonic } from '../../../shared/model/time.ts';
import type { Outcome, PostListRequest, Requester, UserListRequest } from '../../../shared/ports/upstream.ts';
import { PRODUCTION_LIMITS } from '../../../shared/upstream/client-limits.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from '../../../shared/upstream/fxtwitter/requests.ts';
import type { AttemptResult, FetchResult, RequestLimits } from '../../../shared/upstream/http-request.ts';
import { createJsonClient } from '../../../shared/upstream/json-client.ts';
import { createListReader, type NamedProvider } from '../../../shared/upstream/list-reader.ts';
import { json } from '../../support/provider-calls.ts';
import { seededRandom } from '../../support/random.ts';

const START = 1_800_000_000_000;
const SECOND = 1000;
const REQUESTS = 200;

const search: PostListRequest = { list: 'search', query: 'tide', feed: 'latest' };
const quotes: PostListRequest = { list: 'quotes', id: '2028036267832246272' };
const users: UserListRequest = { list: 'users', query: 'tide' };

const attemptOf = (fetched: FetchResult): AttemptResult => ({ fetched, health: 'success', mayRetry: false });
const dropped = json({ code: 404, results: [], cursor: { top: null, bottom: null } }, 404);
const tweet = { type: 'status', id: '40', text: 'a hit', author: { screen_name: 'ada' } };
const answered = json({ code: 200, results: [tweet], cursor: null });
const people = json({ code: 200, results: [{ screen_name: 'ada' }], users: [{ screen_name: 'ada' }], cursor: null });
const TIME_OUT: AttemptResult = { fetched: { kind: 'down', why: 'time-out' }, health: 'suspect', mayRetry: false };

interface Setup {
  /** @param baseUrl its number @default one base URL */
  answer(path: string, baseUrl: number): FetchResult | AttemptResult;
  readonly baseUrls?: number;
  /** Milliseconds that a call takes. @default none */
  readonly takes?: number;
}

/** The lists of FxTwitter with real clients, whose requests the test answers. */
const createLists = ({ answer, baseUrls = 1, takes = 0 }: Setup) => {
  let now = START;
  const calls: string[] = [];
  const random = seededRandom(7);
  const send = async (url: string, { milliseconds, isReduced }: RequestLimits): Promise<AttemptResult> => {
    const { hostname, pathname, search: query } = new URL(url);
    const baseUrl = Number(/\d+/.exec(hostname)?.[0]);
    calls.push(`${baseUrl}${pathname}`);
    now += Math.min(takes, milliseconds);
    if (takes > milliseconds) return { ...TIME_OUT, health: isReduced ? 'inconclusive' : 'suspect' };
    const given = answer(`${pathname}${query}`, baseUrl);
    return 'health' in given ? given : attemptOf(given);
  };
  const log: unknown[] = [];
  const providers = Array.from({ length: baseUrls }, (_, index): NamedProvider => {
    const baseUrl = `https://fx${index}.example`;
    const http = createJsonClient({
      source: 'fxtwitter',
      userAgent: 'Postern/test',
      clock: () => monotonic(now),
      wall: { now: () => now },
      log: (fields) => void log.push(fields),
      random,
      queryKinds: fxTwitterQueryKinds(baseUrl, { post: '20', profile: 'X' }),
      limits: { ...PRODUCTION_LIMITS, retryJitterMilliseconds: 0 },
      wrapSender: () => send,
    });
    return { name: 'fxtwitter', provider: createFxTwitter({ baseUrl, source: 'fxtwitter', http, clock: () => now }) };
  });
  const options = { clock: () => monotonic(now), log: () => undefined, cacheMilliseconds: 0, random };
  const readPosts = createListReader(
    providers,
    ({ listPosts }, request: PostListRequest) => listPosts?.(request),
    options,
  );
  const readUsers = createListReader(
    providers,
    ({ listUsers }, request: UserListRequest) => listUsers?.(request),
    options,
  );
  /** @returns the outcome and the calls that it took, with those in the background */
  const counted = async <T>(work: (deadline: Monotonic) => Promise<Outcome<T>>) => {
    const before = calls.length;
    const startedAt = now;
    const outcome = await work(monotonic(now + 8 * SECOND));
    await new Promise(setImmediate);
    return { outcome, kind: outcome.kind, calls: calls.length - before, milliseconds: now - startedAt };
  };
  return {
    calls,
    log,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    posts: (request: PostListRequest, requester?: Requester, cursor?: string) => {
      const page = cursor === undefined ? { size: 20 } : { size: 20, cursor, provider: 'fxtwitter' };
      return counted((deadline) => readPosts(request, page, deadline, requester));
    },
    users: (request: UserListRequest, cursor?: string) => {
      const page = cursor === undefined ? { size: 20 } : { size: 20, cursor, provider: 'fxtwitter' };
      return counted((deadline) => readUsers(request, page, deadline));
    },
  };
};

const caller = (name: string): Requester => ({ caller: name, admit: async () => undefined });

describe('a search whose calls are dropped at random', () => {
  test.each([
    ['a search', search, 0.5, 94],
    ['a search', search, 0.85, 55],
    ['a search', search, 0.95, 17],
    ['the list of quotes', quotes, 0.85, 55],
  ] as const)('[outages 5] %s is served within 6 calls when calls are dropped', async (_, request, share, percent) => {
    const random = seededRandom(11);
    const lists = createLists({ answer: () => (random() < share ? dropped : answered) });
    let served = 0;
    for (let count = 0; count < REQUESTS; count += 1) {
      const { kind, calls } = await lists.posts(request, caller(`network ${count}`));
      if (kind === 'found') served += 1;
      expect(calls).toBeLessThanOrEqual(6);
    }
    expect((served / REQUESTS) * 100).toBeGreaterThanOrEqual(percent);
  });

  test('[outages 5] accounts are searched for within 6 calls when half of the calls are dropped', async () => {
    const random = seededRandom(5);
    const lists = createLists({ answer: () => (random() < 0.5 ? dropped : people) });
    let served = 0;
    for (let count = 0; count < REQUESTS; count += 1) {
      const { kind, calls } = await lists.users(users);
      if (kind === 'found') served += 1;
      expect(calls).toBeLessThanOrEqual(6);
    }
    expect(served).toBeGreaterThanOrEqual(188);
  });

  test('[outages 8] the pages and the charges of one request share its repetitions', async () => {
    const lists = createLists({ answer: () => dropped });
    const one = caller('a');
    const part = { ...caller('a'), ofRequest: one };
    expect([(await lists.posts(search, one)).calls, (await lists.posts(search, one)).calls]).toEqual([6, 1]);
    expect((await lists.posts(quotes, part)).calls).toBe(1);
    expect((await lists.posts(search, caller('b'))).calls).toBe(6);
  });

  test('[outages 8] a search takes at most 6 calls when the last repetition is refused', async () => {
    let asked = 0;
    const answer = (path: string): FetchResult | AttemptResult => {
      if (path.includes('q=tide')) asked += 1;
      return asked > 5 ? { ...TIME_OUT, mayRetry: true } : dropped;
    };
    await createLists({ answer }).posts(search, caller('a'));
    expect(asked).toBe(6);
  });

  test.each<[string, FetchResult | AttemptResult]>([
    ['is a 404', dropped],
    ['is a 500', json({ code: 500 }, 500)],
    ['is not understood', json({ code: 200 })],
    ['is not answered', TIME_OUT],
    ['is refused', { ...TIME_OUT, mayRetry: true }],
  ])('[outages 8] a search for accounts takes at most 6 calls in both ways when the first one %s', async (_, first) => {
    for (const baseUrls of [1, 2, 3, 4]) {
      const asked: string[] = [];
      const answer = (path: string): FetchResult | AttemptResult => {
        if (path.includes('q=tide')) asked.push(path);
        return path.startsWith('/2/search/users') ? first : dropped;
      };
      await createLists({ baseUrls, answer }).users(users);
      expect(asked.length).toBeLessThanOrEqual(6);
    }
  });

  test('[outages 5] other base URLs are called first', async () => {
    const lists = createLists({ baseUrls: 3, answer: (_, baseUrl) => (baseUrl === 2 ? answered : dropped) });
    for (let count = 0; count < 20; count += 1) {
      lists.calls.length = 0;
      expect((await lists.posts(search)).kind).toBe('found');
      const called = lists.calls.map((call) => call.slice(0, 1));
      expect(new Set(called).size).toBe(called.length);
    }
    const all = createLists({ baseUrls: 3, answer: () => dropped });
    await all.posts(search);
    const called = all.calls.map((call) => call.slice(0, 1));
    expect(called).toHaveLength(6);
    expect(new Set(called.slice(0, 3)).size).toBe(3);
  });

  test('[outages 5] a dropped search is repeated where a server answers when that of another base URL is dead', async () => {
    const dead: AttemptResult = { fetched: { kind: 'down', why: 'ECONNREFUSED' }, health: 'failure', mayRetry: true };
    const random = seededRandom(3);
    const answer = (_: string, baseUrl: number) => (baseUrl === 1 ? dead : random() < 0.5 ? dropped : answered);
    const lists = createLists({ baseUrls: 2, answer });
    let served = 0;
    for (let count = 0; count < REQUESTS; count += 1) {
      const { kind, calls } = await lists.posts(search, caller(`network ${count}`));
      if (kind === 'found') served += 1;
      expect(calls).toBeLessThanOrEqual(6);
    }
    expect((served / REQUESTS) * 100).toBeGreaterThanOrEqual(94);
  });

  test('[outages 5] a repetition waits for a random part of the jitter', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    await createLists({ answer: () => dropped }).posts(search);
    const waits = timer.mock.calls.length;
    timer.mockRestore();
    expect(waits).toBe(5);
  });

  test('[outages 5] time-outs are not repeated', async () => {
    const lists = createLists({ answer: () => TIME_OUT, takes: 100 });
    const { kind, calls } = await lists.posts(search);
    // Beside the call, the canary is asked.
    expect([kind, calls]).toEqual(['down', 2]);
  });

  test('[outages 5] a 404 that takes long is repeated within the deadline only', async () => {
    const lists = createLists({ answer: () => dropped, takes: 3 * SECOND });
    const { kind, calls, milliseconds } = await lists.posts(search);
    expect([kind, calls]).toEqual(['down', 3]);
    expect(milliseconds).toBeLessThanOrEqual(8 * SECOND);
  });

  test('a 404 of another list is asked for once', async () => {
    const lists = createLists({ answer: () => dropped });
    expect(await lists.users({ list: 'followers', handle: 'ada' })).toMatchObject({ kind: 'ambiguous', calls: 1 });
  });
});

describe('a search that is out', () => {
  test('[outages 5] costs at most 2 calls a request after the breaker opened, and recovers with the provider', async () => {
    let isOut = true;
    const lists = createLists({ answer: (path) => (isOut && path.startsWith('/2/search') ? dropped : people) });
    const isOpen = () => lists.log.some((line) => JSON.stringify(line).includes('"open"'));
    let before = 0;
    while (!isOpen() && before < 100) {
      await lists.posts(search, caller(`network ${before}`));
      before += 1;
    }
    expect(before).toBeLessThanOrEqual(10);
    expect(lists.calls.length).toBeLessThanOrEqual(50);
    for (let count = 0; count < 300; count += 1) {
      lists.pass(count % 3 === 0 ? 2 * SECOND : 0);
      const { kind, calls } = await lists.posts(search, caller(`other ${count}`));
      expect(kind).toBe('down');
      expect(calls).toBeLessThanOrEqual(2);
    }
    expect((await lists.users({ list: 'followers', handle: 'ada' })).kind).toBe('found');
    isOut = false;
    lists.pass(30 * SECOND);
    expect((await lists.posts({ ...search, query: 'whale' })).kind).not.toBe('down');
  });

  test('[outages 5] costs at most 2 calls a request after the breakers of three base URLs opened', async () => {
    const lists = createLists({ baseUrls: 3, answer: () => dropped });
    for (let count = 0; count < 60; count += 1) await lists.posts(search, caller(`network ${count}`));
    for (let count = 0; count < 60; count += 1) {
      lists.pass(count % 3 === 0 ? 2 * SECOND : 0);
      expect((await lists.posts(search, caller(`other ${count}`))).calls).toBeLessThanOrEqual(2);
    }
  });

  test('[outages 5] is noticed after 7 requests when all calls before were answered', async () => {
    let isOut = false;
    const lists = createLists({ answer: () => (isOut ? dropped : answered) });
    for (let count = 0; count < 200; count += 1) await lists.posts(search, caller(`network ${count}`));
    isOut = true;
    const costs: number[] = [];
    for (let count = 0; count < 200; count += 1)
      costs.push((await lists.posts(search, caller(`other ${count}`))).calls);
    expect(costs[0]).toBe(6);
    // Beside the two calls, the canary is asked once.
    expect(costs.findLastIndex((calls) => calls > 3)).toBe(6);
    expect(costs.filter((calls) => calls > 2).length).toBeLessThanOrEqual(8);
    expect(costs.at(-1)).toBe(0);
  });

  test('[outages 5] is asked by one request at a time, which can end it, when little is known of it', async () => {
    let isOut = true;
    const lists = createLists({ answer: () => (isOut ? dropped : answered) });
    for (let count = 0; count < 12; count += 1) await lists.posts(search, caller(`network ${count}`));
    const together = await Promise.all([lists.posts(search, caller('a')), lists.posts(quotes, caller('b'))]);
    expect(together.map(({ kind }) => kind)).toEqual(['down', 'down']);
    const before = lists.calls.length;
    await Promise.all([1, 2, 3, 4].map((count) => lists.posts(search, caller(`other ${count}`))));
    expect(lists.calls.length - before).toBe(2);
    isOut = false;
    expect((await lists.posts(search, caller('c'))).kind).toBe('found');
    isOut = true;
    expect((await lists.posts(search, caller('d'))).calls).toBe(6);
  });

  test('[outages 5] the breaker stays closed when the canary is answered, so one query takes no search away', async () => {
    const lists = createLists({ answer: (path) => (path.includes('q=tide') ? dropped : answered) });
    for (let count = 0; count < 60; count += 1) await lists.posts(search, caller('greedy'));
    for (let count = 0; count < 20; count += 1) {
      const other = await lists.posts({ ...search, query: `other ${count}` }, caller(`network ${count}`));
      expect(other).toMatchObject({ kind: 'found', calls: 1 });
    }
    // The query itself is not sent again for a while.
    expect((await lists.posts(search, caller('another'))).calls).toBe(0);
  });
});

describe('accounts that are searched for', () => {
  test('[outages 6] are those of the search, with counts and pages', async () => {
    const results = [{ screen_name: 'ada', followers: 5 }];
    const lists = createLists({ answer: () => json({ code: 200, results, cursor: { top: null, bottom: 'NEXT' } }) });
    const { outcome } = await lists.users(users);
    expect(outcome).toMatchObject({
      value: { items: [{ handle: 'ada', metrics: { followers: 5 } }], next: 'NEXT' },
      warnings: [],
    });
    await lists.users(users, 'NEXT');
    expect(lists.calls).toEqual(['0/2/search/users', '0/2/search/users']);
  });

  test('[outages 6] are suggestions with a warning when the search is a 404', async () => {
    const lists = createLists({ answer: (path) => (path.startsWith('/2/search/users') ? dropped : people) });
    const { outcome, calls } = await lists.users(users);
    expect(calls).toBe(2);
    expect(outcome).toMatchObject({ value: { items: [{ handle: 'ada' }] }, warnings: [{ code: 'users_partial' }] });
  });

  test('are asked for again when a later page is dropped, because suggestions have one page', async () => {
    const lists = createLists({ answer: () => dropped });
    expect((await lists.users(users, 'NEXT')).kind).toBe('down');
    expect(new Set(lists.calls)).toEqual(new Set(['0/2/search/users']));
    expect(lists.calls).toHaveLength(6);
  });
});
