// Reads API keys by hash from the keys table, strongly consistent. Writes: dynamodb-api-key-store.ts.
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { tables } from '../contract/tables.ts';
import type { ApiKeyReader } from '../ports/key-stores.ts';
import { apiKeyFromItem } from './api-key-item.ts';
import { stringAttribute } from './dynamodb-client.ts';

export const createDynamoDbApiKeyReader = (client: DynamoDBClient, table: string): ApiKeyReader => ({
  async read(hash, abortSignal) {
    const command = new GetItemCommand({
      TableName: table,
      Key: { [tables.keys.partitionKey]: stringAttribute(hash) },
      ConsistentRead: true,
    });
    const { Item } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return Item && apiKeyFromItem(Item);
  },
});
