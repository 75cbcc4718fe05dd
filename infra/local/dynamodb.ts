// DynamoDB on one machine: embedded, kept in DATA_DIR, or another one at DYNAMODB_ENDPOINT.
import { mkdirSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ClassicLevel } from 'classic-level';
import dynalite from 'dynalite';
import { dynamoDbOptions } from '../../shared/composition/access-control.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { type TableName, tableNames, tables } from '../../shared/contract/tables.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localTableNames } from '../../shared/settings/local-service.ts';
import { createDynamoDbClient } from '../../shared/stores/dynamodb-client.ts';
import { createTables, deleteExpiredItems } from './create-tables.ts';
import { resolveDataFolder } from './data-folder.ts';
import { REGION } from './lambda-environment.ts';
import { listen, stop } from './listen.ts';

const SWEEP_MILLISECONDS = 3_600_000;

export interface LocalDynamoDb {
  /** What functions must be told. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set when keys are not kept although they should be. */
  readonly notice?: string;
  close(): Promise<void>;
}

/** An emulator takes any; the client sends none without. */
const credentials = (given: Environment): Record<string, string> => ({
  AWS_REGION: readVariable(given, 'AWS_REGION') ?? REGION,
  AWS_ACCESS_KEY_ID: readVariable(given, 'AWS_ACCESS_KEY_ID') ?? 'local',
  AWS_SECRET_ACCESS_KEY: readVariable(given, 'AWS_SECRET_ACCESS_KEY') ?? 'local',
});

const tableNamesIn = (given: Environment): Readonly<Record<TableName, string>> => {
  const named = tableNames.map((name) => [name, readVariable(given, tables[name].variable) ?? localTableNames[name]]);
  return { ...localTableNames, ...Object.fromEntries(named) };
};

/** Whether nobody else has the folder open: the embedded store ends the process when somebody has. */
const isUnlocked = async (path: string): Promise<boolean> => {
  const level = new ClassicLevel(path);
  try {
    await level.open();
    return true;
  } catch {
    return false;
  } finally {
    await level.close();
  }
};

const WAIT_MILLISECONDS = 10;
const MAX_WAITS = 200;

/** @returns whether all requests so far have been worked through, be they heard or not */
const requestsOf = (server: Server): (() => boolean) => {
  const underWay = new Set<ServerResponse>();
  server.prependListener('request', (_, response) => {
    underWay.add(response);
    response.once('close', () => response.writableEnded && underWay.delete(response));
  });
  return () => [...underWay].every(({ writableEnded }) => writableEnded);
};

const embedded = async (folder: string | undefined) => {
  const path = folder === undefined ? undefined : join(folder, 'dynamodb');
  if (path !== undefined) mkdirSync(path, { recursive: true });
  const isKept = path !== undefined && (await isUnlocked(path));
  const server = dynalite({ createTableMs: 0, ...(isKept && { path }) });
  const endpoint = await listen(server, '127.0.0.1', 0);
  const isAtRest = requestsOf(server);
  return {
    endpoint,
    async close() {
      // A write whose client has gone is still under way, and would find its database closed.
      for (let waits = 0; !isAtRest() && waits < MAX_WAITS; waits += 1) await setTimeout(WAIT_MILLISECONDS);
      await stop(server);
    },
    ...(path !== undefined &&
      !isKept && { notice: `${folder} is in use by another service: keys of this one end with it (set DATA_DIR)` }),
  };
};

/** @throws when the store cannot be reached or made */
export const startDynamoDb = async (given: Environment): Promise<LocalDynamoDb> => {
  const elsewhere = readVariable(given, env.dynamodbEndpoint);
  const { endpoint, close, notice } =
    elsewhere === undefined
      ? await embedded(resolveDataFolder(given))
      : { endpoint: elsewhere, close: async () => undefined, notice: undefined };
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
