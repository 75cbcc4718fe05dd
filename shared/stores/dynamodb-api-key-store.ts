// Lists, creates, changes and deletes API keys for the operator. Lookup by hash: dynamodb-api-key-reader.ts.
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { formatAllowance } from '../contract/allowances.ts';
import { tables } from '../contract/tables.ts';
import type { ApiKeyChange, ApiKeyStore } from '../ports/stores.ts';
import { apiKeyFromItem, apiKeyToItem } from './dynamodb-api-key-reader.ts';
import { type Item, readString, stringAttribute, unlessConditionFailed } from './dynamodb-client.ts';

const { partitionKey } = tables.keys;
const EXISTS = `attribute_exists(${partitionKey})`;

/** Changed attributes by name; null removes the attribute. */
const attributesOf = ({ label, search, state }: ApiKeyChange): Readonly<Record<string, string | null>> => ({
  ...(label !== undefined && { label }),
  ...(state !== undefined && { state }),
  ...(search !== undefined && { search: search && formatAllowance(search) }),
});

const updateOf = (change: ApiKeyChange) => {
  const attributes = Object.entries(attributesOf(change));
  const set = attributes.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const removed = attributes.filter(([, value]) => value === null);
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])),
    ...(set.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, stringAttribute(value)])),
    }),
  };
};

export const createDynamoDbApiKeyStore = (client: DynamoDBClient, table: string): ApiKeyStore => {
  const scan = async (): Promise<readonly Item[]> => {
    const items: Item[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
      items.push(...Items);
    }
    return items;
  };

  /** Scans the table, because DynamoDB reads no global secondary index consistently. */
  const hashOfId = async (id: string): Promise<string | undefined> =>
    readString(
      (await scan()).find((item) => readString(item, 'id') === id),
      partitionKey,
    );

  return {
    async list() {
      const keys = (await scan()).map(apiKeyFromItem);
      return keys.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
    },

    async create(hash, key) {
      const ConditionExpression = `attribute_not_exists(${partitionKey})`;
      await client.send(new PutItemCommand({ TableName: table, Item: apiKeyToItem(hash, key), ConditionExpression }));
    },

    async change(id, change) {
      const hash = await hashOfId(id);
      if (hash === undefined) return undefined;
      const command = new UpdateItemCommand({
        TableName: table,
        Key: { [partitionKey]: stringAttribute(hash) },
        ...updateOf(change),
        ConditionExpression: EXISTS,
        ReturnValues: 'ALL_NEW',
      });
      // The condition fails if the key was deleted meanwhile; it must not reappear.
      const changed = await unlessConditionFailed(client.send(command));
      return changed?.Attributes && apiKeyFromItem(changed.Attributes);
    },

    async delete(id) {
      const hash = await hashOfId(id);
      if (hash === undefined) return false;
      await client.send(new DeleteItemCommand({ TableName: table, Key: { [partitionKey]: stringAttribute(hash) } }));
      return true;
    },
  };
};
