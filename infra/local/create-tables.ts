// Creates the tables of the contract and deletes expired items, which the embedded DynamoDB does not do by itself.
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteItemCommand,
  type DynamoDBClient,
  paginateScan,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { type TableName, tableNames, tableRow } from '../../shared/contract/tables.ts';

const MAX_WAIT_SECONDS = 10;

const definition = (name: TableName, TableName: string): CreateTableCommandInput => {
  const { partitionKey, sortKey } = tableRow(name);
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
    ],
    AttributeDefinitions: [
      { AttributeName: partitionKey, AttributeType: 'S' },
      ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, AttributeType: 'N' as const }]),
    ],
  };
};

/** Creates the tables that do not exist yet. */
export const createTables = async (
  client: DynamoDBClient,
  names: Readonly<Record<TableName, string>>,
): Promise<void> => {
  for (const name of tableNames) {
    try {
      await client.send(new CreateTableCommand(definition(name, names[name])));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 0.1 }, { TableName: names[name] });
  }
};

/** @param now in milliseconds */
export const deleteExpiredItems = async (
  client: DynamoDBClient,
  now: number,
  names: Readonly<Record<TableName, string>>,
): Promise<void> => {
  for (const name of tableNames) {
    const { partitionKey, sortKey, ttlAttribute } = tableRow(name);
    if (ttlAttribute === undefined) continue;
    const expired = paginateScan(
      { client },
      {
        TableName: names[name],
        FilterExpression: '#x < :now',
        ExpressionAttributeNames: { '#x': ttlAttribute },
        ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
      },
    );
    for await (const { Items = [] } of expired) {
      for (const item of Items) {
        const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
        const Key = Object.fromEntries(Object.entries(item).filter(([attribute]) => keys.includes(attribute)));
        await client.send(new DeleteItemCommand({ TableName: names[name], Key }));
      }
    }
  }
};
