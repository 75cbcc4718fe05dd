// Tests how items are read that lack an attribute, such as those of another release. Other tests use a real table.
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import {
  createDynamoDbAuditStore,
  createDynamoDbSessionStore,
  createDynamoDbUsageReader,
} from '../../../shared/stores/dynamodb-admin-stores.ts';
import { createDynamoDbPaidRowStore } from '../../../shared/stores/dynamodb-paid-row-store.ts';
import { createTestClient } from '../../support/dynamodb.ts';
import { START } from '../../support/limiter.ts';

type Item = Record<string, AttributeValue>;

const client = createTestClient('http://127.0.0.1:1');
afterAll(() => client.destroy());

const answering = (item: Item | undefined): typeof client => {
  client.send = async () => (item === undefined ? {} : { Item: item, Items: [item], Attributes: item });
  return client;
};

const without = (item: Item, name: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([other]) => other !== name));

const SESSION: Item = {
  operator: { S: 'ada' },
  credential: { S: 'c1' },
  created: { N: '1' },
  seen: { N: '2' },
};

test('a session has four attributes', async () => {
  const find = (item?: Item) => createDynamoDbSessionStore(answering(item), 'admin').find('hash');
  expect(await find(SESSION)).toEqual({ operator: 'ada', credential: 'c1', createdAt: 1, seenAt: 2 });
  for (const name of Object.keys(SESSION)) expect(await find(without(SESSION, name)), name).toBeUndefined();
  expect(await find()).toBeUndefined();
});

test('an audit entry is read without its facts and without its time', async () => {
  const item: Item = { at: { N: '7' }, entry: { S: '{"action":"sign_in"}' } };
  const latest = (found?: Item) => createDynamoDbAuditStore(answering(found), 'admin', () => START).latest(1);
  expect(await latest(item)).toEqual([{ action: 'sign_in', at: 7 }]);
  expect(await latest(without(item, 'entry'))).toEqual([{ at: 7 }]);
  expect(await latest(without(item, 'at'))).toEqual([{ action: 'sign_in', at: 0 }]);
  expect(await latest()).toEqual([]);
});

test('the usage of a window is read without its units, its start and its day', async () => {
  const item: Item = { w: { N: '60000' }, n: { N: '3' }, d: { S: '2026-11-21' } };
  const latest = (found?: Item) => createDynamoDbUsageReader(answering(found), 'counters').latest('search#k:k1');
  expect(await latest(item)).toEqual({ startsAt: 60_000, count: 3, usedOn: '2026-11-21' });
  expect(await latest(without(item, 'w'))).toEqual({ startsAt: 0, count: 3, usedOn: '2026-11-21' });
  expect(await latest(without(item, 'n'))).toEqual({ startsAt: 60_000, count: 0, usedOn: '2026-11-21' });
  expect(await latest(without(item, 'd'))).toEqual({ startsAt: 60_000, count: 3 });
  expect(await latest()).toBeUndefined();
});

test('a refusal of more rows than the ceiling has the billed rows of the day, or none', async () => {
  const refuse = (found?: Item) => createDynamoDbPaidRowStore(answering(found), 'counters').reserve(0, 2, 0, 1);
  expect(await refuse({ s: { N: '7' } })).toEqual({ billed: 7 });
  expect(await refuse({ n: { N: '7' } })).toEqual({ billed: 0 });
  expect(await refuse()).toEqual({ billed: 0 });
});
