// Checks before a deployment what CloudFormation would report late, or not at all: the state of the stack, the bootstrap,
// tables of an earlier stack, and the concurrency of the account.
import { type TableName, tableNames, tableRow } from '../../shared/contract/tables.ts';
import type { SettingName } from '../config/settings.ts';
import type { Account } from './account.ts';
import type { Change } from './changes.ts';
import { type Assembly, idsOfType, type Template } from './template.ts';

/** The settings with the name of an existing table. */
const tableSettings: Readonly<Partial<Record<TableName, SettingName>>> = {
  keys: 'keysTableName',
  admin: 'adminTableName',
};

/** Every release up to 0.8.0, which recorded nothing, has this function. */
const OLD_FUNCTION = 'DiscoveryFunction';

/** @returns a sentence that stops the deployment, or undefined if CloudFormation accepts it */
export const stackProblem = (name: string, status: string, { record, resources }: Template): string | undefined => {
  // CloudFormation would delete everything that is not in the template of Postern.
  if (record === undefined && !resources.has(OLD_FUNCTION))
    return `The stack ${name} of this account is not a deployment of Postern, and a deployment would delete its resources. Set stackName to another name.`;
  if (status.endsWith('_IN_PROGRESS'))
    return `Another deployment of ${name} is under way (${status}). Wait until it ends, and deploy again.`;
  if (/^UPDATE(?:_ROLLBACK)?_FAILED$/.test(status))
    return `The last deployment of ${name} failed (${status}). Correct the cause that its events name, run npx cdk rollback ${name}, and deploy again.`;
  return /^ROLLBACK_|_FAILED$/.test(status)
    ? `${name} failed (${status}), and CloudFormation accepts only its deletion. Delete it as docs/runbook.md says ("The stack is stuck"), and deploy again.`
    : undefined;
};

/** @returns one sentence that stops the deployment */
export const bootstrapProblem = async (account: Account, assembly: Assembly): Promise<string | undefined> => {
  const { bootstrapVersion: needed, region } = assembly;
  if (needed === undefined) return undefined;
  const version = await account.bootstrapVersion();
  if (version !== undefined && version >= needed) return undefined;
  const what = version === undefined ? 'is not prepared for the CDK' : 'is prepared for an older CDK';
  return `The region ${region} of account ${account.id} ${what}: run npx cdk bootstrap aws://${account.id}/${region} once, and deploy again.`;
};

/** @returns the sentences about tables that settings name, and that the service could not use */
export const tableProblems = async (account: Account, { record, region }: Assembly): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const table of tableNames) {
    const setting = tableSettings[table];
    const name = setting && record.settings[setting];
    if (name === undefined) continue;
    const { partitionKey, sortKey } = tableRow(table);
    const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].join(', ');
    const found = (await account.table(name))?.keys.join(', ');
    if (found === undefined) problems.push(`${setting}: there is no table ${name} in ${region}.`);
    else if (found !== keys) problems.push(`${setting}: the table ${name} has the key ${found} instead of ${keys}.`);
  }
  return problems;
};

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
    const id = idsOfType(template, 'AWS::DynamoDB::Table').find((created) => created.startsWith(`Tables${table}`));
    if (setting === undefined || id === undefined || before?.resources.has(id)) continue;
    const [name] = await account.tableNames(`${stackName}-${id}`);
    if (name === undefined) continue;
    const { items = 0 } = (await account.table(name)) ?? {};
    changes.push({
      text: `an earlier stack has kept the table ${name} (about ${items} items), and this deployment creates an empty one; to use it, set ${setting} to ${name}`,
      needsYes: true,
    });
  }
  return changes;
};

/** New accounts begin with 10. */
const FEW_EXECUTIONS = 100;

/** @returns a warning about the concurrency of Lambda */
export const concurrencyWarning = async (account: Account, region: string): Promise<string | undefined> => {
  const limit = await account.concurrency().catch(() => undefined);
  // Only a warning depends on it, and the permission is not part of a deployment.
  if (limit === undefined)
    return 'The limit of concurrent Lambda executions could not be read (lambda:GetAccountSettings).';
  return limit < FEW_EXECUTIONS
    ? `The account may run only ${limit} Lambda executions at once: more callers get 503. Ask for more in Service Quotas (Lambda, Concurrent executions, ${region}). A new account may also not create CloudFront distributions before AWS Support has verified it.`
    : undefined;
};
