// Tests the stores of the admin function on the embedded DynamoDB, and on the vendor's if the environment names it.
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tables as contract, type TableName } from '../../../shared/contract/tables.ts';
import type { AuditEntry, Session } from '../../../shared/ports/admin-stores.ts';
import type { ApiKeyChange } from '../../../shared/ports/key-stores.ts';
import { createDynamoDbAuditStore, createDynamoDbSessionStore } from '../../../shared/stores/dynamodb-admin-stores.ts';
import { createDynamoDbApiKeyReader } from '../../../shared/stores/dynamodb-api-key-reader.ts';
import { createDynamoDbApiKeyStore } from '../../../shared/stores/dynamodb-api-key-store.ts';
import type { Item } from '../../../shared/stores/dynamodb-client.ts';
import { createDynamoDbUsageReader } from '../../../shared/stores/dynamodb-usage-reader.ts';
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
    const reader = () => createDynamoDbApiKeyReader(dynamo.client, dynamo.tables.keys);

    test('lists no keys of an empty table', async () => {
      expect(await store().list()).toEqual([]);
    });

    test('lists keys from oldest to newest, and keys of one second by id', async () => {
      const records = [
        keyRecord({ id: 'b', createdAt: '2026-11-21T12:00:01Z' }),
        keyRecord({ id: 'd', createdAt: '2026-11-21T12:00:00Z' }),
        keyRecord({ id: 'c', createdAt: '2025-12-31T23:59:59Z' }),
        keyRecord({ id: 'a', createdAt: '2026-11-21T12:00:01Z', search: { count: 5, seconds: 60 } }),
      ];
      for (const [index, record] of records.entries()) await store().create(`hash-${index}`, record);
      expect((await store().list()).map(({ id }) => id)).toEqual(['c', 'd', 'a', 'b']);
      expect(await store().list()).toEqual(expect.arrayContaining(records));
    });

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

    test('[keys 18] writes only the changed attributes, in one call that creates no item', async () => {
      await store().create('hash', keyRecord({ search: { count: 5, seconds: 60 } }));
      const { client, operations, bodies } = await watched();
      const changes: readonly ApiKeyChange[] = [
        { state: 'disabled' },
        { label: 'New', search: { count: 7, seconds: 60, burst: { count: 2, seconds: 1 } } },
        { search: null },
        { label: 'Newer', search: null, state: 'enabled' },
      ];
      for (const change of changes) await createDynamoDbApiKeyStore(client, dynamo.tables.keys).change('k1', change);
      expect(operations).toEqual(changes.flatMap(() => ['Scan', 'UpdateItem']));
      const common = {
        Key: { pk: { S: 'hash' } },
        ConditionExpression: 'attribute_exists(pk)',
        ReturnValues: 'ALL_NEW',
      };
      const updates = bodies().filter(({ Key }) => Key !== undefined);
      expect(updates).toEqual([
        {
          ...common,
          TableName: dynamo.tables.keys,
          UpdateExpression: 'SET #state = :state',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':state': { S: 'disabled' } },
        },
        {
          ...common,
          TableName: dynamo.tables.keys,
          UpdateExpression: 'SET #label = :label, #search = :search',
          ExpressionAttributeNames: { '#label': 'label', '#search': 'search' },
          ExpressionAttributeValues: { ':label': { S: 'New' }, ':search': { S: '7/60,2/1' } },
        },
        {
          ...common,
          TableName: dynamo.tables.keys,
          UpdateExpression: 'REMOVE #search',
          ExpressionAttributeNames: { '#search': 'search' },
        },
        {
          ...common,
          TableName: dynamo.tables.keys,
          UpdateExpression: 'SET #label = :label, #state = :state REMOVE #search',
          ExpressionAttributeNames: { '#label': 'label', '#state': 'state', '#search': 'search' },
          ExpressionAttributeValues: { ':label': { S: 'Newer' }, ':state': { S: 'enabled' } },
        },
      ]);
      expect(await reader().read('hash')).toEqual(keyRecord({ label: 'Newer' }));
    });

    test('[keys 18] returns the key after a change, including the changes of others', async () => {
      await store().create('hash', keyRecord({ search: { count: 5, seconds: 60 } }));
      const meanwhile: Fault = async (passing) => {
        const isUpdate = String(passing.incoming.headers['x-amz-target']).endsWith('UpdateItem');
        if (isUpdate) await store().change('k1', { label: 'Theirs', search: { count: 9, seconds: 60 } });
        await pass(passing);
      };
      const { client } = await watched(meanwhile);
      const after = await createDynamoDbApiKeyStore(client, dynamo.tables.keys).change('k1', { state: 'disabled' });
      const expected = keyRecord({ label: 'Theirs', search: { count: 9, seconds: 60 }, state: 'disabled' });
      expect(after).toEqual(expected);
      expect(await reader().read('hash')).toEqual(expected);
    });

    test('[keys 18] keeps unknown attributes', async () => {
      await store().create('hash', keyRecord());
      await dynamo.client.send(
        new UpdateItemCommand({
          TableName: dynamo.tables.keys,
          Key: { pk: { S: 'hash' } },
          UpdateExpression: 'SET later = :later',
          ExpressionAttributeValues: { ':later': { S: 'kept' } },
        }),
      );
      await store().change('k1', { label: 'x', state: 'disabled', search: null });
      expect(await itemsOf(dynamo, 'keys')).toMatchObject([{ later: { S: 'kept' }, label: { S: 'x' } }]);
    });

    test('[keys 18] does not recreate a key that is deleted during a change', async () => {
      await store().create('hash', keyRecord());
      const meanwhile: Fault = async (passing) => {
        const isUpdate = String(passing.incoming.headers['x-amz-target']).endsWith('UpdateItem');
        if (isUpdate) await store().delete('k1');
        await pass(passing);
      };
      const { client } = await watched(meanwhile);
      const slow = createDynamoDbApiKeyStore(client, dynamo.tables.keys);
      expect(await slow.change('k1', { state: 'enabled' })).toBeUndefined();
      expect(await itemsOf(dynamo, 'keys')).toEqual([]);
    });

    test('finds no key for an unknown id', async () => {
      await store().create('hash', keyRecord());
      for (const id of ['', 'k', 'k2', 'hash', 'K1']) {
        expect(await store().change(id, { label: 'x' })).toBeUndefined();
        expect(await store().delete(id)).toBe(false);
      }
      expect(await reader().read('hash')).toEqual(keyRecord());
    });

    test('[keys 18] deletes one key, once', async () => {
      await store().create('hash', keyRecord());
      await store().create('other', keyRecord({ id: 'k2' }));
      expect(await store().delete('k1')).toBe(true);
      expect(await store().delete('k1')).toBe(false);
      expect(await store().list()).toEqual([keyRecord({ id: 'k2' })]);
    });

    test('[keys 7] reads with strong consistency', async () => {
      const { client, bodies } = await watched();
      const recorded = createDynamoDbApiKeyStore(client, dynamo.tables.keys);
      await recorded.list();
      await recorded.change('k1', { label: 'x' });
      await recorded.delete('k1');
      expect(bodies()).toEqual([1, 2, 3].map(() => ({ TableName: dynamo.tables.keys, ConsistentRead: true })));
    });

    test('rejects if an item is not a key', async () => {
      await put('keys', { pk: { S: 'hash' }, id: { S: 'k1' }, state: { S: 'paused' } });
      await expect(store().list()).rejects.toThrow('not a key');
    });

    test('rejects if the table does not exist', async () => {
      const lost = createDynamoDbApiKeyStore(dynamo.client, 'no-such-table');
      await expect(lost.list()).rejects.toThrow();
      await expect(lost.create('hash', keyRecord())).rejects.toThrow();
      await expect(lost.change('k1', { label: 'x' })).rejects.toThrow();
      await expect(lost.delete('k1')).rejects.toThrow();
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

    test('[admin 2] finds a session only by its hash', async () => {
      await sessions().open('hash', session, START + 1500);
      await sessions().open('other', { ...session, operator: 'bob' }, START + 1500);
      expect(await sessions().find('hash')).toEqual(session);
      expect(await sessions().find('other')).toEqual({ ...session, operator: 'bob' });
      expect(await sessions().find('has')).toBeUndefined();
      expect(await sessions().find('')).toBeUndefined();
    });

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

    test('[admin 2] changes only the time of last use when a session is seen', async () => {
      await sessions().open('hash', session, START + 1500);
      const [before] = await itemsOf(dynamo, 'admin');
      await sessions().touch('hash', START + 70_000);
      expect(await sessions().find('hash')).toEqual({ ...session, seenAt: START + 70_000 });
      expect(await itemsOf(dynamo, 'admin')).toEqual([{ ...before, seen: { N: String(START + 70_000) } }]);
    });

    test('[admin 2] deletes a closed session, and nothing recreates it', async () => {
      await sessions().open('hash', session, START + 1500);
      await sessions().open('other', session, START + 1500);
      await sessions().close('hash');
      await sessions().close('hash');
      await sessions().touch('hash', START + 70_000);
      expect(await sessions().find('hash')).toBeUndefined();
      expect(await sessions().find('other')).toEqual(session);
      expect(await itemsOf(dynamo, 'admin')).toHaveLength(1);
    });

    test('[admin 2] reads with strong consistency', async () => {
      const { client, bodies, operations } = await watched();
      await createDynamoDbSessionStore(client, dynamo.tables.admin).find('hash');
      expect(operations).toEqual(['GetItem']);
      expect(bodies()).toEqual([
        { TableName: dynamo.tables.admin, Key: { pk: { S: 'session#hash' }, at: { N: '0' } }, ConsistentRead: true },
      ]);
    });

    test.each(['operator', 'created', 'seen'])('does not find a session without %s', async (name) => {
      await sessions().open('hash', session, START + 1500);
      const [item = {}] = await itemsOf(dynamo, 'admin');
      const rest = Object.fromEntries(Object.entries(item).filter(([attribute]) => attribute !== name));
      await put('admin', rest);
      expect(await sessions().find('hash')).toBeUndefined();
    });

    test('rejects if the table does not exist', async () => {
      const lost = createDynamoDbSessionStore(dynamo.client, 'no-such-table');
      await expect(lost.open('hash', session, START)).rejects.toThrow();
      await expect(lost.find('hash')).rejects.toThrow();
      await expect(lost.touch('hash', START)).rejects.toThrow();
      await expect(lost.close('hash')).rejects.toThrow();
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

    test('[admin 6] returns every entry as it was appended, newest first', async () => {
      const full = entryOf(START, {
        action: 'change_key',
        keyId: 'k1',
        label: 'a "label" \u2028 🐋',
        before: { label: 'a', search: '60/60' },
        after: { label: 'b', search: '60/60' },
      });
      await audit().append(full);
      await audit().append(entryOf(START + 1, { operator: 'bob' }));
      await audit().append(entryOf(START - 1));
      expect(await audit().latest(100)).toEqual([entryOf(START + 1, { operator: 'bob' }), full, entryOf(START - 1)]);
    });

    test('[admin 6] returns at most the requested number of entries, and none from an empty table', async () => {
      expect(await audit().latest(100)).toEqual([]);
      for (let at = START; at < START + 5; at += 1) await audit().append(entryOf(at));
      expect((await audit().latest(2)).map(({ at }) => at - START)).toEqual([4, 3]);
    });

    test('[admin 6] keeps each entry for 400 days', async () => {
      await audit().append(entryOf(START + 1));
      expect(await itemsOf(dynamo, 'admin')).toMatchObject([
        { pk: { S: 'audit#2026' }, at: { N: String(START + 1) }, x: { N: String(START / 1000 + 1 + 400 * 86_400) } },
      ]);
    });

    test('[admin 6] keeps all entries of one millisecond', async () => {
      const names = Array.from({ length: 12 }, (_value, index) => `operator-${index}`);
      await Promise.all(names.map((operator) => audit().append(entryOf(START, { operator }))));
      const entries = await audit().latest(100);
      expect(entries.map(({ operator }) => operator).sort()).toEqual(names.toSorted());
      expect(entries.map(({ at }) => at - START)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    });

    test('[admin 6] writes each entry once, only under a free key', async () => {
      await audit().append(entryOf(START, { operator: 'first' }));
      const { client, operations, bodies } = await watched();
      await createDynamoDbAuditStore(client, dynamo.tables.admin, clock.now).append(
        entryOf(START, { operator: 'second' }),
      );
      expect(operations).toEqual(['PutItem', 'PutItem']);
      for (const body of bodies()) expect(body).toMatchObject({ ConditionExpression: 'attribute_not_exists(pk)' });
      expect(await audit().latest(100)).toEqual([
        entryOf(START + 1, { operator: 'second' }),
        entryOf(START, { operator: 'first' }),
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

    test('[admin 6] returns entries of three calendar years', async () => {
      clock.set(Date.parse('2028-01-20T00:00:00Z'));
      const ats = ['2026-12-31T00:00:00Z', '2027-06-01T00:00:00Z', '2028-01-19T00:00:00Z'].map(Date.parse);
      for (const at of ats) await audit().append(entryOf(at));
      expect((await audit().latest(100)).map(({ at }) => at)).toEqual(ats.toReversed());
      expect((await audit().latest(2)).map(({ at }) => at)).toEqual(ats.toReversed().slice(0, 2));
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

    test('[admin 6] returns no sessions', async () => {
      const session = { operator: 'ada', credential: 'token of ada', createdAt: START, seenAt: START };
      await createDynamoDbSessionStore(dynamo.client, dynamo.tables.admin).open('hash', session, START);
      expect(await audit().latest(100)).toEqual([]);
    });

    test('[admin 6] rejects if an entry cannot be written or read, and stops trying', async () => {
      const lost = createDynamoDbAuditStore(dynamo.client, 'no-such-table', clock.now);
      await expect(lost.append(entryOf(START))).rejects.toThrow();
      await expect(lost.latest(1)).rejects.toThrow();
    });
  });

  describe('the usage reader', () => {
    const usage = () => createDynamoDbUsageReader(dynamo.client, dynamo.tables.counters);
    const PARTITION = 'search#k:k1';

    const window = (startsAt: number, members: Item = {}, partition = PARTITION) =>
      put('counters', { pk: { S: partition }, w: { N: String(startsAt) }, ...members });

    test('[keys 21] returns the windows that start at or after an instant, oldest first', async () => {
      for (const [at, count] of [
        [START, 4],
        [START - 1, 1],
        [START + 60_000, 2],
      ] as const)
        await window(at, { n: { N: String(count) } });
      expect(await usage().spentSince(PARTITION, START)).toEqual([
        { startsAt: START, count: 4 },
        { startsAt: START + 60_000, count: 2 },
      ]);
      expect(await usage().spentSince(PARTITION, START + 60_001)).toEqual([]);
    });

    test('[keys 21] returns no windows of other partitions', async () => {
      for (const partition of ['search#k:k11', 'search#k:k', 'browse#k:k1'])
        await window(START, { n: { N: '9' }, d: { S: '2026-11-21' } }, partition);
      expect(await usage().spentSince(PARTITION, 0)).toEqual([]);
      expect(await usage().latest(PARTITION)).toBeUndefined();
    });

    test('[keys 21] returns windows beyond the first page', async () => {
      for (let index = 0; index < 5; index += 1) await window(START + index, { n: { N: '1' }, ...bulky('later') });
      expect(await usage().spentSince(PARTITION, START)).toHaveLength(5);
      expect(await usage().latest(PARTITION)).toEqual({ startsAt: START + 4, count: 1 });
    });

    test('[keys 19] returns the day of the last use, even without a charge', async () => {
      await window(START, { n: { N: '3' }, d: { S: '2026-11-21' } });
      expect(await usage().latest(PARTITION)).toEqual({ startsAt: START, count: 3, usedOn: '2026-11-21' });
      await window(START + 1, { d: { S: '2026-11-22' } });
      expect(await usage().latest(PARTITION)).toEqual({ startsAt: START + 1, count: 0, usedOn: '2026-11-22' });
    });

    test('[keys 21] reads with strong consistency', async () => {
      const { client, bodies } = await watched();
      const recorded = createDynamoDbUsageReader(client, dynamo.tables.counters);
      await recorded.spentSince(PARTITION, START);
      await recorded.latest(PARTITION);
      expect(bodies()).toMatchObject([{ ConsistentRead: true }, { ConsistentRead: true, Limit: 1 }]);
    });

    test('rejects if the table does not exist', async () => {
      const lost = createDynamoDbUsageReader(dynamo.client, 'no-such-table');
      await expect(lost.spentSince(PARTITION, 0)).rejects.toThrow();
      await expect(lost.latest(PARTITION)).rejects.toThrow();
    });
  });
});
