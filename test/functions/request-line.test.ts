// Tests the line of a request without the caches before the function.
import { describe, expect, test } from 'vitest';
import { FAIR_USE } from '../../shared/contract/allowances.ts';
import { createLimitedApp, createTestKey, type LimitedAppOptions } from '../support/limited-app.ts';
import { createTestApp } from '../support/test-app.ts';

const POST = '/api/v1/posts?handle=jack&id=20';

describe('the line of a request', () => {
  test('has a cold start once per function', async () => {
    const { get, log } = createTestApp();
    await get(POST);
    await get(POST);
    await get('/jack');
    const requests = log.filter(({ event }) => event === 'request');
    expect(requests.map(({ cold_start: isCold }) => isCold)).toEqual([true, false, true]);
  });
});

describe('the allowance and the cache in the line of a request', () => {
  const SEARCH = '/api/v1/search?q=tide';
  const down = async () => ({ kind: 'down', why: 'refused' }) as const;
  const broken = async (): Promise<never> => {
    throw new Error('no store');
  };

  const usesOf = async (
    options: LimitedAppOptions,
    times: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly object[]> => {
    const app = createLimitedApp(options);
    await app.statuses(times, SEARCH, headers);
    return app.log
      .filter(({ event }) => event === 'request')
      .map(({ allowance, cache, refunded, key }) => ({ allowance, cache, refunded, key }));
  };

  test('are admitted and a miss, then a hit without a charge', async () => {
    expect(await usesOf({ memoryMilliseconds: 60_000 }, 2)).toMatchObject([
      { allowance: 'admitted', cache: 'miss', key: 'anonymous' },
      { allowance: 'none', cache: 'hit', key: 'anonymous' },
    ]);
  });

  test('are refused when the allowance is spent, and then nothing is read', async () => {
    const uses = await usesOf({}, 4);
    expect(uses.map((use) => Object.values(use)[0])).toEqual(['admitted', 'admitted', 'admitted', 'refused']);
    expect(uses.at(-1)).toMatchObject({ cache: 'none' });
  });

  test('are counted in memory when the store does not answer, and the key is unverified', async () => {
    const { headers } = createTestKey();
    const access = { counters: { charge: broken, refund: broken, touch: broken }, keys: { read: broken } };
    expect(await usesOf({ access }, 1, headers)).toMatchObject([{ allowance: 'memory', key: 'unverified' }]);
  });

  test('are given back after an outage', async () => {
    expect(await usesOf({ upstream: { listPosts: down } }, 1)).toMatchObject([
      { allowance: 'admitted', refunded: true },
    ]);
  });

  test('have the bound of posts, which is always counted in memory', async () => {
    const app = createLimitedApp();
    await app.statuses(FAIR_USE.count + 1, POST);
    const uses = app.log.filter(({ event }) => event === 'request').map(({ allowance }) => allowance);
    expect(new Set(uses.slice(0, -1))).toEqual(new Set(['admitted']));
    expect(uses.at(-1)).toBe('refused');
  });
});
