// Starts the embedded DynamoDB, which saves its tables in DATA_DIR, or uses the one at DYNAMODB_ENDPOINT.
import { mkdirSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteItemCommand,
  type DynamoDBClient,
  paginateScan,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { dynamoDbOptions } from '../../shared/composition/access-control.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { type TableName, tableNames, tableRow, tables } from '../../shared/contract/tables.ts';
import { tableOf } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localTableNames } from '../../shared/settings/local-service.ts';
import { createDynamoDbClient } from '../../shared/stores/dynamodb-client.ts';
import { REGION } from './function-host.ts';
import { listen, stop } from './listen.ts';
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

/** The embedded DynamoDB does not do so by itself. @param now in milliseconds */
export const deleteExpiredItems = async (
  client: DynamoDBClient,
  now: number,
  names: Readonly<Record<TableName, string>>,
): Promise<void> => {
  for (const name of tableNames) {
    const { partitionKey, sortKey, ttlAttribute } = tableRow(name);
    if (ttlAttribute === undefined) continue;
    const expired = paginateScan(
      { client },
      {
        TableName: names[name],
        FilterExpression: '#x < :now',
        ExpressionAttributeNames: { '#x': ttlAttribute },
        ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
      },
    );
    for await (const { Items = [] } of expired) {
      for (const item of Items) {
        const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
        const Key = Object.fromEntries(Object.entries(item).filter(([attribute]) => keys.includes(attribute)));
        await client.send(new DeleteItemCommand({ TableName: names[name], Key }));
      }
    }
  }
};

const SWEEP_MILLISECONDS = 3_600_000;

export interface LocalDynamoDb {
  /** Variables for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set if keys are not saved although DATA_DIR is a folder. */
  readonly notice?: string;
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

/**
 * The embedded DynamoDB ends the process if its engine does not open the folder, so check first.
 *
 * @returns why it cannot; undefined if it can
 */
const reasonNotToSave = async (path: string, folder: string): Promise<string | undefined> => {
  // A bundle has only the default export.
  const engine = await import('classic-level').then(
    (module) => module.default,
    () => undefined,
  );
  if (engine === undefined)
    return `The store has no build for ${process.platform} on ${process.arch}, so this service keeps its keys in memory.`;
  const level = new engine.ClassicLevel(path);
  try {
    await level.open();
    return undefined;
  } catch {
    return `${folder} is in use by another service, so this service does not save its keys. Set DATA_DIR to another folder.`;
  } finally {
    await level.close();
  }
};

const WAIT_MILLISECONDS = 10;
const MAX_WAITS = 200;

/** @returns whether all requests so far are processed, even if their clients have disconnected */
const trackRequests = (server: Server): (() => boolean) => {
  const pending = new Set<ServerResponse>();
  server.prependListener('request', (_, response) => {
    pending.add(response);
    response.once('close', () => response.writableEnded && pending.delete(response));
  });
  return () => [...pending].every(({ writableEnded }) => writableEnded);
};

export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

const LOOPBACK: ListenAddress = { host: '127.0.0.1', port: 0 };

interface SavedStore {
  /** Unset: nothing is saved. */
  readonly path?: string;
  readonly notice?: string;
}

const openFolder = async (folder: string | undefined): Promise<SavedStore> => {
  if (folder === undefined) return {};
  const path = join(folder, 'dynamodb');
  mkdirSync(path, { recursive: true });
  const notice = await reasonNotToSave(path, folder);
  return notice === undefined ? { path } : { notice };
};

const embedded = async (folder: string | undefined, { host, port }: ListenAddress) => {
  const { path, notice } = await openFolder(folder);
  const server = dynalite({ createTableMs: 0, ...(path !== undefined && { path }) });
  const endpoint = await listen(server, host, port);
  const isIdle = trackRequests(server);
  return {
    endpoint,
    async close() {
      // The write of a disconnected client may still be pending, and would fail on a closed database.
      for (let waits = 0; !isIdle() && waits < MAX_WAITS; waits += 1) await setTimeout(WAIT_MILLISECONDS);
      await stop(server);
    },
    ...(notice !== undefined && { notice }),
  };
};

/** @throws if DynamoDB cannot be reached or started */
export const startDynamoDb = async (given: Environment, address = LOOPBACK): Promise<LocalDynamoDb> => {
  const external = readVariable(given, env.dynamodbEndpoint);
  const { endpoint, close, notice } =
    external === undefined
      ? await embedded(resolveDataFolder(given), address)
      : { endpoint: external, close: async () => undefined, notice: undefined };
  const names = tableNamesIn(given);
  const environment = {
    ...credentials(given),
    [env.dynamodbEndpoint]: endpoint,
    ...Object.fromEntries(tableNames.map((name) => [tables[name].variable, names[name]])),
  };
  const client = createDynamoDbClient(dynamoDbOptions(environment));
  const sweep = () => deleteExpiredItems(client, Date.now(), names);
  try {
    await createTables(client, names);
    await sweep();
  } catch (error) {
    await close();
    throw error;
  }
  const timer = setInterval(() => void sweep().catch(() => undefined), SWEEP_MILLISECONDS).unref();
  return {
    environment,
    ...(notice !== undefined && { notice }),
    async close() {
      clearInterval(timer);
      client.destroy();
      await close();
    },
  };
};
