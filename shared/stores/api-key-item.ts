// A key in the keys table.
//
//   pk          SHA-256 of the key, lower-case hexadecimal: found without an index, and nothing to compare afterwards
//   id          by which the operator names it
//   label       what the operator calls it
//   state       enabled | disabled
//   search      COUNT/SECONDS; absent where the default holds
//   created_at  RFC 3339
//
// Only the operator's function writes here, one attribute at a time: an item is never written back as a whole.
import { formatAllowance, parseAllowance } from '../contract/allowances.ts';
import { tables } from '../contract/tables.ts';
import type { ApiKeyRecord } from '../ports/key-stores.ts';
import { type Item, readString, stringAttribute } from './dynamodb-client.ts';

/** @throws where the item is not a key: an outage then, not an unknown key */
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
