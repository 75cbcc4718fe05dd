// Tests browse requests while the counter store does not answer: no request waits, every limit holds, no answer tells.
import { describe, expect, test } from 'vitest';
import type { CounterStore } from '../../../shared/ports/stores.ts';
import { isFullForm } from '../../support/full-form.ts';
import {
  createLimitedApp,
  createTestKey,
  parseRateLimitField,
  TINY_ALLOWANCES,
  viewerIp,
} from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { upstreamReturning } from '../../support/test-app.ts';

const SEARCH = '/search?q=fjord';

const storeThat = (does: () => Promise<never>): CounterStore => ({ charge: does, refund: does, touch: does });

const refusing = storeThat(() => Promise.reject(new Error('ECONNREFUSED')));

const outages: readonly (readonly [string, CounterStore])[] = [
  ['refuses connections', refusing],
  ['never answers', storeThat(() => new Promise(() => undefined))],
];

const three = { count: 3, seconds: 60 };
const allowances = {
  search: { anonymous: three, keyed: { count: 11, seconds: 60 } },
  browse: { anonymous: three, keyed: three },
};

describe.each(outages)('a counter store that %s', (name, counters) => {
  // Each attempt waits for the time limit of a call.
  const testSometimes = test.runIf(isFullForm || name !== 'never answers');

  test('[allowances 8] [limiter 6] leaves the whole limit, counted by the instance, and then 429 with the figure that was counted', async () => {
    const { headers, keys } = createTestKey();
    const { get, statuses } = createLimitedApp({ access: { keys, counters, allowances } });
    expect(await statuses(5, SEARCH)).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(5, '/jack')).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(12, SEARCH, headers)).toEqual([...Array(11).fill(200), 429]);
    expect(await statuses(5, SEARCH, viewerIp('192.0.2.9'))).toEqual([200, 200, 200, 429, 429]);
    const { detail } = expectProblem(await get(SEARCH), 429, 'rate_limited');
    expect(detail).toMatch(/^The search allowance is 3 requests per 60 seconds\. /);
  });

  testSometimes('[limiter 6] [allowances 5] does not prevent refunds of failed requests', async () => {
    const { statuses } = createLimitedApp({
      upstream: upstreamReturning({ kind: 'down', why: '' }),
      access: { counters, allowances },
    });
    const failed: number[] = [];
    for (const word of ['ebb', 'flow', 'tide', 'wave', 'foam'])
      failed.push(...(await statuses(1, `/search?q=${word}`)));
    // The instance admits 3.
    expect(failed).toEqual(Array(5).fill(503));
  });
});

test('[limiter 6] an instance admits a quarter of the pool of all callers while the counter store does not answer', async () => {
  const pool = { count: 8, seconds: 60 };
  const pooled = { ...allowances, search: { ...allowances.search, pool } };
  const { statuses } = createLimitedApp({ access: { counters: refusing, allowances: pooled } });
  for (const [host, status] of [200, 200, 429].entries())
    expect(await statuses(1, SEARCH, viewerIp(`192.0.2.${host}`))).toEqual([status]);
});

test('[limiter 6] a counter store that answers again counts again, and RateLimit returns', async () => {
  const { headers, keys } = createTestKey();
  const { counters, statuses, get, clock } = createLimitedApp({ access: { keys } });
  expect(await statuses(2, SEARCH, headers)).toEqual([200, 200]);
  counters.fail(new Error('away'));
  expect(await statuses(7, SEARCH, headers)).toEqual([...Array(6).fill(200), 429]);
  counters.fail(undefined);
  clock.wait(2000);
  const answer = await get(SEARCH, { headers });
  expect(answer.status).toBe(200);
  expect(parseRateLimitField(answer, 'ratelimit')['search']).toMatchObject({ r: 3 });
});

describe('[limiter 7] the store calls of a request', () => {
  const { search } = TINY_ALLOWANCES;

  /** The status of a request and its store calls. */
  const bench = (memoryMilliseconds = 0, options?: Parameters<typeof createLimitedApp>[0]) => {
    const key = createTestKey();
    const built = createLimitedApp({ ...options, access: { keys: key.keys, ...options?.access }, memoryMilliseconds });
    return {
      ...built,
      key,
      async calls(target: string, headers: Readonly<Record<string, string>> = {}) {
        const [reads, writes] = [key.reads(), built.counters.calls.length];
        const { status } = await built.get(target, { headers });
        return { status, reads: key.reads() - reads, writes: built.counters.calls.length - writes };
      },
    };
  };

  test('one charge without a key, and none while a denial is remembered', async () => {
    const { calls } = bench();
    for (let times = 0; times < search.anonymous.count; times += 1)
      expect(await calls(SEARCH)).toEqual({ status: 200, reads: 0, writes: 1 });
    expect(await calls(SEARCH)).toEqual({ status: 429, reads: 0, writes: 1 });
    expect(await calls(SEARCH)).toEqual({ status: 429, reads: 0, writes: 0 });
    expect(await calls('/jack')).toEqual({ status: 200, reads: 0, writes: 1 });
  });

  test('two with a key, and only the key lookup while a denial is remembered', async () => {
    const { calls, key } = bench();
    for (let times = 0; times < search.keyed.count; times += 1)
      expect(await calls(SEARCH, key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    expect(await calls(SEARCH, key.headers)).toEqual({ status: 429, reads: 1, writes: 1 });
    expect(await calls(SEARCH, key.headers)).toEqual({ status: 429, reads: 1, writes: 0 });
  });

  test('only the key lookup if the answer is an error or cached', async () => {
    const { calls, key, get } = bench(60_000);
    await get('/ada', { headers: key.headers });
    await get('/jack');
    await get(SEARCH, { headers: key.headers });
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 0 });
    expect(await calls('/jack?limit=0', key.headers)).toEqual({ status: 400, reads: 1, writes: 0 });
    expect(await calls('/jack')).toEqual({ status: 200, reads: 0, writes: 0 });
  });

  test('[keys 19] one write a day for a use that costs nothing', async () => {
    const { calls, key, get, counters, clock } = bench(60_000);
    await get('/jack');
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    expect(counters.calls.at(-1)).toMatchObject({
      verb: 'touch',
      counter: { partition: 'search#k:k1', usedOn: '2026-11-21', extendsExpiry: true },
    });
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 0 });
    clock.wait(86_400_000);
    await get('/jack');
    expect(await calls('/jack', key.headers)).toEqual({ status: 200, reads: 1, writes: 1 });
    expect(counters.calls.at(-1)).toMatchObject({ verb: 'touch', counter: { usedOn: '2026-11-22' } });
  });

  test('[keys 19] no further write for the day of a use that is charged', async () => {
    const { key, get, counters } = bench();
    await get(SEARCH, { headers: key.headers });
    expect(counters.calls).toMatchObject([{ verb: 'charge', counter: { usedOn: '2026-11-21', extendsExpiry: true } }]);
    await get(SEARCH, { headers: key.headers });
    expect(counters.calls.at(-1)).toMatchObject({
      verb: 'charge',
      counter: { usedOn: '2026-11-21', extendsExpiry: false },
    });
  });

  test('[keys 19] no write for the use of a missing or rejected key', async () => {
    const { key, get, counters } = bench(60_000);
    await get('/jack');
    key.change({ state: 'disabled' });
    await get('/jack', { headers: key.headers });
    await get('/jack', { headers: { authorization: 'Bearer x' } });
    await get('/jack');
    expect(counters.calls).toMatchObject([
      { verb: 'charge', counter: { partition: expect.stringMatching(/^browse#a:/) } },
    ]);
    expect(counters.calls[0]?.counter).not.toHaveProperty('usedOn');
  });
});
