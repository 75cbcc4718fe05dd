// Tests the line of a request without the caches before the function.
import { expect, test } from 'vitest';
import { FAIR_USE } from '../../shared/contract/allowances.ts';
import { createLimitedApp, createTestKey, type LimitedAppOptions } from '../support/limited-app.ts';
import { createTestApp } from '../support/test-app.ts';

const POST = '/api/v1/posts?handle=jack&id=20';

test('the line of a request has a cold start once per function', async () => {
  const { get, log } = createTestApp();
  for (const target of [POST, POST, '/jack']) await get(target);
  const requests = log.filter(({ event }) => event === 'request');
  expect(requests.map(({ cold_start: isCold }) => isCold)).toEqual([1, undefined, 1]);
});

const SEARCH = '/api/v1/search?q=tide';
const down = async () => ({ kind: 'down', why: 'refused' }) as const;
const broken = async (): Promise<never> => {
  throw new Error('no store');
};
const anonymous = { key: 'anonymous' };
const brokenStores = { counters: { charge: broken, refund: broken, touch: broken }, keys: { read: broken } };

test.each<readonly [string, LimitedAppOptions, Readonly<Record<string, string>>, readonly object[]]>([
  [
    'a miss and a hit without a charge',
    { memoryMilliseconds: 60_000 },
    {},
    [
      { allowance: 'admitted', cache: 'miss', ...anonymous },
      { allowance: undefined, cache: 'hit', ...anonymous },
    ],
  ],
  [
    'a refused search',
    {},
    {},
    [...Array(3).fill({ allowance: 'admitted' }), { allowance: 'refused', cache: undefined }],
  ],
  [
    'a charge in memory',
    { access: brokenStores },
    createTestKey().headers,
    [{ allowance: 'memory', key: 'unverified' }],
  ],
  ['an outage', { upstream: { listPosts: down } }, {}, [{ allowance: 'admitted', refunded: 1 }]],
])('the line of a request says the allowance, the cache and the key of %s', async (_, options, headers, expected) => {
  const app = createLimitedApp(options);
  await app.statuses(expected.length, SEARCH, headers);
  expect(app.log.filter(({ event }) => event === 'request')).toMatchObject(expected);
});

test('the line of a request has the bound of posts, which is always counted in memory', async () => {
  const app = createLimitedApp();
  await app.statuses(FAIR_USE.count + 1, POST);
  const uses = app.log.filter(({ event }) => event === 'request').map(({ allowance }) => allowance);
  expect(uses).toEqual([...Array(FAIR_USE.count).fill('admitted'), 'refused']);
});
