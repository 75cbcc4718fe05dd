// The real keys and allowances, from the environment.
import { createAccess } from '../access/access.ts';
import { createDynamoClient, type DynamoOptions } from '../access/dynamo-client.ts';
import { createDynamoCounters } from '../access/dynamo-counters.ts';
import { createDynamoKeys } from '../access/dynamo-keys.ts';
import {
  ALLOWANCE_RULE,
  type Allowance,
  type AllowanceSetting,
  type Allowances,
  allowanceSettings,
  allowancesFrom,
  parseAllowance,
} from '../contract/allowances.ts';
import { type TableName, tables } from '../contract/tables.ts';
import { env } from '../env.ts';
import type { AccessPorts } from '../ports.ts';
import { address } from './grammar.ts';
import { cursorSecrets } from './lists.ts';
import { type Environment, liveDoor, parsed, setting, type WriteLine } from './settings.ts';

const required = (from: Environment, name: string): string => {
  const value = setting(from, name);
  if (value === undefined) throw new Error(`${name} must be set`);
  return value;
};

export const tableIn = (from: Environment, name: TableName): string => required(from, tables[name].variable);

/** Lambda gives every function its region and its role's credentials; nothing else is looked for. */
export const dynamoOptions = (from: Environment): DynamoOptions => {
  const sessionToken = setting(from, 'AWS_SESSION_TOKEN');
  return {
    region: required(from, 'AWS_REGION'),
    endpoint: parsed(from, env.dynamodbEndpoint, address),
    credentials: {
      accessKeyId: required(from, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: required(from, 'AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken !== undefined && { sessionToken }),
    },
  };
};

const allowanceIn = (from: Environment, { variable, preset }: AllowanceSetting): Allowance | undefined =>
  parsed(from, variable, { rule: ALLOWANCE_RULE, parse: parseAllowance }) ?? parseAllowance(preset);

const presetAllowance = (from: Environment, row: AllowanceSetting): Allowance => {
  const allowance = allowanceIn(from, row);
  if (allowance === undefined) throw new Error(`${row.variable} has no preset`);
  return allowance;
};

export const allowancesIn = (from: Environment): Allowances =>
  allowancesFrom({
    searchAnonymous: presetAllowance(from, allowanceSettings.searchAnonymous),
    searchKeyed: presetAllowance(from, allowanceSettings.searchKeyed),
    browse: presetAllowance(from, allowanceSettings.browse),
    searchPool: allowanceIn(from, allowanceSettings.searchPool),
  });

const NO_HASH = 'none';

/** @throws where a setting is wrong or missing */
export const liveAccess = (from: Environment = process.env, writeLog?: WriteLine): AccessPorts => {
  const { clock, log } = liveDoor(from, writeLog);
  const client = createDynamoClient(dynamoOptions(from));
  const [addressSecret] = cursorSecrets(from);
  const keys = createDynamoKeys(client, tableIn(from, 'keys'));
  // The first call of an instance sets up a connection, which may take longer than a request waits. No key has this hash.
  void keys.read(NO_HASH).catch(() => undefined);
  return {
    access: createAccess({
      keys,
      counters: createDynamoCounters(client, tableIn(from, 'counters')),
      allowances: allowancesIn(from),
      addressSecret,
      clock,
      log,
      random: Math.random,
    }),
  };
};
