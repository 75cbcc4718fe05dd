// Tests what `npm run deploy` does beside `cdk deploy`. .ci/moto runs the whole command.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../infra/config/deployment-record.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { concurrencyWarning, reservationProblem, unboundedPictures } from '../../infra/deploy/concurrency.ts';
import {
  foreignStack,
  nextSteps,
  parseArguments,
  rotationProblem,
  runWithPolicy,
  wayBack,
} from '../../infra/deploy/deploy.ts';
import { openHostWarning } from '../../infra/deploy/open-host.ts';
import { openPolicy, protectivePolicy } from '../../infra/deploy/stack-policy.ts';
import { parseTemplate, type Template } from '../../infra/deploy/template.ts';
import { createStack, documentOf } from './synthesized.ts';

type Context = Readonly<Record<string, unknown>>;

const templateOf = (context: Context = {}): Template => parseTemplate(JSON.stringify(documentOf(context)));
const recorded = (context: Context = {}) => recordOf(readConfig(context));

describe('the arguments of npm run deploy', () => {
  it('are options of its own, and those of cdk deploy, of which synthesis gets the settings', () => {
    const given = [
      '-c',
      'a=1',
      '--context=b=2=3',
      '--profile',
      'prod',
      '--yes',
      '--no-verify',
      '--parameters',
      'A=x',
      '--parameters',
      'B=x',
    ];
    expect(parseArguments(given)).toEqual({
      yes: true,
      dryRun: false,
      noVerify: true,
      profile: 'prod',
      context: ['-c', 'a=1', '-c', 'b=2=3'],
      cdk: ['-c', 'a=1', '--context=b=2=3', '--profile', 'prod', '--parameters', 'A=x', '--parameters', 'B=x'],
    });
    expect(parseArguments(['-y', '--dry-run', '--profile=p'])).toMatchObject({ yes: true, dryRun: true, profile: 'p' });
    expect(parseArguments([])).toMatchObject({
      yes: false,
      dryRun: false,
      noVerify: false,
      profile: undefined,
      cdk: [],
    });
  });
});

describe('[platform 8] the stack policy', () => {
  const deniedBy = (policy: string): readonly string[] => {
    const [allow, deny] = JSON.parse(policy).Statement;
    expect(allow).toEqual({ Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' });
    expect(deny).toMatchObject({ Effect: 'Deny', Principal: '*', Action: ['Update:Replace', 'Update:Delete'] });
    const resources: readonly string[] = deny.Resource;
    return resources.map((resource) => resource.replace('LogicalResourceId/', ''));
  };

  it('names what holds data or an address, and the secrets in use', () => {
    const template = templateOf({ pictures: 'proxied', accessLogDays: 30, cursorSecretVersion: 3 });
    const denied = deniedBy(protectivePolicy(template));
    const named = denied.map((id) => id.replace(/[0-9A-F]{8}$/, ''));
    expect(named.toSorted()).toEqual([
      'CdnDistribution',
      'CursorSecretV3',
      'HttpApi',
      expect.stringMatching(/^McpEndpoint|^mcpFunctionUrl/),
      'OriginSecretV1',
      'Tablesadmin',
      'Tablescounters',
      'Tableskeys',
    ]);
    for (const id of denied) expect(template.resources.has(id), id).toBe(true);
    expect(createStack().terminationProtection).toBe(true);
  });

  it('lets CloudFormation refuse each version of a secret but the same and the next one', () => {
    const denied = deniedBy(protectivePolicy(templateOf({ cursorSecretVersion: 3 })));
    const isRefused = (cursorSecretVersion: number): boolean => {
      const { resources } = templateOf({ cursorSecretVersion });
      return denied.some((id) => !resources.has(id));
    };
    expect([1, 2, 3, 4, 5].map(isRefused)).toEqual([true, true, false, false, true]);
  });

  /** Each test sees the policies, in their order. */
  const policiesOf = async (before: Template | undefined, yes: boolean, run: () => Promise<void>) => {
    const after = templateOf({ cursorSecretVersion: 2 });
    const set: string[] = [];
    const setPolicy = async (policy: string): Promise<void> => void set.push(policy);
    await runWithPolicy({ before, after, yes, setPolicy, run }).catch(() => undefined);
    const names = new Map([
      [openPolicy, 'open'],
      [protectivePolicy(templateOf()), 'for the old stack'],
      [protectivePolicy(after), 'for the new stack'],
    ]);
    return set.map((policy) => names.get(policy));
  };
  const succeeds = async (): Promise<void> => undefined;
  const fails = (): Promise<void> => Promise.reject(new Error('why'));

  it.each([
    ['succeeds', true, false, succeeds, ['for the old stack', 'for the new stack']],
    ['fails', true, false, fails, ['for the old stack']],
    ['succeeds with --yes', true, true, succeeds, ['open', 'for the new stack']],
    ['fails with --yes', true, true, fails, ['open', 'for the old stack']],
    ['creates the stack', false, false, succeeds, ['for the new stack']],
    ['does not create the stack', false, false, fails, []],
  ])('is set when the deployment %s', async (_, exists, yes, run, policies) => {
    expect(await policiesOf(exists ? templateOf() : undefined, yes, run)).toEqual(policies);
  });
});

describe('[platform 8] the rotation of a secret', () => {
  it.each([
    [
      { cursorSecretVersion: 2 },
      { cursorSecretVersion: 1 },
      'cursorSecretVersion goes from 2 to 1, and the secret in use is rejected at once: keep 2, or set 3',
    ],
    [{ originSecretVersion: 3 }, { originSecretVersion: 2 }, 'originSecretVersion goes from 3 to 2'],
    [{}, { originSecretVersion: 3 }, 'originSecretVersion goes from 1 to 3'],
  ])('from %j to %j is refused with what to set', (from, to, text) => {
    expect(rotationProblem(templateOf(from), templateOf(to))).toContain(text);
  });

  it.each([
    [{}, {}],
    [{}, { cursorSecretVersion: 2, originSecretVersion: 2 }],
    [{ cursorSecretVersion: 2 }, { cursorSecretVersion: 3 }],
  ])('from %j to %j is none to refuse', (from, to) => {
    expect(rotationProblem(templateOf(from), templateOf(to))).toBeUndefined();
  });
});

describe('[standing 1] a host that is open to all', () => {
  const OFFICIAL = { providers: 'fxtwitter,x_api', xApiTokenSecret: 'x-token' };
  const ACL = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/own/0a1b2c3d-0000-1111-2222-333344445555';
  const warningOf = (settings: Readonly<Record<string, string>>) => openHostWarning(recordOf(readConfig(settings)));

  it('is warned of if the official API answers there', () => {
    expect(warningOf(OFFICIAL)).toContain('x_api answers everybody who knows the address');
  });

  it('is not warned of without the official API, or with a web ACL of the operator', () => {
    expect(warningOf({})).toBe('');
    expect(warningOf({ ...OFFICIAL, webAclArn: ACL })).toBe('');
  });
});

describe('the concurrency of the account', () => {
  const warn = (limit: number): Promise<string> => concurrencyWarning({ concurrency: async () => limit }, 'eu-west-1');

  it('is warned of below 100 executions', async () => {
    expect(await warn(10)).toMatch(/may run only 10 Lambda executions at once/);
    expect(await warn(100)).toBe('');
  });

  it.each([
    ['proxied', 100, 10, /Set mediaConcurrency to 0:/],
    ['proxied', 100, 150, /Set mediaConcurrency to 50 or less:/],
    ['proxied', 100, 200, undefined],
    ['proxied', 0, 10, undefined],
    ['direct', 100, 10, undefined],
  ])(
    '[pictures 8] with pictures %s and %i reserved of %i stops the deployment if Lambda refuses',
    async (pictures, mediaConcurrency, limit, sentence) => {
      const problem = await reservationProblem(
        { concurrency: async () => limit },
        recorded({ pictures, mediaConcurrency }),
      );
      if (sentence === undefined) expect(problem).toBeUndefined();
      else expect(problem).toMatch(sentence);
    },
  );

  it('[pictures 8] without a bound of pictures is warned of', () => {
    expect(unboundedPictures(recorded({ pictures: 'proxied', mediaConcurrency: 0 }))).toContain(
      'mediaConcurrency is 0',
    );
    expect(unboundedPictures(recorded({ pictures: 'proxied' }))).toBe('');
    expect(unboundedPictures(recorded({ mediaConcurrency: 0 }))).toBe('');
  });

  it('that cannot be read does not stop the deployment', async () => {
    const account = { concurrency: () => Promise.reject(new Error('denied')) };
    expect(await concurrencyWarning(account, 'eu-west-1')).toContain('could not be read');
  });
});

describe('the record of a deployment', () => {
  it('is in the template, and is read from it', () => {
    const context = { cacheTtlSeconds: 600, allowanceBrowse: '90/60,30/10' };
    const record = recorded(context);
    expect(templateOf(context).record).toEqual(record);
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
      expect(parseTemplate(JSON.stringify({ Metadata: metadata })).record).toBeUndefined();
  });
});

describe('[platform 8] the end of a deployment', () => {
  const outputs = new Map([
    ['Url', 'https://posts.example.org'],
    ['DistributionDomain', 'd1.cloudfront.net'],
  ]);
  const domain = {
    domainName: 'posts.example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
    alarmEmail: 'ops@example.org',
  };

  it('says what a first deployment leaves to do, and does not repeat it', () => {
    expect(nextSteps(recorded(domain), outputs, true).join('\n')).toMatch(
      /Point the DNS name posts\.example\.org to d1\.cloudfront\.net\.[\s\S]*npm run verify -- https:\/\/posts\.example\.org[\s\S]*Confirm the subscription in the mail to ops@example\.org[\s\S]*Set adminTokenHashes/,
    );
    expect(nextSteps(recorded(domain), outputs, false).join('\n')).not.toMatch(/Point the DNS|Confirm/);
  });

  it.each([
    ['alarmEmail', 'ops@example.org'],
    ['adminTokenHashes', `ada=${'0'.repeat(64)}`],
    ['securityContact', 'mailto:security@example.org'],
    ['abuseContact', 'mailto:abuse@example.org'],
  ])('asks for %s after each deployment that has none', (setting, value) => {
    const linesWith = (settings: Context) => nextSteps(recorded(settings), outputs, false).join('\n');
    expect(linesWith({})).toContain(`  - Set ${setting}: without it, `);
    expect(linesWith({ [setting]: value })).not.toContain(`Set ${setting}`);
  });

  it('names the way back to the release before in one line', () => {
    expect(wayBack('2.7.0')).toMatch(/git checkout v2\.7\.0 && npm ci && npm run deploy$/);
    expect(wayBack('2.7.0').split('\n')).toHaveLength(1);
    expect(wayBack(undefined)).not.toContain('git');
  });
});

describe('a stack of the same name that is not a deployment of Postern', () => {
  it('is refused, because its resources would be deleted', () => {
    const foreign = JSON.stringify({ Resources: { Orders: { Type: 'AWS::RDS::DBInstance', Properties: {} } } });
    expect(foreignStack('Shop', parseTemplate(foreign))).toMatch(/^The stack Shop of this account is not/);
    expect(foreignStack('Shop', parseTemplate('Resources:\n  Orders: {}'))).toMatch(/Set stackName/);
  });

  it('is none of this release or an earlier one', () => {
    const folder = new URL('releases/', import.meta.url);
    const releases = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(releases.length).toBeGreaterThan(5);
    for (const release of releases)
      expect(
        foreignStack('Postern', parseTemplate(readFileSync(new URL(release, folder), 'utf8'))),
        release,
      ).toBeUndefined();
    expect(foreignStack('Postern', templateOf())).toBeUndefined();
  });
});
