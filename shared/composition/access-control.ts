// Builds the ports of access control, and the settings of the DynamoDB client, from the environment.
import { createAccessControl } from '../auth/access-control.ts';
import {
  ALLOWANCE_SYNTAX,
  type Allowance,
  type AllowanceSetting,
  type Allowances,
  allowanceSettings,
  buildAllowances,
  parseAllowance,
} from '../contract/allowances.ts';
import { type TableName, tables } from '../contract/tables.ts';
import type { AccessControlPorts } from '../ports/access-control.ts';
import type { ApiKeyReader } from '../ports/stores.ts';
import { httpUrl } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { createDynamoDbApiKeyReader } from '../stores/dynamodb-api-key-reader.ts';
import { createDynamoDbClient, type DynamoDbOptions } from '../stores/dynamodb-client.ts';
import { createDynamoDbCounterStore } from '../stores/dynamodb-counter-store.ts';
import { countersFromEnvironment } from './counters.ts';
import {
  type Environment,
  httpFromEnvironment,
  parseVariable,
  readCursorSecrets,
  readVariable,
  type WriteLine,
  waitingClock,
} from './environment.ts';

const requireVariable = (environment: Environment, name: string): string => {
  const value = readVariable(environment, name);
  if (value === undefined) throw new Error(`${name} must be set`);
  return value;
};

export const tableName = (environment: Environment, name: TableName): string =>
  requireVariable(environment, tables[name].variable);

/** Lambda sets the region and the credentials of the role in the environment. Other sources are not read. */
export const dynamoDbOptions = (environment: Environment): DynamoDbOptions => {
  const sessionToken = readVariable(environment, 'AWS_SESSION_TOKEN');
  return {
    region: requireVariable(environment, 'AWS_REGION'),
    endpoint: parseVariable(environment, env.dynamodbEndpoint, httpUrl),
    credentials: {
      accessKeyId: requireVariable(environment, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: requireVariable(environment, 'AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken !== undefined && { sessionToken }),
    },
  };
};

const readAllowance = (environment: Environment, { variable, preset }: AllowanceSetting): Allowance | undefined =>
  parseVariable(environment, variable, { rule: ALLOWANCE_SYNTAX, parse: parseAllowance }) ?? parseAllowance(preset);

const requireAllowance = (environment: Environment, row: AllowanceSetting): Allowance => {
  const allowance = readAllowance(environment, row);
  if (allowance === undefined) throw new Error(`${row.variable} has no preset`);
  return allowance;
};

export const readAllowances = (environment: Environment): Allowances =>
  buildAllowances({
    searchAnonymous: requireAllowance(environment, allowanceSettings.searchAnonymous),
    searchKeyed: requireAllowance(environment, allowanceSettings.searchKeyed),
    browse: requireAllowance(environment, allowanceSettings.browse),
    searchPool: readAllowance(environment, allowanceSettings.searchPool),
  });

const NO_KEY_HASH = 'none';

/** @param keysOf creates the reader of API keys */
const createFromEnvironment = (
  environment: Environment,
  writeLog: WriteLine | undefined,
  keysOf: (client: ReturnType<typeof createDynamoDbClient>) => ApiKeyReader,
): AccessControlPorts => {
  const { clock, wall, log } = httpFromEnvironment(environment, writeLog);
  const client = createDynamoDbClient(dynamoDbOptions(environment));
  const stored = createDynamoDbCounterStore(client, tableName(environment, 'counters'));
  const [networkSecret] = readCursorSecrets(environment);
  return {
    accessControl: createAccessControl({
      keys: keysOf(client),
      counters: countersFromEnvironment(environment, stored, wall).store,
      allowances: readAllowances(environment),
      networkSecret,
      clock,
      waitingClock,
      wall,
      log,
      random: Math.random,
    }),
  };
};

/** @throws Error if a setting is invalid or missing */
export const accessControlFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): AccessControlPorts =>
  createFromEnvironment(environment, writeLog, (client) => {
    const keys = createDynamoDbApiKeyReader(client, tableName(environment, 'keys'));
    // The first call opens the connection, which can take longer than a request waits. No API key has this hash.
    void keys.read(NO_KEY_HASH).catch(() => undefined);
    return keys;
  });

/** The routes ignore API keys, so no request reads one. */
const NO_KEYS: ApiKeyReader = { read: async () => undefined };

/**
 * For routes that ignore API keys and charge an allowance by client network.
 *
 * @throws Error if a setting is invalid or missing
 */
export const networkAllowancesFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): AccessControlPorts => createFromEnvironment(environment, writeLog, () => NO_KEYS);
