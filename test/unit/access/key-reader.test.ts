// Reading keys, of every DynamoDB there is.
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Item, text } from '../../../shared/access/dynamo-client.ts';
import { createDynamoKeys } from '../../../shared/access/dynamo-keys.ts';
import { hashOf } from '../../../shared/access/key.ts';
import { keyFromItem, keyToItem } from '../../../shared/access/key-item.ts';
import { parseAllowance } from '../../../shared/contract/allowances.ts';
import type { KeyReader, KeyRecord, KeyState } from '../../../shared/ports.ts';
import { keyRecord, newKey } from '../../support/access.ts';
import { clientOf, type Dynamo, dynamos, itemsOf, putKey, saySkipped } from '../../support/dynamo.ts';
import { startProxy } from '../../support/store-proxy.ts';

saySkipped('reading keys');

describe.each(dynamos)('keys in %s', (_, open) => {
  let dynamo: Dynamo;
  let keys: KeyReader;
  beforeAll(async () => {
    dynamo = await open();
    keys = createDynamoKeys(dynamo.client, dynamo.tables.keys);
  });
  afterAll(() => dynamo.close());

  const setState = (hash: string, state: KeyState) =>
    dynamo.client.send(
      new UpdateItemCommand({
        TableName: dynamo.tables.keys,
        Key: { pk: text(hash) },
        UpdateExpression: 'SET #s = :s',
        ExpressionAttributeNames: { '#s': 'state' },
        ExpressionAttributeValues: { ':s': text(state) },
      }),
    );

  test('[36] a key is found by its hash, with what it may', async () => {
    const [hash, search] = [hashOf(newKey()), parseAllowance('600/60,20/1')];
    await putKey(dynamo, hash, keyRecord({ id: 'k7', ...(search && { search }) }));
    expect(await keys.read(hash)).toEqual(keyRecord({ id: 'k7', ...(search && { search }) }));
  });

  test('[37] a key that was never made is none', async () => {
    expect(await keys.read(hashOf(newKey()))).toBeUndefined();
  });

  test('[41] [K2] what the operator did last is what is read: disabled, enabled, deleted', async () => {
    const hash = hashOf(newKey());
    await putKey(dynamo, hash, keyRecord());
    for (const state of ['disabled', 'enabled', 'disabled'] as const) {
      await setState(hash, state);
      expect(await keys.read(hash)).toMatchObject({ state });
    }
    await dynamo.client.send(new DeleteItemCommand({ TableName: dynamo.tables.keys, Key: { pk: text(hash) } }));
    expect(await keys.read(hash)).toBeUndefined();
  });

  test('[41] each is read with strong consistency, by one call that names the hash alone', async () => {
    const proxy = await startProxy(dynamo.endpoint);
    const client = clientOf(proxy.endpoint);
    const hash = hashOf(newKey());
    await createDynamoKeys(client, dynamo.tables.keys).read(hash);
    expect(proxy.operations).toEqual(['GetItem']);
    expect(proxy.bodies.map((body) => JSON.parse(body))).toEqual([
      { TableName: dynamo.tables.keys, Key: { pk: { S: hash } }, ConsistentRead: true },
    ]);
    client.destroy();
    await proxy.close();
  });

  test('[46] at rest there is a hash, and no key', async () => {
    const key = newKey();
    await putKey(dynamo, hashOf(key), keyRecord());
    const rows = JSON.stringify(await itemsOf(dynamo, 'keys'));
    expect(rows).toContain(hashOf(key));
    expect(rows).not.toContain(key.slice('pstn_'.length, -6));
  });

  test('[40] what is no key is a fault, not an unknown one', async () => {
    const hash = hashOf(newKey());
    await dynamo.client.send(
      new PutItemCommand({ TableName: dynamo.tables.keys, Item: { pk: text(hash), id: text('k1') } }),
    );
    await expect(keys.read(hash)).rejects.toThrow('not a key');
  });

  test('a table that is not there, and a caller who has no time, are faults', async () => {
    await expect(createDynamoKeys(dynamo.client, 'no-such-table').read('0')).rejects.toThrow();
    await expect(keys.read(hashOf(newKey()), AbortSignal.abort())).rejects.toThrow();
  });
});

describe('an item of the keys table', () => {
  const limits = fc.constantFrom('1/1', '60/60', '9999999/86400', '600/60,20/1');
  const records: fc.Arbitrary<KeyRecord> = fc
    .record({
      id: fc.string({ minLength: 1 }),
      label: fc.string({ unit: 'binary' }),
      state: fc.constantFrom<KeyState>('enabled', 'disabled'),
      createdAt: fc.constant('2026-11-21T12:00:00Z'),
      limit: fc.option(limits, { nil: undefined }),
    })
    .map(({ limit, ...record }) => {
      const search = limit === undefined ? undefined : parseAllowance(limit);
      return { ...record, ...(search && { search }) };
    });

  test('says all that is known of a key', () => {
    fc.assert(
      fc.property(records, (record) => {
        const item = keyToItem('a hash', record);
        expect(item['pk']).toEqual({ S: 'a hash' });
        expect(keyFromItem(item)).toEqual(record);
      }),
    );
  });

  const item = keyToItem('a hash', keyRecord({ search: { count: 7, seconds: 60 } }));
  const without = (...names: readonly string[]): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

  test.each([
    ['without an id', without('id')],
    ['without a state', without('state')],
    ['of a state that nobody knows', { ...item, state: text('paused') }],
    ['whose id is a number', { ...item, id: { N: '1' } }],
  ])('%s is none', (_, broken) => {
    expect(() => keyFromItem(broken)).toThrow('not a key');
  });

  test('has the default allowance where it says none, or none that can be read', () => {
    expect(keyFromItem(without('search'))).not.toHaveProperty('search');
    expect(keyFromItem({ ...item, search: text('much') })).not.toHaveProperty('search');
    expect(keyFromItem(item)).toMatchObject({ search: { count: 7, seconds: 60 } });
  });

  test('without a label or a date is one all the same', () => {
    expect(keyFromItem(without('label', 'created_at'))).toMatchObject({ id: 'k1', label: '', createdAt: '' });
  });
});
