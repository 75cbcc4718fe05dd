// Starts DynamoDB for tests: the embedded one with the tables of the contract, or the vendor's if the environment names it.
import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { createTables } from '../../infra/local/dynamodb.ts';
import { listen, stop } from '../../infra/local/listen.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import type { ApiKeyRecord } from '../../shared/ports/stores.ts';
import { apiKeyToItem } from '../../shared/stores/dynamodb-api-key-reader.ts';
import { createDynamoDbClient, type DynamoDbOptions, type Item } from '../../shared/stores/dynamodb-client.ts';

export interface TestDynamoDb {
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

/** On a busy machine hundreds of concurrent commands wait long for their sockets and their answers. */
const AMPLE = { timeouts: { connectionTimeout: 120_000, requestTimeout: 120_000 } };

/** @param options `{}`: the time limits of the product */
export const createTestClient = (
  endpoint: string,
  options: Pick<DynamoDbOptions, 'timeouts'> = AMPLE,
): DynamoDBClient => createDynamoDbClient({ ...clientOptions(endpoint), ...options });

/** Tables with unique names. */
const withTables = async (endpoint: string, end: () => Promise<void>): Promise<TestDynamoDb> => {
  const client = createTestClient(endpoint);
  const run = randomUUID();
  const tables = { keys: `keys-${run}`, counters: `counters-${run}`, admin: `admin-${run}` };
  await createTables(client, tables);
  const close = async (): Promise<void> => {
    client.destroy();
    await end();
  };
  return { endpoint, client, tables, close };
};

export const startDynalite = async (): Promise<TestDynamoDb> => {
  const server = dynalite({ createTableMs: 0 });
  // The server must not close an idle connection that a client on a busy machine is about to use again.
  server.keepAliveTimeout = 0;
  return withTables(await listen(server, '127.0.0.1', 0), () => stop(server));
};

const { DYNAMODB_LOCAL_ENDPOINT } = process.env;

/** The stores for every store test: the embedded one, and the vendor's if the environment names its endpoint. */
export const dynamoDbVariants: readonly (readonly [name: string, open: () => Promise<TestDynamoDb>])[] = [
  ['the embedded DynamoDB', startDynalite],
  ...(DYNAMODB_LOCAL_ENDPOINT
    ? [['DynamoDB Local', () => withTables(DYNAMODB_LOCAL_ENDPOINT, async () => undefined)] as const]
    : []),
];

/** Reports in the log of a run which tests did not run. @param suite the skipped suite */
export const reportSkipped = (suite: string): void => {
  if (!DYNAMODB_LOCAL_ENDPOINT) console.log(`skipped: ${suite} on DynamoDB Local (DYNAMODB_LOCAL_ENDPOINT is not set)`);
};

export const putKey = async ({ client, tables }: TestDynamoDb, hash: string, record: ApiKeyRecord): Promise<void> => {
  await client.send(new PutItemCommand({ TableName: tables.keys, Item: apiKeyToItem(hash, record) }));
};

export const itemsOf = async ({ client, tables }: TestDynamoDb, table: TableName): Promise<readonly Item[]> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables[table], ConsistentRead: true }));
  return Items;
};
