// Reads counters for the usage figures of the admin page. Item shape: dynamodb-counter-store.ts.
import { type DynamoDBClient, paginateQuery, QueryCommand } from '@aws-sdk/client-dynamodb';
import { tables } from '../contract/tables.ts';
import type { UsageReader, WindowUsage } from '../ports/counter-stores.ts';
import { type Item, numberAttribute, readNumber, readString, stringAttribute } from './dynamodb-client.ts';

const { partitionKey, sortKey } = tables.counters;

const usageOf = (item: Item): WindowUsage => {
  const usedOn = readString(item, 'd');
  return {
    startsAt: readNumber(item, sortKey) ?? 0,
    count: readNumber(item, 'n') ?? 0,
    ...(usedOn !== undefined && { usedOn }),
  };
};

export const createDynamoDbUsageReader = (client: DynamoDBClient, table: string): UsageReader => ({
  async spentSince(partition, since) {
    const windows: WindowUsage[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} >= :since`,
        ExpressionAttributeValues: { ':pk': stringAttribute(partition), ':since': numberAttribute(since) },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) windows.push(...Items.map(usageOf));
    return windows;
  },

  async latest(partition) {
    const { Items: [item] = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `${partitionKey} = :pk`,
        ExpressionAttributeValues: { ':pk': stringAttribute(partition) },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 1,
      }),
    );
    return item && usageOf(item);
  },
});
