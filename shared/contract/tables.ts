// THE tables (DynamoDB): what their items are found by, and what becomes of them. The stack and the local service make
// them from here; what else an item holds is said by the file of shared/stores that writes it.

import { keysOf } from '../model/table-keys.ts';

export interface TableRow {
  /** Name of the environment variable that says the table's name. */
  readonly variable: string;
  readonly partitionKey: string;
  /** Numbers, in ascending order. */
  readonly sortKey?: string;
  /** Attribute with the epoch second after which an item may go. */
  readonly ttlAttribute?: string;
  /** Lost with the stack, or kept and restorable to any second. */
  readonly isRetained: boolean;
}

export const tables = {
  keys: { variable: 'KEYS_TABLE', partitionKey: 'pk', isRetained: true },
  counters: { variable: 'COUNTERS_TABLE', partitionKey: 'pk', sortKey: 'w', ttlAttribute: 'x', isRetained: false },
  admin: { variable: 'ADMIN_TABLE', partitionKey: 'pk', sortKey: 'at', ttlAttribute: 'x', isRetained: true },
} as const satisfies Readonly<Record<string, TableRow>>;

export type TableName = keyof typeof tables;

export const tableNames: readonly TableName[] = keysOf(tables);

export const tableRow = (name: TableName): TableRow => tables[name];

/** Of the partition keys of sessions: what of the admin table may be changed and deleted. The rest is only added to. */
export const SESSION_PREFIX = 'session#';
