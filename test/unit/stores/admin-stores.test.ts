// Tests the stores of the admin function on the embedded DynamoDB, and on the vendor's if the environment names it. What
// their commands do is tested with the routes, in functions/admin.
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Session } from '../../../shared/ports/stores.ts';
import {
  createDynamoDbAuditStore,
  createDynamoDbSessionStore,
  createDynamoDbUsageReader,
} from '../../../shared/stores/dynamodb-admin-stores.ts';
import { apiKeyToItem } from '../../../shared/stores/dynamodb-api-key-reader.ts';
import { createDynamoDbApiKeyStore } from '../../../shared/stores/dynamodb-api-key-store.ts';
import type { Item } from '../../../shared/stores/dynamodb-client.ts';
import { createDynamoDbPaidRowStore } from '../../../shared/stores/dynamodb-paid-row-store.ts';
import { keyRecord } from '../../support/access-control.ts';
import {
  createTestClient,
  dynamoDbVariants,
  itemsOf,
  reportSkipped,
  type TestDynamoDb,
} from '../../support/dynamodb.ts';
import { START } from '../../support/limiter.ts';

reportSkipped('the operator’s stores');

/** Five of these exceed a page of DynamoDB, which is 1 MB. */
const BULK = 'x'.repeat(300_000);

describe.each(dynamoDbVariants)('on %s', (_, open) => {
  let dynamo: TestDynamoDb;
  beforeEach(async () => {
    dynamo = await open();
  });
  afterEach(() => dynamo.close());

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
  });

  test('[admin 2] a session has an expiry that is not before its end', async () => {
    const session: Session = { operator: 'ada', credential: 'token of ada', createdAt: START, seenAt: START + 5 };
    await createDynamoDbSessionStore(dynamo.client, dynamo.tables.admin).open('hash', session, START + 1500);
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

  test('[admin 6] the audit store has entries as far back as they are kept, which is 400 days', async () => {
    const now = Date.parse('2027-02-03T00:00:00Z');
    const audit = createDynamoDbAuditStore(dynamo.client, dynamo.tables.admin, () => now);
    const facts = { operator: 'ada', action: 'sign_in', requestId: 'a request', network: '4:198.51.100.7' } as const;
    for (const days of [400, 399, 34, 33, 0]) await audit.append({ at: now - days * 86_400_000, ...facts });
    expect((await audit.latest(100)).map(({ at }) => (now - at) / 86_400_000)).toEqual([0, 33, 34, 399, 400]);
    expect(await itemsOf(dynamo, 'admin')).toContainEqual(
      expect.objectContaining({ pk: { S: 'audit#2027' }, x: { N: String(now / 1000 + 400 * 86_400) } }),
    );
  });

  test('[keys 21] the usage of a caller has windows beyond the first page', async () => {
    const pk = { S: 'search#k:k1' };
    for (let index = 0; index < 5; index += 1)
      await dynamo.client.send(
        new PutItemCommand({
          TableName: dynamo.tables.counters,
          Item: { pk, w: { N: String(START + index) }, n: { N: '1' }, later: { S: BULK } },
        }),
      );
    const usage = createDynamoDbUsageReader(dynamo.client, dynamo.tables.counters);
    expect(await usage.spentSince(pk.S, START)).toHaveLength(5);
    expect(await usage.latest(pk.S)).toEqual({ startsAt: START + 4, count: 1 });
  });
});

/** A client whose answer to each command is given, and which records the commands. */
const answering = (answer: (command: object) => object) => {
  const inputs: object[] = [];
  const client = createTestClient('http://127.0.0.1:1');
  client.send = async (command: { readonly input: object }) => {
    inputs.push(command.input);
    return answer(command);
  };
  onTestFinished(() => client.destroy());
  return { client, inputs };
};

test('[keys 7] [keys 21] [admin 2] [admin 6] every read has strong consistency, and asks for no more than is wanted', async () => {
  const { client, inputs } = answering(() => ({}));
  const keys = createDynamoDbApiKeyStore(client, 'keys');
  await Promise.all([keys.list(), keys.change('k1', { label: 'x' }), keys.delete('k1')]);
  await createDynamoDbSessionStore(client, 'admin').find('hash');
  const usage = createDynamoDbUsageReader(client, 'counters');
  await Promise.all([usage.spentSince('search#k:k1', START), usage.latest('search#k:k1')]);
  expect(inputs).toHaveLength(6);
  for (const input of inputs) expect(input).toMatchObject({ ConsistentRead: true });
  const one = answering(() => ({ Items: [{ at: { N: '1' } }] }));
  await createDynamoDbAuditStore(one.client, 'admin', () => START).latest(2);
  const query = { ConsistentRead: true, ScanIndexForward: false };
  expect(one.inputs).toMatchObject([
    { ...query, Limit: 2 },
    { ...query, Limit: 1 },
  ]);
});

test('a write of a key that fails rejects, and is no missing key', async () => {
  const { client } = answering((command) => {
    if (command instanceof ScanCommand) return { Items: [apiKeyToItem('hash', keyRecord())] };
    throw new Error('down');
  });
  const keys = createDynamoDbApiKeyStore(client, 'keys');
  await expect(keys.change('k1', { label: 'x' })).rejects.toThrow('down');
  await expect(keys.delete('k1')).rejects.toThrow('down');
});

describe('an item that lacks an attribute, such as that of another release', () => {
  const reading = (item: Item | undefined) =>
    answering(() => (item === undefined ? {} : { Item: item, Items: [item], Attributes: item })).client;

  const without = (item: Item, name: string): Item =>
    Object.fromEntries(Object.entries(item).filter(([other]) => other !== name));

  test('is no session', async () => {
    const item: Item = { operator: { S: 'ada' }, credential: { S: 'c1' }, created: { N: '1' }, seen: { N: '2' } };
    const find = (found?: Item) => createDynamoDbSessionStore(reading(found), 'admin').find('hash');
    expect(await find(item)).toEqual({ operator: 'ada', credential: 'c1', createdAt: 1, seenAt: 2 });
    for (const name of Object.keys(item)) expect(await find(without(item, name)), name).toBeUndefined();
    expect(await find()).toBeUndefined();
  });

  test('is an audit entry without its facts or its time', async () => {
    const item: Item = { at: { N: '7' }, entry: { S: '{"action":"sign_in"}' } };
    const latest = (found?: Item) => createDynamoDbAuditStore(reading(found), 'admin', () => START).latest(1);
    expect(await latest(item)).toEqual([{ action: 'sign_in', at: 7 }]);
    expect(await latest(without(item, 'entry'))).toEqual([{ at: 7 }]);
    expect(await latest(without(item, 'at'))).toEqual([{ action: 'sign_in', at: 0 }]);
  });

  test('is the usage of a window without its units, its start or its day', async () => {
    const item: Item = { w: { N: '60000' }, n: { N: '3' }, d: { S: '2026-11-21' } };
    const latest = (found?: Item) => createDynamoDbUsageReader(reading(found), 'counters').latest('search#k:k1');
    expect(await latest(without(item, 'w'))).toEqual({ startsAt: 0, count: 3, usedOn: '2026-11-21' });
    expect(await latest(without(item, 'n'))).toEqual({ startsAt: 60_000, count: 0, usedOn: '2026-11-21' });
    expect(await latest(without(item, 'd'))).toEqual({ startsAt: 60_000, count: 3 });
    expect(await latest()).toBeUndefined();
  });

  test('is a refusal with the billed rows of the day, or none', async () => {
    const refuse = (found?: Item) => createDynamoDbPaidRowStore(reading(found), 'counters').reserve(0, 2, 0, 1);
    expect(await refuse({ s: { N: '7' } })).toEqual({ billed: 7 });
    expect(await refuse({ n: { N: '7' } })).toEqual({ billed: 0 });
    expect(await refuse()).toEqual({ billed: 0 });
  });
});
