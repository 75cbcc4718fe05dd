// THE tables (DynamoDB): what their items are found by, and what becomes of them. The stack and the local service make
// them from here; what else an item holds is said by the file of shared/access that writes it.

export interface Table {
  /** Name of the environment variable that says the table's name. */
  readonly variable: string;
  readonly partitionKey: string;
  /** Numbers, in ascending order. */
  readonly sortKey?: string;
  /** Attribute with the epoch second after which an item may go. */
  readonly expiry?: string;
  /** Lost with the stack, or kept and restorable to any second. */
  readonly isPrecious: boolean;
}

export const tables = {
  keys: { variable: 'KEYS_TABLE', partitionKey: 'pk', isPrecious: true },
  counters: { variable: 'COUNTERS_TABLE', partitionKey: 'pk', sortKey: 'w', expiry: 'x', isPrecious: false },
  admin: { variable: 'ADMIN_TABLE', partitionKey: 'pk', sortKey: 'at', expiry: 'x', isPrecious: true },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as TableName[]; // exactly the keys of a constant table

export const tableRow = (name: TableName): Table => tables[name];

/** Of the partition keys of sessions: what of the admin table may be changed and deleted. The rest is only added to. */
export const SESSION_PREFIX = 'session#';
