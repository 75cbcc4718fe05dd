import { describe, expect, it } from 'vitest';
import { type Changes, changeLines, compareTemplates, refusal } from '../../infra/deploy/changes.ts';
import { parseTemplate, type Template } from '../../infra/deploy/template.ts';
import { documentOf } from './synthesized.ts';

type Context = Readonly<Record<string, unknown>>;

const parsed = (context: Context = {}): Template => parseTemplate(documentOf(context));

const deployed = parsed();
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
const DOMAIN = { domainName: 'posts.example.org', certificateArn: CERTIFICATE };

const changesTo = (context: Context, from: Context = {}): Changes => compareTemplates(parsed(from), parsed(context));
const textsOf = (changes: Changes): readonly string[] =>
  Object.values(changes)
    .flat()
    .map(({ text }) => text);
const refusedIn = (changes: Changes): readonly string[] =>
  Object.values(changes)
    .flat()
    .flatMap(({ text, needsYes }) => (needsYes ? [text] : []));

/** Changes a copy of the default template as a later release might. */
const changed = (
  change: (resources: Record<string, { Type: string; Properties: Record<string, unknown> }>) => void,
) => {
  const document = documentOf();
  change(document.Resources);
  return compareTemplates(deployed, parseTemplate(document));
};
const idOf = (type: string, start = ''): string =>
  [...deployed.resources].find(([id, row]) => row.type === type && id.startsWith(start))?.[0] ?? '';

describe('the changes of a deployment', () => {
  it('are none if the template is the same', () => {
    expect(compareTemplates(deployed, parsed())).toEqual({});
    expect(refusal({}, false)).toBeUndefined();
  });

  it('name each changed setting with its values, what it means and what it costs', () => {
    const changes = changesTo({ cacheTtlSeconds: 600, wafRateLimit: 2000, arch: 'x86_64' }, {});
    expect(changes['Settings']?.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^arch: arm64 -> x86_64\./),
      'cacheTtlSeconds: 300 -> 600. Seconds for which shared caches keep a new post; 0 turns caching off. Below 300, it also bounds old posts',
      expect.stringMatching(/^wafRateLimit: 0 -> 2000\. .*\$10 a month/),
    ]);
    expect(refusedIn(changes)).toEqual([]);
  });

  it('say that a setting goes back to its default, and that a setting is unset', () => {
    const texts = textsOf(changesTo({}, { allowanceBrowse: '90/60,30/10', securityContact: 'mailto:a@example.org' }));
    expect(texts).toContainEqual(expect.stringMatching(/^allowanceBrowse: 90\/60,30\/10 -> 60\/60\./));
    expect(texts).toContainEqual(expect.stringMatching(/^securityContact: mailto:a@example\.org -> unset\./));
  });

  it('say if the deployed release did not record its settings', () => {
    const { Metadata: _, ...old } = documentOf();
    const [text] = textsOf(compareTemplates(parseTemplate(old), deployed));
    expect(text).toMatch(/^the deployed release recorded no settings/);
  });

  it.each([
    [
      { cursorSecretVersion: 2 },
      { cursorSecretVersion: 1 },
      'cursorSecretVersion falls from 2 to 1: the secret in use is deleted, and what it signed is rejected; keep 2, or set 3 to rotate it',
    ],
    [{ originSecretVersion: 3 }, { originSecretVersion: 2 }, 'originSecretVersion falls from 3 to 2'],
    [{}, { originSecretVersion: 3 }, 'originSecretVersion rises from 1 to 3: the secret in use is rejected at once'],
    [DOMAIN, {}, 'domainName: posts.example.org -> unset: the domain no longer works'],
    [
      DOMAIN,
      { ...DOMAIN, domainName: 'x.example.org' },
      'domainName: posts.example.org -> x.example.org: the domain no longer works',
    ],
    [{}, { keysTableName: 'old-keys' }, 'the table keys leaves the stack; AWS keeps it, and nothing uses it'],
    [{ adminTableName: 'old-admin' }, {}, 'the table admin is new and empty'],
    [{ adminTokenHashes: `ada=${'a'.repeat(64)}` }, {}, '-> unset: the dashboard closes'],
    [
      { alarmEmail: 'ops@example.org' },
      {},
      'alarmEmail: ops@example.org -> unset: alarms are visible only in the console',
    ],
  ])('from %j to %j need consent', (from, to, text) => {
    expect(refusedIn(changesTo(to, from))).toEqual([expect.stringContaining(text)]);
  });

  it.each([
    [{}, { cursorSecretVersion: 2, originSecretVersion: 2 }],
    [{ cursorSecretVersion: 2 }, { cursorSecretVersion: 3 }],
    [{}, DOMAIN],
    [{}, { alarmEmail: 'ops@example.org', arch: 'x86_64', logRetentionDays: 7 }],
    [{}, { providers: 'x_api,fxtwitter', xApiTokenSecret: 'postern/x' }],
  ])('from %j to %j need none', (from, to) => {
    const changes = changesTo(to, from);
    expect(textsOf(changes)).not.toEqual([]);
    expect(refusedIn(changes)).toEqual([]);
  });

  it('need consent if a later release replaces or deletes a table, a secret or the distribution', () => {
    const table = idOf('AWS::DynamoDB::Table', 'Tablesadmin');
    const replaced = changed((resources) => {
      Object.assign(resources[table]?.Properties ?? {}, { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] });
    });
    expect(refusedIn(replaced)).toEqual(['the table admin is replaced by a new one: the service loses its items']);
    const counters = changed((resources) => void delete resources[idOf('AWS::DynamoDB::Table', 'Tablescounters')]);
    expect(refusedIn(counters)).toEqual(['the table counters is deleted: the service loses its items']);
    const distribution = changed((resources) => void delete resources[idOf('AWS::CloudFront::Distribution')]);
    expect(refusedIn(distribution)).toContainEqual(expect.stringContaining('the service loses the URL of the service'));
  });

  it('name a wider permission, and need consent only if everybody gets it', () => {
    const policy = idOf('AWS::IAM::Policy', 'search');
    const Statement = [{ Effect: 'Allow', Action: 'dynamodb:Scan', Resource: '*' }];
    const wider = changed((resources) => {
      Object.assign(resources[policy]?.Properties ?? {}, { PolicyDocument: { Statement, Version: '2012-10-17' } });
    });
    expect(wider['Permissions']?.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/ may dynamodb:Scan on \*$/),
    );
    expect(refusedIn(wider)).toEqual([]);

    const open = changed((resources) => {
      resources['Open'] = {
        Type: 'AWS::Lambda::Permission',
        Properties: { Action: 'lambda:InvokeFunction', FunctionName: 'search', Principal: '*' },
      };
    });
    expect(refusedIn(open)).toEqual(['the public * may lambda:InvokeFunction on search']);
  });

  it('name a prohibition that is removed', () => {
    const from = parsed({ alarmEmail: 'ops@example.org' });
    const document = documentOf({ alarmEmail: 'ops@example.org' });
    const policy = Object.values<{ Type: string; Properties: Record<string, { Statement: { Effect: string }[] }> }>(
      document.Resources,
    ).find(({ Type }) => Type === 'AWS::SNS::TopicPolicy')?.Properties['PolicyDocument'];
    if (policy === undefined) throw new Error('there is no topic policy');
    policy.Statement = policy.Statement.filter(({ Effect }) => Effect !== 'Deny');
    const changes = compareTemplates(from, parseTemplate(document));
    expect(textsOf(changes)).toContainEqual(expect.stringContaining('is no longer denied'));
  });
});

describe('the report', () => {
  const changes: Changes = {
    Settings: [{ text: 'cacheTtlSeconds: 300 -> 600' }],
    State: [{ text: 'the table keys is deleted', needsYes: true }],
    Permissions: [],
  };

  it('groups the changes below headings, and marks those that need consent', () => {
    expect(changeLines(changes)).toEqual([
      'Settings',
      '  - cacheTtlSeconds: 300 -> 600.',
      '',
      'State',
      '  ! the table keys is deleted.',
      '',
    ]);
  });

  it('refuses what needs consent, and goes on with --yes', () => {
    expect(refusal(changes, false)).toMatch(/^Refused: what is marked with ! \(1\) .* run the command with --yes\.$/);
    expect(refusal(changes, true)).toBeUndefined();
  });
});
