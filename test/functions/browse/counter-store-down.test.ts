// While the store of counters does not answer nobody waits for it, nobody is without a limit, and no answer says so.
import { describe, expect, test } from 'vitest';
import type { CounterStore } from '../../../shared/ports/counter-stores.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import {
  countingUpstream,
  createLimitedApp,
  createTestKey,
  parseRateLimitField,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { NOW, upstreamReturning } from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';

const storeThat = (does: () => Promise<never>): CounterStore => ({ charge: does, refund: does, touch: does });

const outages: readonly (readonly [string, CounterStore])[] = [
  ['refuses connections', storeThat(() => Promise.reject(new Error('ECONNREFUSED')))],
  ['never answers', storeThat(() => new Promise(() => undefined))],
  [
    'throws at once',
    storeThat(() => {
      throw new Error('bug');
    }),
  ],
];

const ten = { count: 10, seconds: 60 };
const allowances = {
  search: { anonymous: ten, keyed: { count: 41, seconds: 60 } },
  browse: { anonymous: ten, keyed: ten },
};

describe.each(outages)('a store that %s', (_, counters) => {
  test('[limiter #6] admits a quarter of the limit by what the instance counts itself, and then refuses', async () => {
    const { headers, keys } = createTestKey();
    const { statuses } = createLimitedApp({ access: { keys, counters, allowances } });
    expect(await statuses(5, SEARCH)).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(5, '/jack')).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(12, SEARCH, headers)).toEqual([...Array(11).fill(200), 429]);
    expect(await statuses(5, SEARCH, viewerIp('192.0.2.9'))).toEqual([200, 200, 200, 429, 429]);
  });

  test('[limiter #6] says when there is room again, and there is', async () => {
    const { get, statuses, clock } = createLimitedApp({ access: { counters, allowances } });
    await statuses(3, SEARCH);
    const refused = await get(SEARCH);
    expect(refused.status).toBe(429);
    clock.wait(Number(refused.headers['retry-after']) * 1000);
    expect(await statuses(4, SEARCH)).toEqual([200, 200, 200, 429]);
  });

  test('[limiter #6][spec 8.2 #54] gives back what failed, in memory too', async () => {
    const { statuses } = createLimitedApp({
      upstream: upstreamReturning({ kind: 'down', why: '' }),
      access: { counters, allowances },
    });
    const failed: number[] = [];
    for (const word of ['ebb', 'flow', 'tide', 'wave', 'foam'])
      failed.push(...(await statuses(1, `/search?q=${word}`)));
    // A quarter of the limit is what the instance counts itself.
    expect(failed).toEqual(Array(5).fill(503));
  });

  test('[limiter #6] a pool is a part of itself as well', async () => {
    const search = { ...allowances.search, pool: { count: 6, seconds: 60 } };
    const { get } = createLimitedApp({ access: { counters, allowances: { search } } });
    const statuses: number[] = [];
    for (let caller = 1; caller <= 4; caller += 1)
      statuses.push((await get(SEARCH, { headers: viewerIp(`192.0.2.${caller}`) })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});

test('[limiter #6] a store that comes back counts again what it counted, and says so', async () => {
  const { headers, keys } = createTestKey();
  const { counters, statuses, get, clock } = createLimitedApp({ access: { keys } });
  expect(await statuses(2, SEARCH, headers)).toEqual([200, 200]);
  counters.fail(new Error('away'));
  expect(await statuses(3, SEARCH, headers)).toEqual([200, 200, 429]);
  counters.fail(undefined);
  clock.wait(2000);
  const answer = await get(SEARCH, { headers });
  expect(answer.status).toBe(200);
  expect(parseRateLimitField(answer, 'ratelimit')['search']).toMatchObject({ r: 3 });
});

test('[limiter #6] a refund that is lost costs nobody his answer', async () => {
  const { counters, statuses } = createLimitedApp({ upstream: upstreamReturning({ kind: 'failed', why: '' }) });
  const { refund } = counters;
  Object.assign(counters, {
    refund: async (...asked: Parameters<typeof refund>) => {
      await refund(...asked);
      throw new Error('lost');
    },
  });
  expect(await statuses(2, SEARCH)).toEqual([502, 502]);
});

describe('[limiter #7] the store is asked', () => {
  const { search } = TINY_ALLOWANCES;

  /** What a request asks of the stores. */
  const bench = (memoryMilliseconds = 0, given?: Parameters<typeof createLimitedApp>[0]) => {
    const key = createTestKey();
    const built = createLimitedApp({ ...given, access: { keys: key.keys, ...given?.access }, memoryMilliseconds });
    return {
      ...built,
      key,
      async calls(target: string, headers: Readonly<Record<string, string>> = {}) {
        const [reads, asked] = [key.reads(), built.counters.asked.length];
        const { status } = await built.get(target, { headers });
        return { status, reads: key.reads() - reads, writes: built.counters.asked.length - asked };
      },
    };
  };

  test('once for who has no key, and not at all once he is refused', async () => {
    const { calls } = bench();
    for (let times = 0; times < search.anonymous.count; times += 1)
      expect(await calls(SEARCH)).toEqual({ status: 200, reads: 0, writes: 1 });
    expect(await calls(SEARCH)).toEqual({ status: 429, reads: 0, writes: 1 });
    expect(await calls(SEARCH)).toEqual({ status: 429, reads: 0, writes: 0 });
    expect(await calls('/jack')).toEqual({ status: 200, reads: 0, writes: 1 });
  });

  test('twice for who has one, and for his key alone once he is refused', async () => {
    const { calls, key } = bench();
    for (let times = 0; times < search.keyed.count; times += 1)
      expect(await calls(SEARCH, key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    expect(await calls(SEARCH, key.headers)).toEqual({ status: 429, reads: 1, writes: 1 });
    expect(await calls(SEARCH, key.headers)).toEqual({ status: 429, reads: 1, writes: 0 });
  });

  test('for the key alone by another instance too, once that has met the end of the allowance', async () => {
    const { key, statuses, counters } = bench();
    await statuses(search.keyed.count, SEARCH, key.headers);
    const other = createLimitedApp({ access: { keys: key.keys, counters } });
    const before = counters.asked.length;
    expect(await other.statuses(1, SEARCH, key.headers)).toEqual([429]);
    expect(counters.asked.slice(before)).toMatchObject([{ verb: 'charge' }]);
    expect(await other.statuses(3, SEARCH, key.headers)).toEqual([429, 429, 429]);
    expect(counters.asked).toHaveLength(before + 1);
  });

  test('not at all for who has no key once their pool is known to be spent', async () => {
    const allowances = { search: { ...search, pool: { count: 1, seconds: 60 } } };
    const { calls } = bench(0, { access: { allowances } });
    expect(await calls(SEARCH, viewerIp('192.0.2.1'))).toEqual({ status: 200, reads: 0, writes: 2 });
    expect((await calls(SEARCH, viewerIp('192.0.2.2'))).status).toBe(429);
    expect(await calls(SEARCH, viewerIp('192.0.2.3'))).toEqual({ status: 429, reads: 0, writes: 0 });
  });

  test('for the key alone where the answer is an error, or is remembered', async () => {
    const { calls, key, get } = bench(60_000);
    await get('/ada', { headers: key.headers });
    await get('/jack');
    await get(SEARCH, { headers: key.headers });
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 0 });
    expect(await calls('/jack?limit=0', key.headers)).toEqual({ status: 400, reads: 1, writes: 0 });
    expect(await calls('/jack')).toEqual({ status: 200, reads: 0, writes: 0 });
  });

  test('for the key alone of who was refused for it before', async () => {
    const { calls, key } = bench();
    expect(await calls(SEARCH, key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    key.change({ state: 'disabled' });
    expect((await calls(SEARCH, key.headers)).status).toBe(401);
    expect(await calls(SEARCH, key.headers)).toEqual({ status: 401, reads: 1, writes: 0 });
  });

  test('[key #4] once a day to note a use that cost nothing', async () => {
    const { calls, key, get, counters, clock } = bench(60_000);
    await get('/jack');
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    expect(counters.asked.at(-1)).toMatchObject({
      verb: 'touch',
      counter: { partition: 'search#k:k1', usedOn: '2026-11-21', extendsExpiry: true },
    });
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 0 });
    clock.wait(86_400_000);
    await get('/jack');
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    expect(counters.asked.at(-1)).toMatchObject({ verb: 'touch', counter: { usedOn: '2026-11-22' } });
  });

  test('[key #4] with the charge to note a use that cost something', async () => {
    const { key, get, counters } = bench();
    await get(SEARCH, { headers: key.headers });
    expect(counters.asked).toMatchObject([{ verb: 'charge', counter: { usedOn: '2026-11-21', extendsExpiry: true } }]);
    await get(SEARCH, { headers: key.headers });
    expect(counters.asked.at(-1)).toMatchObject({
      verb: 'charge',
      counter: { usedOn: '2026-11-21', extendsExpiry: false },
    });
  });

  test('[key #4] never to note a use by who has no key, or one that is refused', async () => {
    const { key, get, counters } = bench(60_000);
    await get('/jack');
    key.change({ state: 'disabled' });
    await get('/jack', { headers: key.headers });
    await get('/jack', { headers: { authorization: 'Bearer x' } });
    await get('/jack');
    expect(counters.asked).toMatchObject([
      { verb: 'charge', counter: { partition: expect.stringMatching(/^browse#a:/) } },
    ]);
    expect(counters.asked[0]?.counter).not.toHaveProperty('usedOn');
  });

  test('before the provider is called, whatever the caller has left', async () => {
    const plenty = { anonymous: { count: 30, seconds: 60 }, keyed: { count: 60, seconds: 60 } };
    const { promise, resolve } = Promise.withResolvers<void>();
    const memory = createMemoryCounterStore(() => NOW);
    const { upstream, calls } = countingUpstream();
    const charge: CounterStore['charge'] = async (...asked) => {
      if (calls() > 0) await promise;
      return memory.charge(...asked);
    };
    const { get } = createLimitedApp({
      upstream,
      access: { counters: { ...memory, charge }, allowances: { search: plenty } },
    });
    await get(SEARCH);
    const answer = get(SEARCH);
    await new Promise((done) => setImmediate(done));
    expect(calls()).toBe(1);
    resolve();
    expect((await answer).status).toBe(200);
    expect(calls()).toBe(2);
  });
});
