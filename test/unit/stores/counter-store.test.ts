import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Counter, CounterStore } from '../../../shared/ports/stores.ts';
import { createDynamoDbCounterStore } from '../../../shared/stores/dynamodb-counter-store.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import {
  createTestClient,
  dynamoDbVariants,
  itemsOf,
  reportSkipped,
  type TestDynamoDb,
} from '../../support/dynamodb.ts';
import { cases } from '../../support/full-form.ts';
import { START } from '../../support/limiter.ts';

interface Opened {
  readonly counters: CounterStore;
  close(): Promise<void>;
}

const onDynamo = (open: () => Promise<TestDynamoDb>) => async (): Promise<Opened> => {
  const dynamo = await open();
  return { counters: createDynamoDbCounterStore(dynamo.client, dynamo.tables.counters), close: dynamo.close };
};

const stores: readonly (readonly [name: string, open: () => Promise<Opened>])[] = [
  ['memory', async () => ({ counters: createMemoryCounterStore(() => START), close: async () => undefined })],
  ...dynamoDbVariants.map(([name, open]) => [name, onDynamo(open)] as const),
];

reportSkipped('counters');

let partitions = 0;

/** A counter of a partition that no other test uses. */
const counterOf = (limit: number, members: Partial<Counter> = {}): Counter => {
  partitions += 1;
  return {
    partition: `search#a:${partitions}`,
    startsAt: START,
    limit,
    expiresAt: START / 1000 + 86_400,
    ...members,
  };
};

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom('charge', 'charge', 'refund', 'touch'),
    units: fc.integer({ min: 1, max: 3 }),
    limit: fc.integer({ min: 3, max: 8 }),
    part: fc.constantFrom(undefined, 0, 1, 2),
    burstLimit: fc.integer({ min: 3, max: 5 }),
  }),
  { maxLength: 25 },
);

describe.each(stores)('counters in %s', (_, open) => {
  let store: Opened;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const charge = (counter: Counter, units = 1) => store.counters.charge(counter, units);
  const refund = (counter: Counter, units = 1) => store.counters.refund(counter, units);

  test('[limiter 5] have the sums of charges and refunds for the window and each burst part, with any limits', async () => {
    const isCounted = fc.asyncProperty(steps, async (all) => {
      const counter = counterOf(0);
      let count = 0;
      const parts = [0, 0, 0];
      for (const { verb, units, limit, part, burstLimit } of all) {
        const next = { ...counter, limit, ...(part !== undefined && { burst: { index: part, limit: burstLimit } }) };
        const spent = parts[part ?? -1] ?? 0;
        const add = (more: number): void => {
          count += more;
          if (part !== undefined) parts[part] = spent + more;
        };
        if (verb === 'touch') await store.counters.touch({ ...next, usedOn: '2026-11-21', extendsExpiry: true });
        else if (verb === 'refund') {
          await refund(next, units);
          // More units than were charged are not taken back.
          if (count >= units && (part === undefined || spent >= units)) add(-units);
        } else if (count + units > limit)
          expect(await charge(next, units)).toEqual({ admitted: false, full: 'window' });
        else if (part !== undefined && spent + units > burstLimit)
          expect(await charge(next, units)).toEqual({ admitted: false, full: 'burst' });
        else {
          add(units);
          const burst = part !== undefined && { burstCount: spent + units };
          expect(await charge(next, units)).toEqual({ admitted: true, count, ...burst });
        }
      }
    });
    await fc.assert(isCounted, { numRuns: cases(40, 100) });
  });

  test('deny more units than one of the two limits to a new counter', async () => {
    const burst = { index: 0, limit: 2 };
    expect(await charge(counterOf(10), 11)).toEqual({ admitted: false, full: 'window' });
    expect(await charge(counterOf(10, { burst }), 3)).toEqual({ admitted: false, full: 'burst' });
  });

  test('[limiter 1] admit 60 of 200 concurrent charges with a limit of 60, each with a count of its own', async () => {
    const counter = counterOf(60);
    const charges = await Promise.all(Array.from({ length: 200 }, () => charge(counter)));
    const counts = charges.flatMap((charge) => (charge.admitted ? [charge.count] : []));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_value, index) => index + 1));
  });

  test('[limiter 1] admit concurrent charges only up to the burst limit', async () => {
    const counter = counterOf(60, { burst: { index: 0, limit: 7 } });
    const charges = await Promise.all(Array.from({ length: 50 }, () => charge(counter)));
    expect(charges.filter(({ admitted }) => admitted)).toHaveLength(7);
    expect(charges.filter((charge) => !charge.admitted && charge.full === 'burst')).toHaveLength(43);
  });

  test('are separate for each partition and window', async () => {
    const counter = counterOf(1);
    await charge(counter);
    expect(await charge({ ...counter, startsAt: START + 60_000 })).toEqual({ admitted: true, count: 1 });
    expect(await charge({ ...counter, startsAt: START - 60_000 })).toEqual({ admitted: true, count: 1 });
    expect(await charge(counterOf(1))).toEqual({ admitted: true, count: 1 });
    expect(await charge(counter)).toMatchObject({ admitted: false });
  });

  test('[limiter 1] [limiter 5] concurrent refunds and charges are counted exactly once', async () => {
    const counter = counterOf(20);
    await charge(counter, 20);
    const [charges] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => charge(counter))),
      Promise.all(Array.from({ length: 10 }, () => refund(counter))),
    ]);
    const later = await Promise.all(Array.from({ length: 40 }, () => charge(counter)));
    expect([...charges, ...later].filter(({ admitted }) => admitted)).toHaveLength(10);
  });
});

describe.each(dynamoDbVariants)('the counters table of %s', (_, open) => {
  let dynamo: TestDynamoDb;
  let counters: CounterStore;
  beforeAll(async () => {
    dynamo = await open();
    counters = createDynamoDbCounterStore(dynamo.client, dynamo.tables.counters);
  });
  afterAll(() => dynamo.close());

  const itemOf = async ({ partition }: Counter) => {
    const items = await itemsOf(dynamo, 'counters');
    return items.find(({ pk }) => pk?.S === partition);
  };

  test('holds the counts and the expiry', async () => {
    const counter = counterOf(9, { burst: { index: 3, limit: 5 } });
    await counters.charge(counter, 2);
    await counters.charge(counter, 1);
    expect(await itemOf(counter)).toEqual({
      pk: { S: counter.partition },
      w: { N: String(START) },
      n: { N: '3' },
      b3: { N: '3' },
      x: { N: String(START / 1000 + 86_400) },
    });
  });

  test('[keys 19] holds the day of use of a key', async () => {
    const counter = counterOf(9, { usedOn: '2026-11-21' });
    await counters.charge(counter, 1);
    expect(await itemOf(counter)).toMatchObject({ d: { S: '2026-11-21' }, n: { N: '1' } });
    await counters.charge({ ...counter, usedOn: '2026-11-22' }, 1);
    expect(await itemOf(counter)).toMatchObject({ d: { S: '2026-11-22' }, n: { N: '2' } });
    await counters.touch({ ...counter, usedOn: '2026-11-23' });
    expect(await itemOf(counter)).toMatchObject({ d: { S: '2026-11-23' }, n: { N: '2' } });
  });

  test('[keys 19] records the day of a charge that the burst limit denies', async () => {
    const counter = counterOf(9, { burst: { index: 0, limit: 1 } });
    await counters.charge(counter, 1);
    await counters.charge({ ...counter, usedOn: '2026-11-21', extendsExpiry: true }, 1);
    expect(await itemOf(counter)).toMatchObject({ d: { S: '2026-11-21' }, n: { N: '1' }, b0: { N: '1' } });
  });

  test('keeps an extended expiry, whichever charge comes before or after', async () => {
    const counter = counterOf(9, { expiresAt: 1000, usedOn: '2026-11-21' });
    await counters.charge(counter, 1);
    expect(await itemOf(counter)).toMatchObject({ x: { N: '1000' } });
    await counters.charge({ ...counter, expiresAt: 5000, extendsExpiry: true }, 1);
    expect(await itemOf(counter)).toMatchObject({ x: { N: '5000' } });
    await counters.charge({ ...counter, expiresAt: 1001 }, 1);
    expect(await itemOf(counter)).toMatchObject({ x: { N: '5000' } });
    await counters.touch({ ...counter, expiresAt: 7000, extendsExpiry: true });
    expect(await itemOf(counter)).toMatchObject({ x: { N: '7000' }, n: { N: '3' } });
  });

  test('[keys 18] is the only table that a charge writes: the use of a deleted key recreates no key', async () => {
    const counter = counterOf(9, { partition: 'search#k:deleted', usedOn: '2026-11-21', extendsExpiry: true });
    await counters.touch(counter);
    await counters.charge(counter, 1);
    expect(await itemsOf(dynamo, 'keys')).toEqual([]);
    expect(await itemsOf(dynamo, 'admin')).toEqual([]);
  });
});

test('a charge rejects if the store answers without a count', async () => {
  const client = createTestClient('http://127.0.0.1:1');
  client.send = async () => ({});
  const { charge } = createDynamoDbCounterStore(client, 'counters');
  await expect(charge(counterOf(3), 1)).rejects.toThrow(new TypeError('no count'));
  client.destroy();
});
