// DynamoDB for tests: the embedded one with the tables of the contract, and the vendor's where the environment names it.
import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { listen, stop } from '../../infra/local/listen.ts';
import { createTables } from '../../infra/local/tables.ts';
import { createDynamoClient, type Item } from '../../shared/access/dynamo-client.ts';
import { keyToItem } from '../../shared/access/key-item.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import type { KeyRecord } from '../../shared/ports.ts';

export interface Dynamo {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly tables: Readonly<Record<TableName, string>>;
  close(): Promise<void>;
}

export const clientOptions = (endpoint: string) => ({
  region: 'eu-central-1',
  endpoint,
  credentials: { accessKeyId: 'tests', secretAccessKey: 'tests' },
});

/** On a busy machine hundreds of commands at once wait long for their sockets. */
export const clientOf = (endpoint: string): DynamoDBClient =>
  createDynamoClient({ ...clientOptions(endpoint), connectionMilliseconds: 20_000 });

/** Tables of names that nobody else has. */
const withTables = async (endpoint: string, end: () => Promise<void>): Promise<Dynamo> => {
  const client = clientOf(endpoint);
  const run = randomUUID();
  const tables = { keys: `keys-${run}`, counters: `counters-${run}`, admin: `admin-${run}` };
  await createTables(client, tables);
  const close = async (): Promise<void> => {
    client.destroy();
    await end();
  };
  return { endpoint, client, tables, close };
};

export const startDynalite = async (): Promise<Dynamo> => {
  const server = dynalite({ createTableMs: 0 });
  return withTables(await listen(server, '127.0.0.1', 0), () => stop(server));
};

const { DYNAMODB_LOCAL_ENDPOINT } = process.env;

/** The stores that every test of a store runs on: the vendor's own as well, where the environment says where it is. */
export const dynamos: readonly (readonly [name: string, open: () => Promise<Dynamo>])[] = [
  ['the embedded DynamoDB', startDynalite],
  ...(DYNAMODB_LOCAL_ENDPOINT
    ? [['DynamoDB Local', () => withTables(DYNAMODB_LOCAL_ENDPOINT, async () => undefined)] as const]
    : []),
];

/** For the log of a run: what it did not try. @param suite what would have run */
export const saySkipped = (suite: string): void => {
  if (!DYNAMODB_LOCAL_ENDPOINT) console.log(`skipped: ${suite} on DynamoDB Local (DYNAMODB_LOCAL_ENDPOINT is not set)`);
};

export const putKey = async ({ client, tables }: Dynamo, hash: string, record: KeyRecord): Promise<void> => {
  await client.send(new PutItemCommand({ TableName: tables.keys, Item: keyToItem(hash, record) }));
};

export const itemsOf = async ({ client, tables }: Dynamo, table: TableName): Promise<readonly Item[]> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables[table], ConsistentRead: true }));
  return Items;
};
