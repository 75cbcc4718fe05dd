import { describe, expect, test } from 'vitest';
import type { Allowance, AllowanceName } from '../../../shared/contract/allowances.ts';
import { type AllowanceLimiter, createAllowanceLimiter } from '../../../shared/rate-limit/allowance-limiter.ts';
import { createFixedWindowLimiter } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { windowAt } from '../../../shared/rate-limit/window.ts';
import { createDynamoDbCounterStore } from '../../../shared/stores/dynamodb-counter-store.ts';
import { createDynamoDbPaidRowStore } from '../../../shared/stores/dynamodb-paid-row-store.ts';
import { keyRecord } from '../../support/access-control.ts';
import { type AdminApp, allowances, createAdminApp, HOUR, MINUTE } from '../../support/admin-app.ts';
import { putKey } from '../../support/dynamodb.ts';
import { NO_DEADLINE, START, waitingGuard } from '../../support/limiter.ts';
import { neverAnswers, serverError } from '../../support/store-proxy.ts';

/** Charges as public functions do, on the same tables. */
const limiterOf = ({ dynamo, clock }: AdminApp, limits = allowances): AllowanceLimiter => {
  const store = createDynamoDbCounterStore(dynamo.client, dynamo.tables.counters);
  return createAllowanceLimiter(
    limits,
    createFixedWindowLimiter({ store, guard: waitingGuard, ...clock }),
    clock.clock,
    clock.wall,
  );
};

const spend = async (
  limiter: AllowanceLimiter,
  id: string,
  name: AllowanceName,
  times: number,
  search?: Allowance,
): Promise<void> => {
  const key = keyRecord({ id, ...(search && { search }) });
  for (let time = 0; time < times; time += 1) await limiter.charge(name, key, '', { refunds: [] }, NO_DEADLINE);
};

const usageOf = async ({ ada }: AdminApp) => (await ada('GET /api/admin/usage')).json();

const lastUsed = async ({ ada }: AdminApp): Promise<readonly unknown[]> => {
  const { keys } = (await ada('GET /api/admin/keys')).json();
  return Array.isArray(keys) ? keys.map(({ last_used_on }) => last_used_on) : [];
};

/** Whole seconds until the window of that partition ends, plus 100 ms for clocks that differ. */
const resetsIn = ({ clock }: AdminApp, allowance: Allowance, partition: string): number =>
  Math.ceil((windowAt(clock.now(), allowance, partition).endsAt - clock.now() + 100) / 1000);

test('[keys 21] GET /api/admin/usage returns the counts of the limiter for each key', async () => {
  const app = await createAdminApp();
  const limiter = limiterOf(app);
  const search = { count: 5, seconds: 300 };
  const [first, second] = [await app.createKey(), await app.createKey({ label: 'Own', search: '5/300' })];
  app.clock.wait(1);
  await spend(limiter, first.id, 'search', 3);
  await spend(limiter, first.id, 'browse', 2);
  await spend(limiter, second.id, 'search', 4, search);
  const ofFirst = resetsIn(app, allowances.search.keyed, `search#k:${first.id}`);
  const ofSecond = resetsIn(app, search, `search#k:${second.id}`);
  const rows = [
    { limit: 60, seconds: 60, used: 3, resets_in: ofFirst, last_24_hours: { search: 3, browse: 2 }, id: first.id },
    { limit: 5, seconds: 300, used: 4, resets_in: ofSecond, last_24_hours: { search: 4, browse: 0 }, id: second.id },
  ].map(({ id, last_24_hours, ...window }) => ({ id, search: window, last_24_hours }));
  const { keys, ...rest } = await usageOf(app);
  expect(keys).toEqual(expect.arrayContaining(rows));
  expect(keys).toHaveLength(2);
  expect(rest).toEqual({
    version: '1.2.3',
    generated_at: '2026-11-21T12:00:00.001Z',
    pool: null,
    paid_rows: null,
    store: { state: 'up' },
    defaults: { search: '60/60' },
    providers: [],
  });
});

test('[keys 21] used covers the current window, and last_24_hours all windows of a day', async () => {
  const app = await createAdminApp();
  const limiter = limiterOf(app);
  const { id } = await app.createKey();
  const now = app.clock.now();
  for (const [hours, times] of [
    [25, 1],
    [23, 2],
    [1, 3],
    [0, 4],
  ] as const) {
    app.clock.set(now + (25 - hours) * HOUR);
    await spend(limiter, id, 'search', times);
    await spend(limiter, id, 'browse', 1);
  }
  expect((await usageOf(app))['keys']).toMatchObject([
    { search: { used: 4 }, last_24_hours: { search: 9, browse: 3 } },
  ]);
  app.clock.wait(MINUTE);
  expect((await usageOf(app))['keys']).toMatchObject([
    { search: { used: 0 }, last_24_hours: { search: 9, browse: 3 } },
  ]);
});

test('[keys 21] the count continues under the new limit when the allowance of a key changes', async () => {
  const app = await createAdminApp();
  const { id } = await app.createKey();
  await spend(limiterOf(app), id, 'search', 6);
  await app.ada(`PATCH /api/admin/keys/${id}`, { json: { search: '7/60' } });
  expect((await usageOf(app))['keys']).toMatchObject([{ search: { limit: 7, seconds: 60, used: 6 } }]);
});

test('[keys 21] a burst limit does not divide the count of a window', async () => {
  const app = await createAdminApp();
  const search = { count: 6, seconds: 60, burst: { count: 2, seconds: 1 } };
  const { id } = await app.createKey({ label: 'x', search: '6/60,2/1' });
  const limiter = limiterOf(app);
  app.clock.set(windowAt(app.clock.now(), search, `search#k:${id}`).endsAt);
  for (let second = 0; second < 2; second += 1) {
    await spend(limiter, id, 'search', 2, search);
    app.clock.wait(1000);
  }
  expect((await usageOf(app))['keys']).toMatchObject([{ search: { limit: 6, seconds: 60, used: 4 } }]);
});

describe('last_used_on', () => {
  test.each(['search', 'browse'] as const)('[keys 19] [keys 21] is the day of the last %s', async (name) => {
    const app = await createAdminApp();
    const limiter = limiterOf(app);
    const { id } = await app.createKey();
    expect(await lastUsed(app)).toEqual([null]);
    await spend(limiter, id, name, 1);
    expect(await lastUsed(app)).toEqual(['2026-11-21']);
    app.clock.wait(24 * HOUR);
    expect(await lastUsed(app)).toEqual(['2026-11-21']);
    await spend(limiter, id, name, 2);
    expect(await lastUsed(app)).toEqual(['2026-11-22']);
  });

  test('[keys 19] [keys 21] is the later of the days of both allowances', async () => {
    const app = await createAdminApp();
    const limiter = limiterOf(app);
    const [first, second] = [await app.createKey(), await app.createKey()];
    await spend(limiter, first.id, 'search', 1);
    await spend(limiter, second.id, 'browse', 1);
    app.clock.wait(24 * HOUR);
    await spend(limiter, first.id, 'browse', 1);
    await spend(limiter, second.id, 'search', 1);
    expect(await lastUsed(app)).toEqual(['2026-11-22', '2026-11-22']);
  });

  test('[keys 19] [keys 21] includes uses that were not charged', async () => {
    const app = await createAdminApp();
    const { id } = await app.createKey();
    await limiterOf(app).recordUse(keyRecord({ id }), { refunds: [] });
    expect(await lastUsed(app)).toEqual(['2026-11-21']);
    expect((await usageOf(app))['keys']).toMatchObject([{ search: { used: 0 } }]);
    const answer = await app.ada(`PATCH /api/admin/keys/${id}`, { json: { label: 'x' } });
    expect(answer.json()['last_used_on']).toBe('2026-11-21');
  });
});

const seconds = 3600;
const pooled = { ...allowances, search: { ...allowances.search, pool: { count: 100, seconds } } };

test('[keys 21] pool is the part of the allowance pool that anonymous callers have taken', async () => {
  const app = await createAdminApp({ allowances: pooled });
  const resets_in = resetsIn(app, { count: 100, seconds }, 'search#pool');
  expect((await usageOf(app))['pool']).toEqual({ limit: 100, seconds, used: 0, resets_in });
  const limiter = limiterOf(app, pooled);
  for (let caller = 0; caller < 6; caller += 1)
    await limiter.charge('search', undefined, `caller-${caller}`, { refunds: [] }, NO_DEADLINE);
  // Leases take 5 units at a time.
  expect((await usageOf(app))['pool']).toEqual({ limit: 100, seconds, used: 10, resets_in });
  app.clock.wait(seconds * 1000);
  expect((await usageOf(app))['pool']).toMatchObject({ used: 0 });
});

test('paid_rows is the rows that X bills today (UTC), and null if they are not counted', async () => {
  const app = await createAdminApp({ paidRowCeiling: 2000 });
  const unused = { limit: 2000, seconds: 86_400, used: 0, resets_in: expect.any(Number) };
  expect((await usageOf(app))['paid_rows']).toEqual(unused);
  const store = createDynamoDbPaidRowStore(app.dynamo.client, app.dynamo.tables.counters);
  const midnight = START - (START % 86_400_000);
  await store.reserve(midnight, 100, 0, 2000);
  await store.correct(midnight, -70, 30);
  await store.reserve(midnight - 86_400_000, 100, 0, 2000);
  expect((await usageOf(app))['paid_rows']).toMatchObject({ used: 30 });
  app.clock.wait(86_400_000);
  expect((await usageOf(app))['paid_rows']).toMatchObject({ used: 0 });
  expect((await usageOf(await createAdminApp()))['paid_rows']).toBeNull();
});

test('providers has the state of each provider, probed once per request', async () => {
  const states = [{ name: 'fxtwitter', state: 'down' } as const, { name: 'syndication', state: 'up' } as const];
  let probes = 0;
  const app = await createAdminApp({
    async probe() {
      probes += 1;
      return states;
    },
  });
  expect((await usageOf(app))['providers']).toEqual(states);
  await app.ada('GET /api/admin/keys');
  await app.send('GET /api/admin/usage');
  expect(probes).toBe(1);
});

describe('while the store does not answer, GET /api/admin/usage', () => {
  const providers = [{ name: 'fxtwitter', state: 'up' } as const];

  test('returns the store as down and the state of the providers', async () => {
    const app = await createAdminApp({ probe: async () => providers });
    await app.createKey();
    app.proxy.behave(serverError);
    expect(await usageOf(app)).toEqual({
      version: '1.2.3',
      generated_at: '2026-11-21T12:00:00.000Z',
      keys: [],
      pool: null,
      paid_rows: null,
      store: { state: 'down' },
      defaults: { search: '60/60' },
      providers,
    });
    await app.proxy.goDown();
    expect(await usageOf(app)).toMatchObject({ store: { state: 'down' }, providers });
  });

  test('returns the store as down in time when the store never answers', async () => {
    const app = await createAdminApp({ probe: async () => providers, storeOptions: {} });
    app.proxy.behave(neverAnswers);
    const answer = await app.ada('GET /api/admin/usage');
    expect(answer.json()).toMatchObject({ store: { state: 'down' }, providers });
  });

  test.each(['list', 'spentSince'])('returns no partial figures when %s fails', async (verb) => {
    const fail = async (): Promise<never> => {
      throw new Error('LEAKY');
    };
    const app = await createAdminApp({
      stores: ({ keys, usage }) => ({ keys: { ...keys, [verb]: fail }, usage: { ...usage, [verb]: fail } }),
    });
    await app.createKey();
    expect(await usageOf(app)).toMatchObject({ keys: [], pool: null, store: { state: 'down' } });
  });
});

test('[keys 21] the keys and their usage cost 2 store calls a key, of which at most 32 at a time', async () => {
  const counts = { calls: 0, now: 0, most: 0 };
  const counted = async <Result>(call: Promise<Result>): Promise<Result> => {
    counts.calls += 1;
    counts.now += 1;
    counts.most = Math.max(counts.most, counts.now);
    return call.finally(() => {
      counts.now -= 1;
    });
  };
  const app = await createAdminApp({
    stores: ({ usage }) => ({
      usage: {
        latest: (...args) => counted(usage.latest(...args)),
        spentSince: (...args) => counted(usage.spentSince(...args)),
      },
    }),
  });
  for (let index = 0; index < 40; index += 1)
    await putKey(app.dynamo, `hash-${index}`, keyRecord({ id: `key${index}` }));
  for (const path of ['/api/admin/keys', '/api/admin/usage']) {
    Object.assign(counts, { calls: 0, most: 0 });
    expect((await app.ada(`GET ${path}`)).json()['keys']).toHaveLength(40);
    expect(counts).toEqual({ calls: 80, now: 0, most: 32 });
  }
});
