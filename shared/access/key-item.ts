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
import { allowanceText, parseAllowance } from '../contract/allowances.ts';
import { tables } from '../contract/tables.ts';
import type { KeyRecord } from '../ports.ts';
import { type Item, text, textOf } from './dynamo-client.ts';

/** @throws where the item is not a key: an outage then, not an unknown key */
export const keyFromItem = (item: Item): KeyRecord => {
  const id = textOf(item, 'id');
  const state = textOf(item, 'state');
  const search = textOf(item, 'search');
  const allowance = search === undefined ? undefined : parseAllowance(search);
  if (id === undefined || (state !== 'enabled' && state !== 'disabled')) throw new TypeError('not a key');
  return {
    id,
    label: textOf(item, 'label') ?? '',
    state,
    ...(allowance && { search: allowance }),
    createdAt: textOf(item, 'created_at') ?? '',
  };
};

export const keyToItem = (hash: string, { id, label, state, search, createdAt }: KeyRecord): Item => ({
  [tables.keys.partitionKey]: text(hash),
  id: text(id),
  label: text(label),
  state: text(state),
  ...(search && { search: text(allowanceText(search)) }),
  created_at: text(createdAt),
});
