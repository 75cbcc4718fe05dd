// Tests the pool of addresses of one provider over HTTP: what callers see while an address dies, refuses or lies.
import { describe, expect, test } from 'vitest';
import { answers, createPoolService, type PoolOptions, type PoolService } from '../../support/address-pool.ts';
import {
  type Behaviour,
  bare404,
  html,
  json,
  neverResponds,
  recorded,
  reply,
  resetBeforeHeaders,
} from '../../support/fault-server.ts';
import type { TestResponse } from '../../support/test-app.ts';

const callerOf = (index: number): string => `192.0.2.${index + 1}`;

/** Reads different posts one after the other, as different callers. */
const readOneByOne = async ({ readPost }: PoolService, count: number): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await readPost(callerOf(index))).status);
  return statuses;
};

const readAtOnce = ({ readPost }: PoolService, count: number): Promise<readonly TestResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => readPost(callerOf(index))));

const failed = (statuses: readonly number[]): number => statuses.filter((status) => status !== 200).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Timers of the real clock: an answer of the fault server takes less on a busy machine. */
const HURRIED = { attemptMilliseconds: 3000, lastAttemptMilliseconds: 3000 };

const wrongPost: Behaviour = recorded('fxtwitter/status/first_post_20.json');

describe('a pool of healthy addresses', () => {
  test('shares the calls by weight, and its source is the provider', async () => {
    const pool = await createPoolService({ addresses: [{ weight: 4 }] });
    const first = await pool.readPost();
    expect(first.json()).toMatchObject({ source: 'fxtwitter', warnings: [] });
    expect(failed(await readOneByOne(pool, 119))).toBe(0);
    const [heavy = 0, ...light] = pool.newCalls();
    expect(heavy + sum(light)).toBe(120);
    expect(heavy).toBeGreaterThan(60);
    for (const calls of light) expect(calls).toBeGreaterThan(8);
  });

  test('asks the address with the fewest calls in flight: one that hangs gets no more work', async () => {
    const pool = await createPoolService({ limits: HURRIED });
    pool.behave(0, neverResponds);
    const statuses = (await readAtOnce(pool, 50)).map(({ status }) => status);
    await readAtOnce(pool, 30);
    expect(failed(statuses)).toBe(0);
    const [hanging = 0] = pool.newCalls();
    expect(hanging).toBeLessThan(40);
  });

  test('a page of a list goes on at another address, because the cursor is of X', async () => {
    const pool = await createPoolService({ count: 2 });
    const page = recorded('fxtwitter/followers/ada_larsson_count5.json');
    pool.behave(0, page, answers);
    pool.behave(1, reply(500, '{}'), answers);
    const first = (await pool.get('/api/v1/profiles/ada_larsson/followers?format=json&limit=5')).json();
    pool.newCalls();
    pool.behave(0, reply(500, '{}'), answers);
    pool.behave(1, page, answers);
    pool.wait(60_000);
    const cursor = encodeURIComponent(String(first['next_cursor']));
    const target = `/api/v1/profiles/ada_larsson/followers?format=json&limit=100&cursor=${cursor}`;
    const later = await pool.get(target);
    expect(later.status).toBe(200);
    expect(pool.servers[1]?.calls().some((path) => path.includes('cursor='))).toBe(true);
  });
});

interface BadAddress {
  readonly title: string;
  readonly behaviour: Behaviour;
  /** @default as `behaviour` */
  readonly canary?: Behaviour;
  readonly options?: PoolOptions;
}

const badAddresses: readonly BadAddress[] = [
  { title: 'dies: it closes its connections', behaviour: resetBeforeHeaders },
  { title: 'never answers', behaviour: neverResponds, options: { limits: HURRIED } },
  { title: 'answers 503', behaviour: reply(503, '{}') },
  { title: 'answers 429', behaviour: reply(429, '{}', { 'retry-after': 60 }) },
  { title: 'lies: it answers with another post', behaviour: wrongPost },
  { title: 'lies: it answers with an HTML page', behaviour: html(200) },
  { title: 'lies: it answers with an empty object', behaviour: json({}) },
  { title: 'lies: it answers 404 for every post', behaviour: bare404 },
  { title: 'lies: it answers 404 for every post but its canary', behaviour: bare404, canary: answers },
  { title: 'lies: it answers 400 for every post', behaviour: json({ code: 400, message: 'q: bad' }, 400) },
];
const refusesConnections: BadAddress = {
  title: 'refuses connections',
  behaviour: answers,
  options: { addresses: [{ baseUrl: 'http://127.0.0.1:9/fx' }] },
};

describe('[outages 2] one of three addresses', () => {
  test.each([refusesConnections, ...badAddresses])(
    '$title: 50 callers at once and 50 after them feel nothing',
    async ({ behaviour, canary, options }) => {
      const pool = await createPoolService(options);
      pool.behave(0, behaviour, canary);
      const responses = await readAtOnce(pool, 50);
      // None is wrong, and none is incomplete.
      const wrong = responses.filter(
        (response) => response.status === 200 && JSON.stringify(response.json()['warnings']) !== '[]',
      );
      expect(wrong).toEqual([]);
      expect(failed(responses.map(({ status }) => status))).toBeLessThanOrEqual(2);
      const calls = sum(pool.newCalls());
      expect(calls).toBeLessThan(50 * 1.7);
      const later = await readOneByOne(pool, 50);
      expect(failed(later)).toBe(0);
      // The address is closed by now, or it costs one more call per lie.
      expect(sum(pool.newCalls())).toBeLessThan(50 * 1.5);
    },
  );

  test.each(badAddresses)('$title, and gets its share again after it recovered', async ({ behaviour, options }) => {
    const pool = await createPoolService(options);
    pool.behave(0, behaviour);
    await readAtOnce(pool, 50);
    pool.behave(0, answers);
    pool.wait(61_000);
    pool.newCalls();
    expect(failed(await readOneByOne(pool, 60))).toBe(0);
    const [recovered = 0] = pool.newCalls();
    expect(recovered).toBeGreaterThan(10);
  });
});

describe('an address without a server', () => {
  test('is closed after three calls, and the log names its host', async () => {
    const pool = await createPoolService({ addresses: [{ baseUrl: 'http://127.0.0.1:9/fx' }] });
    await readOneByOne(pool, 40);
    const { log } = pool;
    expect(log.filter(({ event, address }) => event === 'upstream' && address === '127.0.0.1:9')).toHaveLength(3);
    expect(log.filter(({ event }) => event === 'circuit')).toEqual([
      expect.objectContaining({ provider: 'fxtwitter', address: '127.0.0.1:9', state: 'open', why: 'failures' }),
    ]);
  });
});

describe('a 429', () => {
  test('closes its address for all kinds of query until Retry-After, and no other address', async () => {
    const pool = await createPoolService();
    pool.behave(0, reply(429, '{}', { 'retry-after': 60 }));
    await readOneByOne(pool, 20);
    const [limited = 0] = pool.newCalls();
    // The call, its canary, and at most one call until the canary is answered.
    expect(limited).toBeLessThanOrEqual(3);
    expect((await pool.get('/api/v1/profiles/eve?format=json')).status).toBe(200);
    pool.wait(59_000);
    expect(failed(await readOneByOne(pool, 20))).toBe(0);
    expect(pool.newCalls()[0]).toBe(0);
    pool.behave(0, answers);
    pool.wait(1000);
    await readOneByOne(pool, 20);
    expect(pool.newCalls()[0]).toBeGreaterThan(0);
  });
});

describe('the rate of an address', () => {
  test('an address out of budget is not asked within the minute, and if all are, the answer is 503', async () => {
    const pool = await createPoolService({ count: 2, addresses: [{ callsPerMinute: 3 }, { callsPerMinute: 5 }] });
    const statuses = await readOneByOne(pool, 10);
    expect(pool.newCalls()).toEqual([3, 5]);
    expect(statuses).toEqual([...Array(8).fill(200), 503, 503]);
    pool.wait(59_999);
    expect(await readOneByOne(pool, 1)).toEqual([503]);
    pool.wait(1);
    expect(await readOneByOne(pool, 9)).toEqual([...Array(8).fill(200), 503]);
  });
});

describe('one address dies, one answers 429 and one lies', () => {
  const breakAll = (pool: PoolService): void => {
    pool.behave(0, resetBeforeHeaders);
    pool.behave(1, reply(429, '{}', { 'retry-after': 30 }));
    pool.behave(2, wrongPost);
  };

  test('no answer is wrong, and the first answers after the announced wait are complete', async () => {
    const pool = await createPoolService();
    expect(failed(await readOneByOne(pool, 10))).toBe(0);
    breakAll(pool);
    const statuses = await readOneByOne(pool, 40);
    // 502 while only the address that lies is asked.
    expect(statuses.filter((status) => status < 502)).toEqual([]);
    for (const index of [0, 1, 2]) pool.behave(index, answers);
    pool.wait(30_000);
    expect(failed(await readOneByOne(pool, 40))).toBe(0);
  });

  test('one healthy address beside them answers everything', async () => {
    const pool = await createPoolService({ count: 4 });
    breakAll(pool);
    expect(failed(await readOneByOne(pool, 60))).toBe(0);
    const calls = pool.newCalls();
    expect(calls[1]).toBeLessThanOrEqual(3);
    expect(sum(calls)).toBeLessThan(60 * 1.5);
  });

  test('the next provider answers if no address does', async () => {
    const syndication: Behaviour = recorded('syndication/text_plain.json');
    const pool = await createPoolService({ providers: ['fxtwitter', 'syndication'], syndication });
    breakAll(pool);
    const response = await pool.readPost(undefined, '2028036267832246272');
    expect(response.json()).toMatchObject({ source: 'syndication' });
  });
});

describe('a failing world', () => {
  test.each([
    ['503', reply(503, '{}')],
    ['the wrong post', wrongPost],
    ['a 404 for everything', bare404],
  ])('gets less than half as many calls again when every address answers %s', async (_, behaviour) => {
    const pool = await createPoolService();
    for (const index of [0, 1, 2]) pool.behave(index, behaviour);
    const statuses = await readOneByOne(pool, 100);
    expect(statuses.filter((status) => status === 200 || status === 404)).toEqual([]);
    expect(sum(pool.newCalls())).toBeLessThan(150);
  });

  test('asks three of ten addresses if each answers 400 for everything', async () => {
    const pool = await createPoolService({ count: 10 });
    for (let index = 0; index < 10; index += 1) pool.behave(index, json({ code: 400 }, 400));
    expect((await pool.readPost()).status).toBe(503);
    expect(pool.newCalls().filter((calls) => calls > 0)).toHaveLength(3);
  });

  test('one caller whose posts fail everywhere spends two failovers, and no failover of others', async () => {
    const pool = await createPoolService();
    const isPoison = (url = ''): boolean => /status\/666[0-9]+$/.test(url);
    for (const index of [0, 1, 2]) {
      pool.behave(index, (incoming, response) =>
        (isPoison(incoming.url) ? reply(500, '{}') : answers)(incoming, response),
      );
    }
    for (let index = 10; index < 40; index += 1) {
      expect((await pool.readPost('198.51.100.1', `6660${index}`)).status).toBe(503);
    }
    // Each post at one address, two of them at a second one, and a few canaries.
    expect(sum(pool.newCalls())).toBeLessThan(45);
    pool.behave(0, html(200));
    expect(failed(await readOneByOne(pool, 30))).toBe(0);
  });
});

describe('a post that does not exist', () => {
  const missing: Behaviour = (incoming, response) =>
    (/status\/404[0-9]+$/.test(incoming.url ?? '') ? bare404 : answers)(incoming, response);
  const syndication = recorded('syndication/missing_404.html', 404);
  const providers = ['fxtwitter', 'syndication'] as const;

  test('is 404 after two addresses agree, however many are read', async () => {
    const pool = await createPoolService({ providers, syndication });
    for (const index of [0, 1, 2]) pool.behave(index, missing);
    const statuses = [];
    for (let index = 100; index < 120; index += 1)
      statuses.push((await pool.readPost('192.0.2.9', `404${index}`)).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    // Two calls per post, and one canary per address.
    expect(sum(pool.newCalls())).toBeLessThanOrEqual(43);
  });

  test('is 503 if the addresses that deny it do not find their canary', async () => {
    const pool = await createPoolService({ providers, syndication });
    for (const index of [0, 1, 2]) pool.behave(index, bare404);
    expect((await pool.readPost('192.0.2.9', '404777')).status).toBe(503);
  });

  test('the canary is asked at the address that denied the post', async () => {
    const pool = await createPoolService({ count: 2, providers, syndication });
    // The first address is closed; the second one lies about everything.
    pool.behave(0, reply(429, '{}', { 'retry-after': 60 }));
    await readOneByOne(pool, 10);
    pool.behave(0, answers);
    pool.behave(1, bare404);
    expect((await pool.readPost('192.0.2.9', '404778')).status).toBe(503);
  });
});
