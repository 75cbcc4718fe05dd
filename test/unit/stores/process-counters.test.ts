import { expect, test } from 'vitest';
import type { Counter, CounterStore } from '../../../shared/ports/stores.ts';
import { countInProcess, createProcessCounters } from '../../../shared/stores/process-counters.ts';
import { START, testClock } from '../../support/limiter.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const KEY = 'search#k:k1';

const bench = () => {
  const clock = testClock();
  const counters = createProcessCounters({ now: clock.now });
  const counter = (members: Partial<Counter> = {}): Counter => ({
    partition: KEY,
    startsAt: clock.now(),
    limit: 5,
    expiresAt: clock.now() / 1000 + 60,
    isReported: true,
    usedOn: '2026-11-21',
    ...members,
  });
  const spent = async (since = 0) => counters.spentSince(KEY, since);
  return { clock, counters, counter, spent };
};

test('[allowances 10] process counters admit exactly the limit in each window, and a refund frees a unit', async () => {
  const { clock, counters, counter } = bench();
  const admitted = async (): Promise<number> => {
    const all = await Promise.all(Array.from({ length: 150 }, () => counters.charge(counter(), 1)));
    return all.filter((result) => result.admitted).length;
  };
  expect(await admitted()).toBe(5);
  await counters.refund(counter(), 1);
  expect(await admitted()).toBe(1);
  clock.wait(MINUTE);
  expect(await admitted()).toBe(5);
});

test('[allowances 10] [keys 21] process counters report each open window, and those that are over by the quarter of an hour', async () => {
  const { clock, counters, counter, spent } = bench();
  for (let minute = 0; minute < 20; minute += 1) {
    await counters.charge(counter(), 2);
    clock.wait(MINUTE);
  }
  await counters.charge(counter({ limit: 1 }), 2);
  // 12:00 to 12:15, 12:15 to 12:19, and the last window, which a denied charge does not begin.
  expect(await spent()).toEqual([
    { startsAt: START, count: 30 },
    { startsAt: START + 15 * MINUTE, count: 8 },
    { startsAt: START + 19 * MINUTE, count: 2 },
  ]);
  expect(await spent(START + 16 * MINUTE)).toEqual([{ startsAt: START + 19 * MINUTE, count: 2 }]);
  await counters.refund(counter({ startsAt: START + 3 * MINUTE }), 2);
  expect((await spent())[0]).toEqual({ startsAt: START, count: 28 });
  expect(await counters.spentSince('search#a:someone', 0)).toEqual([]);
});

test('[allowances 10] process counters keep about a hundred windows of a key, whatever their length', async () => {
  const { clock, counters, counter, spent } = bench();
  for (let minute = 0; minute < (3 * DAY) / MINUTE; minute += 1) {
    await counters.charge(counter(), 1);
    clock.wait(MINUTE);
  }
  const windows = await spent();
  expect(windows.length).toBeLessThan(102);
  expect((await spent(clock.now() - DAY)).reduce((sum, { count }) => sum + count, 0)).toBe(DAY / MINUTE);
});

test('[allowances 10] process counters hold 50,000 counters, and callers without a key are not reported', async () => {
  const { counters, counter } = bench();
  const of = (caller: number) => counter({ partition: `search#a:${caller}`, limit: 1, isReported: false });
  for (let caller = 0; caller <= 50_000; caller += 1) await counters.charge(of(caller), 1);
  expect([(await counters.charge(of(1), 1)).admitted, (await counters.charge(of(0), 1)).admitted]).toEqual([
    false,
    true,
  ]);
  expect(await counters.spentSince('search#a:1', 0)).toEqual([]);
});

test('[keys 19] [allowances 10] the day of use is stored once for all functions, again after a failure, and no caller waits', async () => {
  const { clock, counters, counter } = bench();
  const touched: string[] = [];
  let store = Promise.withResolvers<void>();
  const never = (): never => {
    throw new Error('a charge reached the table');
  };
  const table: CounterStore = {
    charge: never,
    refund: never,
    touch({ usedOn = '' }) {
      touched.push(usedOn);
      return store.promise;
    },
  };
  const functions = [countInProcess(counters, table), countInProcess(counters, table)];
  const use = async (): Promise<void> => {
    for (const { touch } of functions) for (let request = 0; request < 3; request += 1) await touch(counter());
  };
  await use();
  expect(touched).toEqual(['2026-11-21']);
  store.reject(new Error('down'));
  await new Promise((done) => setImmediate(done));
  store = Promise.withResolvers<void>();
  await use();
  store.resolve();
  await use();
  clock.wait(DAY);
  for (const { touch } of functions) await touch(counter({ usedOn: '2026-11-22' }));
  const { usedOn: _, ...unused } = counter();
  await functions[0]?.touch(unused);
  expect(touched).toEqual(['2026-11-21', '2026-11-21', '2026-11-22']);
});
