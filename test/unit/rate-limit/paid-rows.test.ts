import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paidRowsPartition } from '../../../shared/contract/providers.ts';
import { later } from '../../../shared/model/time.ts';
import type { PaidRowStore, PaidRows } from '../../../shared/ports/stores.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { createPaidRows, MEMORY_SHARE } from '../../../shared/rate-limit/paid-rows.ts';
import { createDynamoDbUsageReader } from '../../../shared/stores/dynamodb-admin-stores.ts';
import { createDynamoDbPaidRowStore } from '../../../shared/stores/dynamodb-paid-row-store.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { dynamoDbVariants, itemsOf, type TestDynamoDb } from '../../support/dynamodb.ts';
import { NO_DEADLINE, START, testClock, waitingGuard } from '../../support/limiter.ts';
import { seededRandom } from '../../support/random.ts';

const DAY = 86_400_000;
const CEILING = 2000;

/** Counts as the table does, so that a property can run many cases; the tests below compare it with DynamoDB. */
const memoryStore = () => {
  const days = new Map<number, { used: number; billed: number }>();
  let fault: 'none' | 'down' | 'lost' = 'none';
  let writes = 0;
  const write = <T>(change: () => T): T => {
    writes += 1;
    if (fault === 'down') throw new Error('down');
    const result = change();
    if (fault === 'lost') throw new Error('lost');
    return result;
  };
  const store: PaidRowStore = {
    reserve: async (day, rows, known, ceiling) =>
      write(() => {
        const item = days.get(day) ?? { used: 0, billed: 0 };
        if (item.used > ceiling - rows) return { billed: item.billed };
        days.set(day, { used: item.used + rows, billed: item.billed + known });
        return undefined;
      }),
    correct: async (day, used, billed) =>
      write(() => {
        const item = days.get(day) ?? { used: 0, billed: 0 };
        days.set(day, { used: item.used + used, billed: item.billed + billed });
      }),
  };
  return {
    store,
    fail: (next: typeof fault) => {
      fault = next;
    },
    used: (day = START - (START % DAY)) => days.get(day)?.used ?? 0,
    writes: () => writes,
  };
};

const createInstance = (store: PaidRowStore | undefined, clock = testClock(), ceiling = CEILING) => {
  const log: LogFields[] = [];
  const rows = createPaidRows({
    store,
    guard: waitingGuard,
    ceiling,
    ...clock,
    log: (fields) => void log.push(fields),
  });
  return { rows, clock, log };
};

/** Reserves and reports what was billed. @returns the billed rows; undefined: refused */
const call = async (rows: PaidRows, most: number, billed = most): Promise<number | undefined> => {
  const reservation = await rows.reserve(most, NO_DEADLINE);
  await reservation?.settle(billed);
  return reservation && billed;
};

describe('the ceiling of paid rows', () => {
  test('is never exceeded by any instances, pages, orders and lost answers', async () => {
    const step = fc.record({
      instance: fc.nat(3),
      most: fc.constantFrom(1, 1, 5, 20, 100),
      share: fc.integer({ min: 0, max: 100 }),
      fault: fc.constantFrom('none', 'none', 'none', 'lost'),
      end: fc.constantFrom('settle', 'settle', 'unknown'),
      pause: fc.constantFrom(0, 0, 6000),
    });
    const cases = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.array(step, { maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([ceiling, steps]) => {
        const { store, fail, used } = memoryStore();
        const clock = testClock();
        const instances = [0, 1, 2, 3].map(() => createInstance(store, clock, ceiling));
        const inMemory = 4 * Math.ceil(ceiling * MEMORY_SHARE);
        let billed = 0;
        const pending: (() => Promise<void>)[] = [];
        for (const { instance, most, share, fault, end, pause } of steps) {
          clock.wait(pause);
          fail(fault === 'lost' ? 'lost' : 'none');
          const reservation = await instances[instance]?.rows.reserve(most, NO_DEADLINE);
          fail('none');
          if (reservation === undefined) continue;
          const rows = Math.floor((most * share) / 100);
          billed += rows;
          // Calls end in another order than they began, and some ends are never known.
          if (end === 'settle') pending.unshift(() => reservation.settle(rows));
          if (pending.length > 3) await pending.pop()?.();
          expect(used()).toBeLessThanOrEqual(ceiling);
          expect(billed).toBeLessThanOrEqual(ceiling + inMemory);
        }
        for (const settle of pending) await settle();
        expect(used()).toBeLessThanOrEqual(ceiling);
      }),
      { numRuns: 300 },
    );
  });

  test('is not reached by reservations alone: a large page that ends gives its rows back', async () => {
    const { store, writes } = memoryStore();
    const { rows, clock } = createInstance(store);
    const reservations = await Promise.all(Array.from({ length: 20 }, () => rows.reserve(100, NO_DEADLINE)));
    expect(await call(rows, 100)).toBeUndefined();
    const asked = writes();
    expect(await call(rows, 100)).toBeUndefined();
    expect(writes()).toBe(asked);
    expect(await call(rows, 1)).toBeUndefined();
    for (const reservation of reservations) await reservation?.settle(20);
    clock.wait(5000);
    expect(await call(rows, 100, 20)).toBe(20);
    expect(await call(rows, 1)).toBe(1);
  });

  test('refuses pages that do not fit, but not single posts', async () => {
    const { store } = memoryStore();
    const { rows } = createInstance(store, testClock(), 150);
    expect(await call(rows, 100)).toBe(100);
    expect(await call(rows, 100)).toBeUndefined();
    expect(rows.isSpent(100)).toBe(true);
    expect(rows.isSpent(50)).toBe(false);
    expect(await call(rows, 50)).toBe(50);
  });

  test('costs no write for the rest of the day once it is reached, and says so once', async () => {
    const { store, writes } = memoryStore();
    const { rows, clock, log } = createInstance(store, testClock(), 1);
    expect(await call(rows, 1)).toBe(1);
    expect(writes()).toBe(1);
    expect(await call(rows, 1)).toBeUndefined();
    const before = writes();
    for (let hour = 0; hour < 11; hour += 1) {
      clock.wait(3_600_000);
      expect(rows.isSpent(1)).toBe(true);
      expect(await call(rows, 1)).toBeUndefined();
    }
    expect(writes()).toBe(before);
    expect(log).toEqual([{ level: 'warn', event: 'paid_rows_spent', rows: 1, billed: 1, ceiling: 1 }]);
    clock.wait(3_600_000);
    expect(rows.isSpent(1)).toBe(false);
    expect(await call(rows, 1)).toBe(1);
  });

  test('what was not billed is given back: a single row, and a page without rows', async () => {
    const { store, writes, used } = memoryStore();
    const { rows } = createInstance(store);
    await call(rows, 1, 0);
    expect([used(), writes()]).toEqual([0, 2]);
    await call(rows, 100, 0);
    expect([used(), writes()]).toEqual([0, 4]);
  });

  test('a refund after midnight belongs to the day of the call', async () => {
    const { store, used } = memoryStore();
    const { rows, clock } = createInstance(store);
    const reservation = await rows.reserve(100, NO_DEADLINE);
    clock.set(START - (START % DAY) + DAY + 1);
    await reservation?.settle(10);
    expect(used()).toBe(10);
    expect(used(START - (START % DAY) + DAY)).toBe(0);
  });

  test('while the store is down, an instance spends at most 1 % a day', async () => {
    const { store, fail } = memoryStore();
    fail('down');
    const { rows, clock } = createInstance(store);
    const results = [];
    for (let index = 0; index < 50; index += 1) results.push(await call(rows, 1));
    expect(results.filter((result) => result === 1)).toHaveLength(20);
    clock.wait(DAY);
    expect(await call(rows, 100)).toBeUndefined();
    expect(await call(rows, 20, 5)).toBe(5);
    expect(await call(rows, 15)).toBe(15);
    expect(await call(rows, 1)).toBeUndefined();
  });

  test('a write after a call is never repeated, because a repeated one could give rows back twice', async () => {
    const { store, fail, writes } = memoryStore();
    const clock = testClock();
    const log = (): void => undefined;
    const guard = createStoreGuard('counters', { ...clock, log, random: () => 0 });
    const rows = createPaidRows({ store, guard, ceiling: CEILING, ...clock, log });
    const reservation = await rows.reserve(100, later(clock.clock(), 1000));
    fail('lost');
    await reservation?.settle(20);
    expect(writes()).toBe(2);
  });

  test('a process without a table counts in its memory, against the whole ceiling', async () => {
    const { rows } = createInstance(undefined, testClock(), 150);
    expect([await call(rows, 100), await call(rows, 100), await call(rows, 50)]).toEqual([100, undefined, 50]);
  });
});

describe.each(dynamoDbVariants)('counted in %s', (_, open) => {
  let dynamo: TestDynamoDb;
  beforeAll(async () => {
    dynamo = await open();
  });
  afterAll(() => dynamo.close());

  test('8 instances together admit exactly the ceiling, in one item per day that expires', async () => {
    const clock = testClock();
    const random = seededRandom();
    const instances = Array.from(
      { length: 8 },
      () => createInstance(createDynamoDbPaidRowStore(dynamo.client, dynamo.tables.counters), clock).rows,
    );
    const billed: number[] = [];
    const spend = async (rows: PaidRows, count: number, most: () => number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const size = most();
        billed.push((await call(rows, size, Math.ceil(size * random()))) ?? 0);
        clock.wait(100);
      }
    };
    await Promise.all(instances.map((rows) => spend(rows, 12, () => (random() < 0.5 ? 100 : 20))));
    clock.wait(6000);
    await Promise.all(instances.map((rows) => spend(rows, 300, () => 1)));
    expect(billed.reduce((sum, rows) => sum + rows, 0)).toBe(CEILING);
    const [item, ...others] = await itemsOf(dynamo, 'counters');
    expect(others).toEqual([]);
    expect(item).toEqual({
      pk: { S: paidRowsPartition },
      w: { N: String(START - (START % DAY)) },
      n: { N: String(CEILING) },
      s: { N: String(CEILING) },
      x: { N: String((START - (START % DAY)) / 1000 + 33 * 86_400) },
    });
    const usage = createDynamoDbUsageReader(dynamo.client, dynamo.tables.counters);
    expect(await usage.latest(paidRowsPartition)).toMatchObject({ count: CEILING });
  });
});
