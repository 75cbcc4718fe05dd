// Starts the embedded DynamoDB, which saves its tables in DATA_DIR, or uses the one at DYNAMODB_ENDPOINT. Creates its tables.
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  paginateScan,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { dynamoDbOptions } from '../../shared/composition/access-control.ts';
import { createJsonLog, type Environment, readVariable } from '../../shared/composition/environment.ts';
import { type TableName, tableNames, tableRow, tables } from '../../shared/contract/tables.ts';
import { tableOf } from '../../shared/model/json.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localTableNames } from '../../shared/settings/local-service.ts';
import { createDynamoDbClient } from '../../shared/stores/dynamodb-client.ts';
import type { DiskTrouble } from './disk-trouble.ts';
import { type ListenAddress, startEmbeddedStore } from './embedded-store.ts';
import { REGION } from './function-host.ts';
import { resolveDataFolder } from './local-environment.ts';

const MAX_WAIT_SECONDS = 10;

const definition = (name: TableName, TableName: string): CreateTableCommandInput => {
  const { partitionKey, sortKey } = tableRow(name);
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
    ],
    AttributeDefinitions: [
      { AttributeName: partitionKey, AttributeType: 'S' },
      ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, AttributeType: 'N' as const }]),
    ],
  };
};

/** Creates the tables that do not exist yet. */
export const createTables = async (
  client: DynamoDBClient,
  names: Readonly<Record<TableName, string>>,
): Promise<void> => {
  for (const name of tableNames) {
    try {
      await client.send(new CreateTableCommand(definition(name, names[name])));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 0.1 }, { TableName: names[name] });
  }
};

/** The most that one BatchWriteItem takes. */
const BATCH = 25;
/** A longer scan would make the commands of callers wait. */
const SCANNED = 200;

/**
 * The embedded DynamoDB does not do so by itself, and writes an item in about a millisecond.
 *
 * @param now in milliseconds
 */
export const deleteExpiredItems = async (
  client: DynamoDBClient,
  now: number,
  names: Readonly<Record<TableName, string>>,
): Promise<void> => {
  for (const name of tableNames) {
    const { partitionKey, sortKey, ttlAttribute } = tableRow(name);
    if (ttlAttribute === undefined) continue;
    const keys = { '#p': partitionKey, ...(sortKey !== undefined && { '#s': sortKey }) };
    const expired = paginateScan(
      { client },
      {
        TableName: names[name],
        ProjectionExpression: Object.keys(keys).join(),
        FilterExpression: '#x < :now',
        ExpressionAttributeNames: { ...keys, '#x': ttlAttribute },
        ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
        Limit: SCANNED,
      },
    );
    for await (const { Items = [] } of expired) {
      for (let start = 0; start < Items.length; start += BATCH) {
        const requests = Items.slice(start, start + BATCH).map((Key) => ({ DeleteRequest: { Key } }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { [names[name]]: requests } }));
      }
    }
  }
};

/** Items are kept for a day or longer. */
const SWEEP_MILLISECONDS = 86_400_000;

export interface LocalDynamoDb {
  /** Variables for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** For people. */
  readonly notice: string | undefined;
  close(): Promise<void>;
}

/** An emulator accepts any credentials, but the client sends no request without credentials. */
const credentials = (given: Environment): Record<string, string> => ({
  AWS_REGION: readVariable(given, 'AWS_REGION') ?? REGION,
  AWS_ACCESS_KEY_ID: readVariable(given, 'AWS_ACCESS_KEY_ID') ?? 'local',
  AWS_SECRET_ACCESS_KEY: readVariable(given, 'AWS_SECRET_ACCESS_KEY') ?? 'local',
});

const tableNamesIn = (given: Environment): Readonly<Record<TableName, string>> =>
  tableOf(tableNames, (name) => readVariable(given, tables[name].variable) ?? localTableNames[name]);

export interface DynamoDbStart {
  /** The address of the embedded store. @default loopback, any free port */
  readonly address?: ListenAddress;
  /** Receives the lines about the embedded store. @default standard error */
  readonly writeLog?: (text: string) => void;
}

const LOOPBACK: ListenAddress = { host: '127.0.0.1', port: 0 };

const MEANWHILE = 'Posts and lists are read, API keys are unverified. The store is opened as soon as it can be.';

const troubleFields = (trouble: DiskTrouble | undefined): LogFields =>
  trouble === undefined
    ? { level: 'warn', event: 'store_reachable' }
    : { level: 'error', event: 'store_unreachable', ...trouble, meanwhile: MEANWHILE };

interface PreparedTables {
  prepare(endpoint: string): Promise<void>;
  close(): void;
}

/** Creates the tables whenever a store was opened, and deletes expired items: now and once a day, while no one waits. */
const prepareTables = (
  environmentAt: (endpoint: string) => Environment,
  names: Readonly<Record<TableName, string>>,
): PreparedTables => {
  let client: DynamoDBClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    async prepare(endpoint) {
      const used = client ?? createDynamoDbClient(dynamoDbOptions(environmentAt(endpoint)));
      client = used;
      await createTables(used, names);
      const sweep = (): void => void deleteExpiredItems(used, Date.now(), names).catch(() => undefined);
      clearInterval(timer);
      timer = setInterval(sweep, SWEEP_MILLISECONDS).unref();
      sweep();
    },
    close() {
      clearInterval(timer);
      client?.destroy();
    },
  };
};

/**
 * The embedded store may be unreachable at the start, too: it is opened as soon as it can be.
 *
 * @throws if the DynamoDB at DYNAMODB_ENDPOINT cannot be reached, or the address is in use
 */
export const startDynamoDb = async (
  given: Environment,
  { address = LOOPBACK, writeLog = (text) => void process.stderr.write(text) }: DynamoDbStart = {},
): Promise<LocalDynamoDb> => {
  const names = tableNamesIn(given);
  const environmentAt = (endpoint: string): Record<string, string> => ({
    ...credentials(given),
    [env.dynamodbEndpoint]: endpoint,
    ...Object.fromEntries(tableNames.map((name) => [tables[name].variable, names[name]])),
  });
  const { prepare, close } = prepareTables(environmentAt, names);
  const external = readVariable(given, env.dynamodbEndpoint);
  try {
    if (external !== undefined) {
      await prepare(external);
      return { environment: environmentAt(external), notice: undefined, close: async () => close() };
    }
    const log = createJsonLog({ write: (line) => writeLog(`${line}\n`), clock: Date.now });
    const store = await startEmbeddedStore({
      folder: resolveDataFolder(given),
      address,
      prepare,
      onChange: (trouble) => log(troubleFields(trouble)),
    });
    return {
      environment: environmentAt(store.endpoint),
      notice: store.notice,
      async close() {
        close();
        await store.close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
};
