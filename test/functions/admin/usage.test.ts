import { describe, expect, test } from 'vitest';
import { type Allowance, type AllowanceName, buildAllowances } from '../../../shared/contract/allowances.ts';
import { type AllowanceLimiter, createAllowanceLimiter } from '../../../shared/rate-limit/allowance-limiter.ts';
import { createFixedWindowLimiter } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { windowAt } from '../../../shared/rate-limit/window.ts';
import { createDynamoDbCounterStore } from '../../../shared/stores/dynamodb-counter-store.ts';
import { keyRecord } from '../../support/access-control.ts';
import { type AdminApp, allowances, createAdminApp, HOUR, MINUTE } from '../../support/admin-app.ts';
import { NO_DEADLINE, waitingGuard } from '../../support/limiter.ts';
import { neverAnswers, serverError } from '../../support/store-proxy.ts';

/** What public functions pay with, on the same tables. */
const tillOf = ({ dynamo, clock }: AdminApp, own = allowances): AllowanceLimiter => {
  const store = createDynamoDbCounterStore(dynamo.client, dynamo.tables.counters);
  return createAllowanceLimiter(
    own,
    createFixedWindowLimiter({ store, guard: waitingGuard, clock: clock.now }),
    clock.now,
  );
};

const spend = async (
  till: AllowanceLimiter,
  id: string,
  name: AllowanceName,
  times: number,
  search?: Allowance,
): Promise<void> => {
  const key = keyRecord({ id, ...(search && { search }) });
  for (let time = 0; time < times; time += 1) await till.chargeKey(name, key, { refunds: [] }, NO_DEADLINE);
};

const usageOf = async ({ ada }: AdminApp) => (await ada('GET /api/admin/usage')).json();

const lastUsed = async ({ ada }: AdminApp): Promise<readonly unknown[]> => {
  const { keys } = (await ada('GET /api/admin/keys')).json();
  return Array.isArray(keys) ? keys.map(({ last_used_on }) => last_used_on) : [];
};

/** By arithmetic of our own: whole seconds until a window of that partition ends, with a tenth for clocks that differ. */
const resetsIn = ({ clock }: AdminApp, allowance: Allowance, partition: string): number =>
  Math.ceil((windowAt(clock.now(), allowance, partition).endsAt - clock.now() + 100) / 1000);

test('[key #6] usage is what the limiter counts, for each key', async () => {
  const made = await createAdminApp();
  const till = tillOf(made);
  const search = { count: 5, seconds: 300 };
  const [first, second] = [await made.createKey(), await made.createKey({ label: 'Own', search: '5/300' })];
  made.clock.wait(1);
  await spend(till, first.id, 'search', 3);
  await spend(till, first.id, 'browse', 2);
  await spend(till, second.id, 'search', 4, search);
  const rows = [
    {
      id: first.id,
      search: {
        limit: 60,
        seconds: 60,
        used: 3,
        resets_in: resetsIn(made, allowances.search.keyed, `search#k:${first.id}`),
      },
      last_24_hours: { search: 3, browse: 2 },
    },
    {
      id: second.id,
      search: { limit: 5, seconds: 300, used: 4, resets_in: resetsIn(made, search, `search#k:${second.id}`) },
      last_24_hours: { search: 4, browse: 0 },
    },
  ];
  const { keys, ...rest } = await usageOf(made);
  expect(keys).toEqual(expect.arrayContaining(rows));
  expect(keys).toHaveLength(2);
  expect(rest).toEqual({
    generated_at: '2026-11-21T12:00:00.001Z',
    pool: null,
    store: { state: 'up' },
    defaults: { search: '60/60' },
    providers: [],
  });
});

test('[key #6] a key that nobody uses has used nothing', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey({ label: 'x', search: '600/60,20/1' });
  expect((await usageOf(made))['keys']).toEqual([
    {
      id,
      search: { limit: 600, seconds: 60, used: 0, resets_in: expect.any(Number) },
      last_24_hours: { search: 0, browse: 0 },
    },
  ]);
});

test('[key #6] of the window only what is in it is used, and of a day all its windows', async () => {
  const made = await createAdminApp();
  const till = tillOf(made);
  const { id } = await made.createKey();
  const now = made.clock.now();
  for (const [hours, times] of [
    [25, 1],
    [23, 2],
    [1, 3],
    [0, 4],
  ] as const) {
    made.clock.set(now + (25 - hours) * HOUR);
    await spend(till, id, 'search', times);
    await spend(till, id, 'browse', 1);
  }
  expect((await usageOf(made))['keys']).toMatchObject([
    { search: { used: 4 }, last_24_hours: { search: 9, browse: 3 } },
  ]);
  made.clock.wait(MINUTE);
  expect((await usageOf(made))['keys']).toMatchObject([
    { search: { used: 0 }, last_24_hours: { search: 9, browse: 3 } },
  ]);
});

test('[key #6] with a changed allowance the count goes on under the new limit', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey();
  await spend(tillOf(made), id, 'search', 6);
  await made.ada(`PATCH /api/admin/keys/${id}`, { json: { search: '7/60' } });
  expect((await usageOf(made))['keys']).toMatchObject([{ search: { limit: 7, seconds: 60, used: 6 } }]);
});

test('[key #6] a window with a burst limit is counted as a whole', async () => {
  const made = await createAdminApp();
  const search = { count: 6, seconds: 60, burst: { count: 2, seconds: 1 } };
  const { id } = await made.createKey({ label: 'x', search: '6/60,2/1' });
  const till = tillOf(made);
  made.clock.set(windowAt(made.clock.now(), search, `search#k:${id}`).endsAt);
  for (let second = 0; second < 2; second += 1) {
    await spend(till, id, 'search', 2, search);
    made.clock.wait(1000);
  }
  expect((await usageOf(made))['keys']).toMatchObject([{ search: { limit: 6, seconds: 60, used: 4 } }]);
});

describe('the day of the last use', () => {
  test.each(['search', 'browse'] as const)('[key #4][key #6] is that of the last %s', async (name) => {
    const made = await createAdminApp();
    const till = tillOf(made);
    const { id } = await made.createKey();
    expect(await lastUsed(made)).toEqual([null]);
    await spend(till, id, name, 1);
    expect(await lastUsed(made)).toEqual(['2026-11-21']);
    made.clock.wait(24 * HOUR);
    expect(await lastUsed(made)).toEqual(['2026-11-21']);
    await spend(till, id, name, 2);
    expect(await lastUsed(made)).toEqual(['2026-11-22']);
  });

  test('[key #4][key #6] is the later of the two, whichever that is', async () => {
    const made = await createAdminApp();
    const till = tillOf(made);
    const [first, second] = [await made.createKey(), await made.createKey()];
    await spend(till, first.id, 'search', 1);
    await spend(till, second.id, 'browse', 1);
    made.clock.wait(24 * HOUR);
    await spend(till, first.id, 'browse', 1);
    await spend(till, second.id, 'search', 1);
    expect(await lastUsed(made)).toEqual(['2026-11-22', '2026-11-22']);
  });

  test('[key #4][key #6] is noted of uses that cost nothing, too', async () => {
    const made = await createAdminApp();
    const { id } = await made.createKey();
    await tillOf(made).recordUse(keyRecord({ id }));
    expect(await lastUsed(made)).toEqual(['2026-11-21']);
    expect((await usageOf(made))['keys']).toMatchObject([{ search: { used: 0 } }]);
    const answer = await made.ada(`PATCH /api/admin/keys/${id}`, { json: { label: 'x' } });
    expect(answer.json()['last_used_on']).toBe('2026-11-21');
  });

  test('[key #6] of another key is not taken for it', async () => {
    const made = await createAdminApp();
    const [first, second] = [await made.createKey(), await made.createKey()];
    await spend(tillOf(made), first.id, 'search', 1);
    const { keys } = (await made.ada('GET /api/admin/keys')).json();
    expect(keys).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: first.id, last_used_on: '2026-11-21' }),
        expect.objectContaining({ id: second.id, last_used_on: null }),
      ]),
    );
  });
});

describe('the pool', () => {
  const seconds = 3600;
  const pooled = buildAllowances({
    searchAnonymous: { count: 10, seconds: 60 },
    searchKeyed: { count: 60, seconds: 60 },
    browse: { count: 60, seconds: 60 },
    searchPool: { count: 100, seconds },
  });

  test('[key #6] is what all without a key have taken of it', async () => {
    const made = await createAdminApp({ allowances: pooled });
    const resets_in = resetsIn(made, { count: 100, seconds }, 'search#pool');
    expect((await usageOf(made))['pool']).toEqual({ limit: 100, seconds, used: 0, resets_in });
    const till = tillOf(made, pooled);
    for (let caller = 0; caller < 6; caller += 1)
      await till.chargeAddress('search', `caller-${caller}`, { refunds: [] }, NO_DEADLINE);
    // Taken five at a time: 100 are 20 leases.
    expect((await usageOf(made))['pool']).toEqual({ limit: 100, seconds, used: 10, resets_in });
    made.clock.wait(seconds * 1000);
    expect((await usageOf(made))['pool']).toMatchObject({ used: 0 });
  });
});

describe('providers', () => {
  test('are asked once for each answer, and said to be as they are', async () => {
    let asked = 0;
    const made = await createAdminApp({
      async probe() {
        asked += 1;
        return [
          { name: 'fxtwitter', state: 'down' },
          { name: 'syndication', state: 'up' },
        ];
      },
    });
    expect((await usageOf(made))['providers']).toEqual([
      { name: 'fxtwitter', state: 'down' },
      { name: 'syndication', state: 'up' },
    ]);
    await made.ada('GET /api/admin/keys');
    await made.ask('GET /api/admin/usage');
    expect(asked).toBe(1);
  });
});

describe('while the store does not answer', () => {
  const providers = [{ name: 'fxtwitter', state: 'up' } as const];

  test('that is said, and the providers are told all the same', async () => {
    const made = await createAdminApp({ probe: async () => providers });
    await made.createKey();
    made.proxy.behave(serverError);
    expect(await usageOf(made)).toEqual({
      generated_at: '2026-11-21T12:00:00.000Z',
      keys: [],
      pool: null,
      store: { state: 'down' },
      defaults: { search: '60/60' },
      providers,
    });
    await made.proxy.goDown();
    expect(await usageOf(made)).toMatchObject({ store: { state: 'down' }, providers });
  });

  test('nor ever will, that is said in time', async () => {
    const made = await createAdminApp({ probe: async () => providers });
    made.proxy.behave(neverAnswers);
    const answer = await made.ada('GET /api/admin/usage');
    expect(answer.json()).toMatchObject({ store: { state: 'down' }, providers });
  });

  test.each(['list', 'spentSince'])('to %s, figures are not told by halves', async (verb) => {
    const fail = async (): Promise<never> => {
      throw new Error('LEAKY');
    };
    const made = await createAdminApp({
      stores: ({ keys, usage }) => ({ keys: { ...keys, [verb]: fail }, usage: { ...usage, [verb]: fail } }),
    });
    await made.createKey();
    expect(await usageOf(made)).toMatchObject({ keys: [], pool: null, store: { state: 'down' } });
  });
});
