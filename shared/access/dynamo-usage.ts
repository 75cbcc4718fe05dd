// What was counted, for the operator's figures. Item shape: dynamo-counters.ts.
import { type DynamoDBClient, paginateQuery, QueryCommand } from '@aws-sdk/client-dynamodb';
import { tables } from '../contract/tables.ts';
import { type Item, number, numberOf, text, textOf } from './dynamo-client.ts';
import type { Spent, UsageReader } from './operator-stores.ts';

const { partitionKey, sortKey } = tables.counters;

const spentOf = (item: Item): Spent => {
  const usedOn = textOf(item, 'd');
  return {
    startsAt: numberOf(item, sortKey) ?? 0,
    count: numberOf(item, 'n') ?? 0,
    ...(usedOn !== undefined && { usedOn }),
  };
};

export const createDynamoUsage = (client: DynamoDBClient, table: string): UsageReader => ({
  async spentSince(partition, since) {
    const spent: Spent[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} >= :since`,
        ExpressionAttributeValues: { ':pk': text(partition), ':since': number(since) },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) spent.push(...Items.map(spentOf));
    return spent;
  },

  async latest(partition) {
    const { Items: [item] = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `${partitionKey} = :pk`,
        ExpressionAttributeValues: { ':pk': text(partition) },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 1,
      }),
    );
    return item && spentOf(item);
  },
});
