// The real keys and allowances, from the environment.
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
import { httpUrl } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { createDynamoDbApiKeyReader } from '../stores/dynamodb-api-key-reader.ts';
import { createDynamoDbClient, type DynamoDbOptions } from '../stores/dynamodb-client.ts';
import { createDynamoDbCounterStore } from '../stores/dynamodb-counter-store.ts';
import { type Environment, httpFromEnvironment, parseVariable, readVariable, type WriteLine } from './environment.ts';
import { readCursorSecrets } from './lists.ts';

const required = (from: Environment, name: string): string => {
  const value = readVariable(from, name);
  if (value === undefined) throw new Error(`${name} must be set`);
  return value;
};

export const tableName = (from: Environment, name: TableName): string => required(from, tables[name].variable);

/** Lambda gives every function its region and its role's credentials; nothing else is looked for. */
export const dynamoDbOptions = (from: Environment): DynamoDbOptions => {
  const sessionToken = readVariable(from, 'AWS_SESSION_TOKEN');
  return {
    region: required(from, 'AWS_REGION'),
    endpoint: parseVariable(from, env.dynamodbEndpoint, httpUrl),
    credentials: {
      accessKeyId: required(from, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: required(from, 'AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken !== undefined && { sessionToken }),
    },
  };
};

const allowanceIn = (from: Environment, { variable, preset }: AllowanceSetting): Allowance | undefined =>
  parseVariable(from, variable, { rule: ALLOWANCE_SYNTAX, parse: parseAllowance }) ?? parseAllowance(preset);

const presetAllowance = (from: Environment, row: AllowanceSetting): Allowance => {
  const allowance = allowanceIn(from, row);
  if (allowance === undefined) throw new Error(`${row.variable} has no preset`);
  return allowance;
};

export const readAllowances = (from: Environment): Allowances =>
  buildAllowances({
    searchAnonymous: presetAllowance(from, allowanceSettings.searchAnonymous),
    searchKeyed: presetAllowance(from, allowanceSettings.searchKeyed),
    browse: presetAllowance(from, allowanceSettings.browse),
    searchPool: allowanceIn(from, allowanceSettings.searchPool),
  });

const NO_HASH = 'none';

/** @throws where a setting is wrong or missing */
export const accessControlFromEnvironment = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): AccessControlPorts => {
  const { clock, log } = httpFromEnvironment(from, writeLog);
  const client = createDynamoDbClient(dynamoDbOptions(from));
  const [addressSecret] = readCursorSecrets(from);
  const keys = createDynamoDbApiKeyReader(client, tableName(from, 'keys'));
  // The first call of an instance sets up a connection, which may take longer than a request waits. No key has this hash.
  void keys.read(NO_HASH).catch(() => undefined);
  return {
    accessControl: createAccessControl({
      keys,
      counters: createDynamoDbCounterStore(client, tableName(from, 'counters')),
      allowances: readAllowances(from),
      addressSecret,
      clock,
      log,
      random: Math.random,
    }),
  };
};
