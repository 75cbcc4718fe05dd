// Tests the stores of the admin function on the embedded DynamoDB, and on the vendor's if the environment names it.
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tables as contract, type TableName } from '../../../shared/contract/tables.ts';
import type { AuditEntry, Session } from '../../../shared/ports/stores.ts';
import {
  createDynamoDbAuditStore,
  createDynamoDbSessionStore,
  createDynamoDbUsageReader,
} from '../../../shared/stores/dynamodb-admin-stores.ts';
import { createDynamoDbApiKeyStore } from '../../../shared/stores/dynamodb-api-key-store.ts';
import type { Item } from '../../../shared/stores/dynamodb-client.ts';
import { keyRecord } from '../../support/access-control.ts';
import {
  createTestClient,
  dynamoDbVariants,
  itemsOf,
  reportSkipped,
  type TestDynamoDb,
} from '../../support/dynamodb.ts';
import { START, testClock } from '../../support/limiter.ts';
import { type Fault, pass, startProxy } from '../../support/store-proxy.ts';

reportSkipped('the operator’s stores');

/** Five of these exceed a page of DynamoDB, which is 1 MB. */
const BULK = 'x'.repeat(300_000);

const bulky = (name: string): Item => ({ [name]: { S: BULK } });

describe.each(dynamoDbVariants)('on %s', (_, open) => {
  let dynamo: TestDynamoDb;
  beforeAll(async () => {
    dynamo = await open();
  });
  afterAll(() => dynamo.close());

  const empty = async (table: TableName): Promise<void> => {
    const row: { readonly partitionKey: string; readonly sortKey?: string } = contract[table];
    const names = [row.partitionKey, row.sortKey];
    for (;;) {
      const items = await itemsOf(dynamo, table);
      if (items.length === 0) return;
      for (const item of items) {
        const Key = Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
        await dynamo.client.send(new DeleteItemCommand({ TableName: dynamo.tables[table], Key }));
      }
    }
  };

  beforeEach(async () => {
    await empty('keys');
    await empty('admin');
    await empty('counters');
  });

  const put = (table: TableName, item: Item) =>
    dynamo.client.send(new PutItemCommand({ TableName: dynamo.tables[table], Item: item }));

  /** A client that records its commands as JSON. */
  const watched = async (fault: Fault = pass) => {
    const proxy = await startProxy(dynamo.endpoint);
    proxy.behave(fault);
    const client = createTestClient(proxy.endpoint);
    onTestFinished(async () => {
      client.destroy();
      await proxy.close();
    });
    return { client, operations: proxy.operations, bodies: () => proxy.bodies.map((body) => JSON.parse(body)) };
  };

  describe('the key store', () => {
    const store = () => createDynamoDbApiKeyStore(dynamo.client, dynamo.tables.keys);

    test('lists, changes and deletes keys beyond the first page of the table', async () => {
      for (let index = 0; index < 6; index += 1) {
        await store().create(`hash-${index}`, keyRecord({ id: `k${index}`, label: BULK }));
      }
      const ids = (await store().list()).map(({ id }) => id);
      expect(ids).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5']);
      for (const id of ids) expect(await store().change(id, { label: 'short' })).toMatchObject({ id, label: 'short' });
      for (const id of ids) expect(await store().delete(id)).toBe(true);
      expect(await store().list()).toEqual([]);
    });

    test('never overwrites a key with a new one', async () => {
      await store().create('hash', keyRecord({ label: 'first' }));
      await expect(store().create('hash', keyRecord({ label: 'second' }))).rejects.toThrow();
      expect(await store().list()).toMatchObject([{ label: 'first' }]);
    });

    test('[keys 7] reads with strong consistency', async () => {
      const { client, bodies } = await watched();
      const recorded = createDynamoDbApiKeyStore(client, dynamo.tables.keys);
      await recorded.list();
      await recorded.change('k1', { label: 'x' });
      await recorded.delete('k1');
      expect(bodies()).toEqual([1, 2, 3].map(() => ({ TableName: dynamo.tables.keys, ConsistentRead: true })));
    });

    test('rejects if the write fails, and does not report a missing key', async () => {
      await store().create('hash', keyRecord());
      const { client } = await watched(async (passing) => {
        if (String(passing.incoming.headers['x-amz-target']).endsWith('Scan')) await pass(passing);
        else passing.response.writeHead(500).end('{}');
      });
      const recorded = createDynamoDbApiKeyStore(client, dynamo.tables.keys);
      await expect(recorded.change('k1', { label: 'x' })).rejects.toThrow();
      await expect(recorded.delete('k1')).rejects.toThrow();
    });
  });

  describe('the session store', () => {
    const sessions = () => createDynamoDbSessionStore(dynamo.client, dynamo.tables.admin);
    const session: Session = { operator: 'ada', credential: 'token of ada', createdAt: START, seenAt: START + 5 };

    test('[admin 2] stores an expiry that is not before the end of the session', async () => {
      await sessions().open('hash', session, START + 1500);
      expect(await itemsOf(dynamo, 'admin')).toEqual([
        {
          pk: { S: 'session#hash' },
          at: { N: '0' },
          operator: { S: 'ada' },
          credential: { S: 'token of ada' },
          created: { N: String(START) },
          seen: { N: String(START + 5) },
          x: { N: String(START / 1000 + 2) },
        },
      ]);
    });

    test('[admin 2] reads with strong consistency', async () => {
      const { client, bodies, operations } = await watched();
      await createDynamoDbSessionStore(client, dynamo.tables.admin).find('hash');
      expect(operations).toEqual(['GetItem']);
      expect(bodies()).toEqual([
        { TableName: dynamo.tables.admin, Key: { pk: { S: 'session#hash' }, at: { N: '0' } }, ConsistentRead: true },
      ]);
    });
  });

  describe('the audit store', () => {
    const clock = testClock();
    beforeEach(() => clock.set(START));
    const audit = () => createDynamoDbAuditStore(dynamo.client, dynamo.tables.admin, clock.now);

    const entryOf = (at: number, members: Partial<AuditEntry> = {}): AuditEntry => ({
      at,
      operator: 'ada',
      action: 'sign_in',
      requestId: 'a request',
      network: '4:198.51.100.7',
      ...members,
    });

    test('[admin 6] keeps each entry for 400 days', async () => {
      await audit().append(entryOf(START + 1));
      expect(await itemsOf(dynamo, 'admin')).toMatchObject([
        { pk: { S: 'audit#2026' }, at: { N: String(START + 1) }, x: { N: String(START / 1000 + 1 + 400 * 86_400) } },
      ]);
    });

    test('[admin 6] moves an entry of a taken millisecond into the next year', async () => {
      const newYear = Date.parse('2027-01-01T00:00:00Z');
      clock.set(newYear);
      for (const operator of ['last', 'first']) await audit().append(entryOf(newYear - 1, { operator }));
      expect(await audit().latest(100)).toEqual([
        entryOf(newYear, { operator: 'first' }),
        entryOf(newYear - 1, { operator: 'last' }),
      ]);
      expect(await audit().latest(1)).toEqual([entryOf(newYear, { operator: 'first' })]);
    });

    test('[admin 6] returns entries as far back as they are kept', async () => {
      clock.set(Date.parse('2027-02-03T00:00:00Z'));
      const days = (count: number): number => clock.now() - count * 86_400_000;
      for (const count of [400, 399, 34, 33, 0]) await audit().append(entryOf(days(count)));
      expect((await audit().latest(100)).map(({ at }) => (clock.now() - at) / 86_400_000)).toEqual([
        0, 33, 34, 399, 400,
      ]);
    });

    test('[admin 6] queries only as many years as it needs, with strong consistency', async () => {
      await audit().append(entryOf(START));
      const { client, bodies } = await watched();
      const recorded = createDynamoDbAuditStore(client, dynamo.tables.admin, clock.now);
      await recorded.latest(1);
      expect(bodies()).toMatchObject([{ ConsistentRead: true, Limit: 1, ScanIndexForward: false }]);
      await recorded.latest(2);
      expect(bodies().slice(1)).toMatchObject([{ Limit: 2 }, { Limit: 1 }, { Limit: 1 }]);
    });
  });

  describe('the usage reader', () => {
    const usage = () => createDynamoDbUsageReader(dynamo.client, dynamo.tables.counters);
    const PARTITION = 'search#k:k1';

    const window = (startsAt: number, members: Item = {}, partition = PARTITION) =>
      put('counters', { pk: { S: partition }, w: { N: String(startsAt) }, ...members });

    test('[keys 21] returns windows beyond the first page', async () => {
      for (let index = 0; index < 5; index += 1) await window(START + index, { n: { N: '1' }, ...bulky('later') });
      expect(await usage().spentSince(PARTITION, START)).toHaveLength(5);
      expect(await usage().latest(PARTITION)).toEqual({ startsAt: START + 4, count: 1 });
    });

    test('[keys 21] reads with strong consistency', async () => {
      const { client, bodies } = await watched();
      const recorded = createDynamoDbUsageReader(client, dynamo.tables.counters);
      await recorded.spentSince(PARTITION, START);
      await recorded.latest(PARTITION);
      expect(bodies()).toMatchObject([{ ConsistentRead: true }, { ConsistentRead: true, Limit: 1 }]);
    });
  });
});
