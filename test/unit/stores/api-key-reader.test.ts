// Tests the API key reader on every available DynamoDB.
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { parseAllowance } from '../../../shared/contract/allowances.ts';
import type { ApiKeyReader, ApiKeyRecord, ApiKeyState } from '../../../shared/ports/stores.ts';
import {
  apiKeyFromItem,
  apiKeyToItem,
  createDynamoDbApiKeyReader,
} from '../../../shared/stores/dynamodb-api-key-reader.ts';
import { type Item, stringAttribute } from '../../../shared/stores/dynamodb-client.ts';
import { keyRecord, newApiKey } from '../../support/access-control.ts';
import {
  createTestClient,
  dynamoDbVariants,
  putKey,
  reportSkipped,
  type TestDynamoDb,
} from '../../support/dynamodb.ts';
import { startProxy } from '../../support/store-proxy.ts';

reportSkipped('reading keys');

describe.each(dynamoDbVariants)('the API key reader on %s', (_, open) => {
  let dynamo: TestDynamoDb;
  let keys: ApiKeyReader;
  beforeAll(async () => {
    dynamo = await open();
    keys = createDynamoDbApiKeyReader(dynamo.client, dynamo.tables.keys);
  });
  afterAll(() => dynamo.close());

  const setState = (hash: string, state: ApiKeyState) =>
    dynamo.client.send(
      new UpdateItemCommand({
        TableName: dynamo.tables.keys,
        Key: { pk: stringAttribute(hash) },
        UpdateExpression: 'SET #s = :s',
        ExpressionAttributeNames: { '#s': 'state' },
        ExpressionAttributeValues: { ':s': stringAttribute(state) },
      }),
    );

  test('[keys 7] [keys 17] returns the last change by the operator: disabled, enabled, deleted', async () => {
    const hash = sha256Hex(newApiKey());
    await putKey(dynamo, hash, keyRecord());
    for (const state of ['disabled', 'enabled', 'disabled'] as const) {
      await setState(hash, state);
      expect(await keys.read(hash)).toMatchObject({ state });
    }
    await dynamo.client.send(
      new DeleteItemCommand({ TableName: dynamo.tables.keys, Key: { pk: stringAttribute(hash) } }),
    );
    expect(await keys.read(hash)).toBeUndefined();
  });

  test('[keys 7] reads with strong consistency, in one call that sends only the hash', async () => {
    const proxy = await startProxy(dynamo.endpoint);
    const client = createTestClient(proxy.endpoint);
    const hash = sha256Hex(newApiKey());
    await createDynamoDbApiKeyReader(client, dynamo.tables.keys).read(hash);
    expect(proxy.operations).toEqual(['GetItem']);
    expect(proxy.bodies.map((body) => JSON.parse(body))).toEqual([
      { TableName: dynamo.tables.keys, Key: { pk: { S: hash } }, ConsistentRead: true },
    ]);
    client.destroy();
    await proxy.close();
  });

  test('[keys 6] rejects if the item is not a key', async () => {
    const hash = sha256Hex(newApiKey());
    await dynamo.client.send(
      new PutItemCommand({
        TableName: dynamo.tables.keys,
        Item: { pk: stringAttribute(hash), id: stringAttribute('k1') },
      }),
    );
    await expect(keys.read(hash)).rejects.toThrow('not a key');
  });
});

describe('apiKeyFromItem', () => {
  const limits = fc.constantFrom('1/1', '60/60', '9999999/86400', '600/60,20/1');
  const records: fc.Arbitrary<ApiKeyRecord> = fc
    .record({
      id: fc.string({ minLength: 1 }),
      label: fc.string({ unit: 'binary' }),
      state: fc.constantFrom<ApiKeyState>('enabled', 'disabled'),
      createdAt: fc.constant('2026-11-21T12:00:00Z'),
      limit: fc.option(limits, { nil: undefined }),
    })
    .map(({ limit, ...record }) => {
      const search = limit === undefined ? undefined : parseAllowance(limit);
      return { ...record, ...(search && { search }) };
    });

  test('returns every stored fact of a key', () => {
    fc.assert(
      fc.property(records, (record) => {
        const item = apiKeyToItem('a hash', record);
        expect(item['pk']).toEqual({ S: 'a hash' });
        expect(apiKeyFromItem(item)).toEqual(record);
      }),
    );
  });

  const item = apiKeyToItem('a hash', keyRecord({ search: { count: 7, seconds: 60 } }));
  const without = (...names: readonly string[]): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

  test.each([
    ['without an id', without('id')],
    ['without a state', without('state')],
    ['with an unknown state', { ...item, state: stringAttribute('paused') }],
    ['whose id is a number', { ...item, id: { N: '1' } }],
  ])('throws for an item %s', (_, broken) => {
    expect(() => apiKeyFromItem(broken)).toThrow('not a key');
  });

  test('returns the default allowance if the item has none or a malformed one', () => {
    expect(apiKeyFromItem(without('search'))).not.toHaveProperty('search');
    expect(apiKeyFromItem({ ...item, search: stringAttribute('much') })).not.toHaveProperty('search');
    expect(apiKeyFromItem(item)).toMatchObject({ search: { count: 7, seconds: 60 } });
  });

  test('accepts an item without a label or a date', () => {
    expect(apiKeyFromItem(without('label', 'created_at'))).toMatchObject({ id: 'k1', label: '', createdAt: '' });
  });
});
