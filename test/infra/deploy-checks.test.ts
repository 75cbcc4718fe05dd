import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../infra/config/deployment-record.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { type Account, accountProblem, type TableDescription } from '../../infra/deploy/account.ts';
import { closingLines, parseArguments } from '../../infra/deploy/deploy.ts';
import {
  bootstrapProblem,
  concurrencyWarning,
  retainedTables,
  stackProblem,
  tableProblems,
} from '../../infra/deploy/preflight.ts';
import { openPolicy, policyProblem, protectivePolicy, runWithOpenPolicy } from '../../infra/deploy/stack-policy.ts';
import { type Assembly, parseTemplate, parseTemplateText } from '../../infra/deploy/template.ts';
import { createStack, documentOf } from './synthesized.ts';

const assemblyOf = (context: Readonly<Record<string, unknown>> = {}): Assembly => ({
  stackName: 'Postern',
  region: 'eu-west-1',
  template: parseTemplate(documentOf(context)),
  record: recordOf(readConfig(context)),
  bootstrapVersion: 6,
});

const KEYS: TableDescription = { name: 'Postern-Tableskeys645399BB-RMK4S6X82WBG', keys: ['pk'], items: 12 };

/** An account with these tables, this bootstrap version and this limit of Lambda. */
const accountWith = (
  tables: readonly TableDescription[] = [],
  bootstrap: number | undefined = 30,
  limit = 1000,
): Account => ({
  id: '123456789012',
  stack: async () => undefined,
  setStackPolicy: async () => undefined,
  outputs: async () => new Map(),
  resourceId: async (_, id) => id,
  bootstrapVersion: async () => bootstrap,
  concurrency: async () => limit,
  table: async (name) => tables.find((table) => table.name === name),
  tableNames: async (prefix) => tables.map(({ name }) => name).filter((name) => name.startsWith(prefix)),
});

describe('the arguments of npm run deploy', () => {
  it('are settings, options of its own, and options of cdk deploy', () => {
    const given = [
      '-c',
      'a=1',
      '--context=b=2=3',
      '-cc=4',
      '--profile',
      'prod',
      '--yes',
      '--parameters',
      'OriginSecret=x',
      '--parameters',
      'Other=x',
    ];
    expect(parseArguments(given)).toEqual({
      yes: true,
      dryRun: false,
      profile: 'prod',
      context: ['-c', 'a=1', '-c', 'b=2=3', '-c', 'c=4'],
      cdk: ['--profile', 'prod', '--parameters', 'OriginSecret=x', '--parameters', 'Other=x'],
    });
    expect(parseArguments(['-y', '--dry-run', '--profile=p'])).toMatchObject({ yes: true, dryRun: true, profile: 'p' });
    expect(parseArguments([])).toEqual({ yes: false, dryRun: false, profile: undefined, context: [], cdk: [] });
  });

  it.each([
    [['-c', 'region'], '-c region is not NAME=VALUE'],
    [['-c'], '-c true is not NAME=VALUE'],
    [['--app', 'x'], '--app cannot be set: npm run deploy synthesizes into cdk.out itself'],
  ])('%j are rejected', (given, message) => {
    expect(() => parseArguments(given)).toThrow(message);
  });
});

describe('a stack that cannot be deployed', () => {
  it.each([
    ['ROLLBACK_COMPLETE', /accepts only its deletion\. Delete it as docs/],
    ['CREATE_FAILED', /accepts only its deletion/],
    ['DELETE_FAILED', /accepts only its deletion/],
    ['UPDATE_ROLLBACK_FAILED', /npx cdk rollback Postern/],
    ['UPDATE_FAILED', /npx cdk rollback Postern/],
    ['UPDATE_IN_PROGRESS', /Another deployment of Postern is under way/],
    ['ROLLBACK_IN_PROGRESS', /under way/],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', /under way/],
  ])('%s gets a sentence that says what to do', (status, sentence) => {
    expect(stackProblem('Postern', status, parseTemplate(documentOf()))).toMatch(sentence);
  });

  it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'IMPORT_COMPLETE'])(
    '%s is none',
    (status) => {
      expect(stackProblem('Postern', status, parseTemplate(documentOf()))).toBeUndefined();
    },
  );
});

describe('an account that cannot be read', () => {
  const named = (name: string, code?: string): Error =>
    Object.assign(new Error('why'), { name, ...(code && { code }) });

  it.each([
    [named('CredentialsProviderError'), /there are no valid AWS credentials: sign in .* --profile/],
    [named('ExpiredTokenException'), /there are no valid AWS credentials/],
    [named('AccessDenied'), /lack a permission/],
    [named('Error', 'ENOTFOUND'), /AWS cannot be reached/],
    [Object.assign(named('InternalFailure'), { $metadata: {} }), /AWS answered with an error/],
  ])('%s gets a sentence', (error, sentence) => {
    expect(accountProblem(error)).toMatch(sentence);
    expect(accountProblem(error)).toMatch(/\(why\)$/);
  });

  it('is told from a mistake of the program', () => {
    expect(accountProblem(new TypeError('x is not a function'))).toBeUndefined();
    expect(accountProblem('text')).toBeUndefined();
  });
});

describe('the bootstrap of the CDK', () => {
  it.each([
    [
      undefined,
      /^The region eu-west-1 of account 123456789012 is not prepared .* npx cdk bootstrap aws:\/\/123456789012\/eu-west-1 /,
    ],
    [5, /is prepared for an older CDK/],
  ])('with version %s is required', async (version, sentence) => {
    const account = { ...accountWith(), bootstrapVersion: async () => version };
    expect(await bootstrapProblem(account, assemblyOf())).toMatch(sentence);
  });

  it('is enough at the version that the assembly needs', async () => {
    expect(await bootstrapProblem(accountWith([], 6), assemblyOf())).toBeUndefined();
  });
});

describe('a plain cdk deploy or cdk destroy', () => {
  it('is refused by CloudFormation if it would replace or delete what cannot be made again', () => {
    const { Statement } = JSON.parse(protectivePolicy);
    const [allow, deny] = Statement;
    expect(allow).toEqual({ Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' });
    expect(JSON.parse(openPolicy).Statement).toEqual([allow]);
    expect(deny).toMatchObject({ Effect: 'Deny', Action: ['Update:Replace', 'Update:Delete'], Resource: '*' });
    const denied: readonly string[] = deny.Condition.StringEquals.ResourceType;
    const types = [...assemblyOf({ accessLogDays: 30 }).template.resources.values()].map(({ type }) => type);
    expect([...new Set(types)].filter((type) => denied.includes(type)).toSorted()).toEqual([
      'AWS::ApiGatewayV2::Api',
      'AWS::CloudFront::Distribution',
      'AWS::DynamoDB::Table',
      'AWS::Lambda::Url',
      'AWS::S3::Bucket',
      'AWS::SecretsManager::Secret',
    ]);
    expect(createStack().terminationProtection).toBe(true);
  });

  it('is not refused if the operator may not set the policy, who is told', () => {
    const denied = Object.assign(new Error('why'), { name: 'AccessDenied' });
    expect(policyProblem(denied)).toMatch(/the permission cloudformation:SetStackPolicy is missing/);
  });
});

describe('the stack policy of npm run deploy', () => {
  /** Runs a deployment that lasts until a signal ends it, and prints each policy that is set. */
  const PROGRAM = `
    import { setTimeout as delay } from 'node:timers/promises';
    import { runWithOpenPolicy } from './infra/deploy/stack-policy.ts';
    const setPolicy = async (policy) => console.log(policy);
    const run = (signal) => delay(60_000, undefined, { signal }).catch(() => signal.throwIfAborted());
    await runWithOpenPolicy({ exists: true, setPolicy, run }).catch(({ message }) => console.log(message));
  `;

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is protective again after %s', async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (line === openPolicy) child.kill(signal);
    }
    expect(lines).toEqual([
      openPolicy,
      protectivePolicy,
      `${signal} ended the command. CloudFormation completes an update that has started.`,
    ]);
  });

  it.each([
    ['succeeds', true, () => undefined, [openPolicy, protectivePolicy]],
    ['fails', true, () => Promise.reject(new Error('why')), [openPolicy, protectivePolicy]],
    ['creates the stack', false, () => undefined, [protectivePolicy]],
    ['does not create the stack', false, () => Promise.reject(new Error('why')), []],
  ])('is set when the deployment %s', async (_, exists, run, policies) => {
    const set: string[] = [];
    const setPolicy = async (policy: string): Promise<void> => void set.push(policy);
    await runWithOpenPolicy({ exists, setPolicy, run: async () => run() }).catch(() => undefined);
    expect(set).toEqual(policies);
  });
});

describe('tables of an earlier stack', () => {
  it('are named before a deployment that would begin with empty ones', async () => {
    const [change, ...more] = await retainedTables(accountWith([KEYS]), assemblyOf(), undefined);
    expect(more).toEqual([]);
    expect(change).toMatchObject({ needsYes: true });
    expect(change?.text).toContain(`has kept the table ${KEYS.name} (about 12 items)`);
    expect(change?.text).toContain(`set keysTableName to ${KEYS.name}`);
  });

  it('are not named if they are in use, if a setting adopts them, or if they are of another stack', async () => {
    const account = accountWith([KEYS]);
    const assembly = assemblyOf();
    expect(await retainedTables(account, assembly, assembly.template)).toEqual([]);
    expect(await retainedTables(account, assemblyOf({ keysTableName: KEYS.name }), undefined)).toEqual([]);
    expect(await retainedTables(account, { ...assembly, stackName: 'Staging' }, undefined)).toEqual([]);
  });

  it('are checked before they are adopted', async () => {
    const context = { keysTableName: KEYS.name, adminTableName: 'admin' };
    const wrong: TableDescription = { name: 'admin', keys: ['pk'], items: 0 };
    expect(await tableProblems(accountWith([KEYS, wrong]), assemblyOf(context))).toEqual([
      'adminTableName: the table admin has the key pk instead of pk, at.',
    ]);
    expect(await tableProblems(accountWith([KEYS]), assemblyOf(context))).toEqual([
      'adminTableName: there is no table admin in eu-west-1.',
    ]);
    expect(await tableProblems(accountWith([KEYS, { ...wrong, keys: ['pk', 'at'] }]), assemblyOf(context))).toEqual([]);
  });
});

describe('the concurrency of the account', () => {
  it.each([
    [10, /may run only 10 Lambda executions at once/],
    [50, /may run only 50/],
  ])('of %s is warned of', async (limit, sentence) => {
    expect(await concurrencyWarning(accountWith([], 30, limit), 'eu-west-1')).toMatch(sentence);
  });

  it('is enough if it has 100 executions', async () => {
    expect(await concurrencyWarning(accountWith([], 30, 100), 'eu-west-1')).toBeUndefined();
  });

  it('that cannot be read does not stop the deployment', async () => {
    const account = { ...accountWith(), concurrency: () => Promise.reject(new Error('denied')) };
    expect(await concurrencyWarning(account, 'eu-west-1')).toContain('could not be read');
  });
});

describe('the record of a deployment', () => {
  it('is in the template, and is read from it', () => {
    const { template, record } = assemblyOf({ cacheTtlSeconds: 600, allowanceBrowse: '90/60,30/10' });
    expect(template.record).toEqual(record);
    expect(record.settings).toMatchObject({
      cacheTtlSeconds: '600',
      allowanceBrowse: '90/60,30/10',
      dashboard: 'true',
    });
    // Text of the command line gives the same settings again.
    expect(recordOf(readConfig(record.settings))).toEqual(record);
  });

  it('is absent in templates of other programs and of older releases', () => {
    for (const metadata of [undefined, {}, { Postern: 'x' }, { Postern: { release: '0.9.0' } }])
      expect(parseTemplate({ Metadata: metadata }).record).toBeUndefined();
  });
});

describe('the end of a deployment', () => {
  const outputs = new Map([
    ['Url', 'https://posts.example.org'],
    ['DistributionDomain', 'd1.cloudfront.net'],
  ]);
  const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

  it('says what a first deployment leaves to do', () => {
    const assembly = assemblyOf({ domainName: 'posts.example.org', certificateArn, alarmEmail: 'ops@example.org' });
    expect(closingLines(assembly.record, outputs, true).join('\n')).toMatch(
      /Point the DNS name posts\.example\.org to d1\.cloudfront\.net\.[\s\S]*npm run verify -- https:\/\/posts\.example\.org[\s\S]*Confirm the subscription in the mail to ops@example\.org[\s\S]*Set adminTokenHashes/,
    );
  });

  it.each([
    ['alarmEmail', 'ops@example.org'],
    ['adminTokenHashes', `ada=${'0'.repeat(64)}`],
    ['securityContact', 'mailto:security@example.org'],
    ['abuseContact', 'mailto:abuse@example.org'],
  ])('asks for %s after each deployment that has none', (setting, value) => {
    const linesWith = (settings: Readonly<Record<string, string>>) =>
      closingLines(assemblyOf(settings).record, outputs, false).join('\n');
    expect(linesWith({})).toContain(`  - Set ${setting}: without it, `);
    expect(linesWith({ [setting]: value })).not.toContain(`Set ${setting}`);
  });

  it('does not repeat what was done before', () => {
    const assembly = assemblyOf({ domainName: 'posts.example.org', certificateArn, alarmEmail: 'ops@example.org' });
    const text = closingLines(assembly.record, outputs, false).join('\n');
    expect(text).toContain('npm run verify');
    expect(text).not.toMatch(/Point the DNS|Confirm/);
  });
});

describe('a stack of the same name that is not a deployment of Postern', () => {
  it('is refused, because its resources would be deleted', () => {
    const foreign = { Resources: { Orders: { Type: 'AWS::RDS::DBInstance', Properties: {} } } };
    expect(stackProblem('Shop', 'UPDATE_COMPLETE', parseTemplate(foreign))).toMatch(
      /^The stack Shop of this account is not/,
    );
    expect(stackProblem('Shop', 'UPDATE_COMPLETE', parseTemplateText('Resources:\n  Orders: {}'))).toMatch(
      /Set stackName/,
    );
  });

  it('is none of this release or an earlier one', () => {
    const folder = new URL('releases/', import.meta.url);
    const releases = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(releases.length).toBeGreaterThan(5);
    for (const release of releases) {
      const document: unknown = JSON.parse(readFileSync(new URL(release, folder), 'utf8'));
      expect(stackProblem('Postern', 'UPDATE_COMPLETE', parseTemplate(document)), release).toBeUndefined();
    }
    expect(stackProblem('Postern', 'UPDATE_COMPLETE', parseTemplate(documentOf()))).toBeUndefined();
  });
});
