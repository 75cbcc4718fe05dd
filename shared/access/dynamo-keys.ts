// Reads keys from the keys table.
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { tables } from '../contract/tables.ts';
import type { KeyReader } from '../ports.ts';
import { text } from './dynamo-client.ts';
import { keyFromItem } from './key-item.ts';

export const createDynamoKeys = (client: DynamoDBClient, table: string): KeyReader => ({
  async read(hash, abortSignal) {
    const command = new GetItemCommand({
      TableName: table,
      Key: { [tables.keys.partitionKey]: text(hash) },
      ConsistentRead: true,
    });
    const { Item } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return Item && keyFromItem(Item);
  },
});
