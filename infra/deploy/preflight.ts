// Checks before a deployment what CloudFormation would report late, or not at all: bootstrap, tables of an earlier
// stack, and the concurrency of the account.
import { type TableName, tableNames, tableRow } from '../../shared/contract/tables.ts';
import type { SettingName } from '../config/settings.ts';
import type { Account, TableDescription } from './account.ts';
import type { Assembly } from './assembly.ts';
import { type Change, plural, wordList } from './change.ts';
import { resourcesOfType, type Template } from './template.ts';

/** The settings with the name of an existing table. */
const tableSettings: Readonly<Partial<Record<TableName, SettingName>>> = {
  keys: 'keysTableName',
  admin: 'adminTableName',
};

/** Fewer executions are warned of. */
const FEW_EXECUTIONS = 100;

/** New accounts begin with this limit. */
const NEW_ACCOUNT_LIMIT = 10;

/** @returns one sentence that stops the deployment */
export const bootstrapProblem = async (account: Account, assembly: Assembly): Promise<string | undefined> => {
  const { bootstrapVersion: needed, region } = assembly;
  if (needed === undefined) return undefined;
  const version = await account.bootstrapVersion();
  if (version !== undefined && version >= needed) return undefined;
  const what = version === undefined ? 'is not prepared for the CDK' : 'is prepared for an older CDK';
  return `The region ${region} of account ${account.id} ${what}: run npx cdk bootstrap aws://${account.id}/${region} once, and deploy again.`;
};

const keysOfTable = (name: TableName): readonly string[] => {
  const { partitionKey, sortKey } = tableRow(name);
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
};

/** @returns the sentences about tables that settings name, and that the service could not use */
export const tableProblems = async (account: Account, { record, region }: Assembly): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const table of tableNames) {
    const setting = tableSettings[table];
    const name = setting === undefined ? undefined : record.settings[setting];
    if (setting === undefined || name === undefined) continue;
    const found = await account.table(name);
    const keys = keysOfTable(table);
    if (found === undefined) problems.push(`${setting}: there is no table ${name} in ${region}.`);
    else if (found.keys.join() !== keys.join())
      problems.push(
        `${setting}: the table ${name} has the key ${found.keys.join(', ')} instead of ${keys.join(', ')}.`,
      );
  }
  return problems;
};

const describeTable = ({ name, items }: TableDescription): string => `${name} (about ${plural(items, 'item')})`;

/**
 * Finds tables that a deleted stack of the same name has kept, if the deployment creates new ones instead.
 *
 * @param before the deployed template; undefined: the first deployment
 */
export const retainedTables = async (
  account: Account,
  { stackName, template }: Assembly,
  before: Template | undefined,
): Promise<readonly Change[]> => {
  const changes: Change[] = [];
  for (const table of tableNames) {
    const setting = tableSettings[table];
    const created = resourcesOfType(template, 'AWS::DynamoDB::Table').find(([id]) => id.startsWith(`Tables${table}`));
    if (setting === undefined || created === undefined || before?.resources.has(created[0])) continue;
    const names = await account.tableNames(`${stackName}-${created[0]}`);
    const found = (await Promise.all(names.map((name) => account.table(name)))).flatMap((row) => row ?? []);
    if (found.length === 0) continue;
    changes.push({
      topic: 'state',
      text: `an earlier stack has kept the table ${wordList(found.map(describeTable))}, and this deployment creates an empty one; to use it, set ${setting} to ${found[0]?.name}`,
      needsYes: true,
    });
  }
  return changes;
};

/** @returns the warnings about the concurrency of Lambda */
export const concurrencyWarnings = async (account: Account, { region }: Assembly): Promise<readonly string[]> => {
  let limit: number;
  try {
    ({ limit } = await account.concurrency());
  } catch {
    // Only a warning depends on it, and the permission is not part of a deployment.
    return ['The limit of concurrent Lambda executions could not be read (lambda:GetAccountSettings).'];
  }
  const quota = `ask for more in Service Quotas (Lambda, Concurrent executions, ${region})`;
  if (limit <= NEW_ACCOUNT_LIMIT)
    return [
      `The account may run ${limit} Lambda executions at once, as new accounts do: more callers get 503. Please ${quota}. A new account may also not create CloudFront distributions before AWS Support has verified it.`,
    ];
  return limit < FEW_EXECUTIONS ? [`The account may run only ${limit} Lambda executions at once; ${quota}.`] : [];
};
