// Reads API keys by hash from the keys table, strongly consistent. Writes: dynamodb-api-key-store.ts.
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { formatAllowance, parseAllowance } from '../contract/allowances.ts';
import { tables } from '../contract/tables.ts';
import type { ApiKeyReader, ApiKeyRecord } from '../ports/stores.ts';
import { type Item, readString, stringAttribute } from './dynamodb-client.ts';

// An API key record as an item of the keys table.
//
//   pk          SHA-256 of the key in lower-case hexadecimal; a lookup needs no index and no comparison
//   id          the operator's name for the key, not secret
//   label       free text of the operator
//   state       enabled | disabled
//   search      COUNT/SECONDS; absent if the default allowance applies
//   created_at  RFC 3339
//
// Only the operator's programs write items. A change writes only the attributes that change.

/** @throws TypeError if the item is malformed; callers treat that as a store failure, not as an unknown key */
export const apiKeyFromItem = (item: Item): ApiKeyRecord => {
  const id = readString(item, 'id');
  const state = readString(item, 'state');
  const search = readString(item, 'search');
  const allowance = search === undefined ? undefined : parseAllowance(search);
  if (id === undefined || (state !== 'enabled' && state !== 'disabled')) throw new TypeError('not a key');
  return {
    id,
    label: readString(item, 'label') ?? '',
    state,
    ...(allowance && { search: allowance }),
    createdAt: readString(item, 'created_at') ?? '',
  };
};

export const apiKeyToItem = (hash: string, { id, label, state, search, createdAt }: ApiKeyRecord): Item => ({
  [tables.keys.partitionKey]: stringAttribute(hash),
  id: stringAttribute(id),
  label: stringAttribute(label),
  state: stringAttribute(state),
  ...(search && { search: stringAttribute(formatAllowance(search)) }),
  created_at: stringAttribute(createdAt),
});

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
