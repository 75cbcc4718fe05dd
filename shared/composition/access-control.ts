// Builds the ports of access control from the environment.
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
import type { AccessControlPorts } from '../ports/access-control.ts';
import type { ApiKeyReader } from '../ports/key-stores.ts';
import { createDynamoDbApiKeyReader } from '../stores/dynamodb-api-key-reader.ts';
import { createDynamoDbClient } from '../stores/dynamodb-client.ts';
import { createDynamoDbCounterStore } from '../stores/dynamodb-counter-store.ts';
import { dynamoDbOptions, tableName } from './dynamodb.ts';
import { waitingClock } from './elapsed-clock.ts';
import { type Environment, httpFromEnvironment, parseVariable, type WriteLine } from './environment.ts';
import { readCursorSecrets } from './lists.ts';

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
  const [addressSecret] = readCursorSecrets(environment);
  return {
    accessControl: createAccessControl({
      keys: keysOf(client),
      counters: createDynamoDbCounterStore(client, tableName(environment, 'counters')),
      allowances: readAllowances(environment),
      addressSecret,
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
 * For routes that ignore API keys and charge an allowance by address.
 *
 * @throws Error if a setting is invalid or missing
 */
export const addressAllowancesFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): AccessControlPorts => createFromEnvironment(environment, writeLog, () => NO_KEYS);
