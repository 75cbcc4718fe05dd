// Lists the DynamoDB tables with their keys and their retention. The stack and the local service create the tables from
// this list. The files of shared/stores define the other attributes.
import { keysOf } from '../model/json.ts';

export interface TableRow {
  readonly variable: string;
  readonly partitionKey: string;
  /** The sort key is a number. */
  readonly sortKey?: string;
  /** Attribute with the Unix second after which DynamoDB can delete the item. */
  readonly ttlAttribute?: string;
  /** The table outlives the stack and has point-in-time recovery. */
  readonly isRetained: boolean;
}

export const tables = {
  keys: { variable: 'KEYS_TABLE', partitionKey: 'pk', isRetained: true },
  counters: { variable: 'COUNTERS_TABLE', partitionKey: 'pk', sortKey: 'w', ttlAttribute: 'x', isRetained: false },
  admin: { variable: 'ADMIN_TABLE', partitionKey: 'pk', sortKey: 'at', ttlAttribute: 'x', isRetained: true },
} as const satisfies Readonly<Record<string, TableRow>>;

/** Counters outlive their window by this time for the usage figures of the admin page. */
export const COUNTER_KEPT_SECONDS = 86_400;
/** For this time, the first use of a key on a day is kept. */
export const KEY_USE_KEPT_SECONDS = 400 * 86_400;

export type TableName = keyof typeof tables;

export const tableNames: readonly TableName[] = keysOf(tables);

export const tableRow = (name: TableName): TableRow => tables[name];

/** The prefix of the partition keys of sessions. Only sessions can be changed and deleted in the admin table. */
export const SESSION_PREFIX = 'session#';
