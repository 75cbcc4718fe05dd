// That a change of the operator is read at once is proven with DynamoDB in rate-limit/multi-process.test.ts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllowance } from '../../../shared/contract/allowances.ts';
import type { ApiKeyRecord, ApiKeyState } from '../../../shared/ports/stores.ts';
import {
  apiKeyFromItem,
  apiKeyToItem,
  createDynamoDbApiKeyReader,
} from '../../../shared/stores/dynamodb-api-key-reader.ts';
import { type Item, stringAttribute } from '../../../shared/stores/dynamodb-client.ts';
import { keyRecord } from '../../support/access-control.ts';
import { createTestClient } from '../../support/dynamodb.ts';

test('[keys 7] reads with strong consistency, in one call that sends only the hash', async () => {
  const inputs: object[] = [];
  const options: unknown[] = [];
  const client = createTestClient('http://127.0.0.1:1');
  client.send = async (command: { readonly input: object }, given?: unknown) => {
    inputs.push(command.input);
    options.push(given);
    return {};
  };
  const { read } = createDynamoDbApiKeyReader(client, 'keys');
  const { signal } = new AbortController();
  expect([await read('a hash'), await read('a hash', signal)]).toEqual([undefined, undefined]);
  const input = { TableName: 'keys', Key: { pk: { S: 'a hash' } }, ConsistentRead: true };
  expect([inputs, options]).toEqual([
    [input, input],
    [{}, { abortSignal: signal }],
  ]);
  client.destroy();
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
  ])('[keys 6] throws for an item %s', (_, broken) => {
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
