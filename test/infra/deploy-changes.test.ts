import type { Template as Synthesized } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { type Change, plural, topics } from '../../infra/deploy/change.ts';
import { compareTemplates } from '../../infra/deploy/compare.ts';
import { changeLines, creationLine, refusal } from '../../infra/deploy/report.ts';
import { parseTemplate, type Template } from '../../infra/deploy/template.ts';
import { templateOf } from './synthesized.ts';

type Context = Readonly<Record<string, unknown>>;

const memo = new Map<string, ReturnType<Synthesized['toJSON']>>();
/** A template is a JSON document, so a copy can be changed. */
const documentOf = (context: Context = {}) => {
  const key = JSON.stringify(context);
  const document = memo.get(key) ?? templateOf(context).toJSON();
  memo.set(key, document);
  return structuredClone(document);
};
const parsed = (context: Context = {}): Template => parseTemplate(documentOf(context));

const deployed = parsed();
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
const DOMAIN = { domainName: 'posts.example.org', certificateArn: CERTIFICATE };

const changesTo = (context: Context, from: Context = {}): readonly Change[] =>
  compareTemplates(parsed(from), parsed(context));
const refusedIn = (changes: readonly Change[]): readonly string[] =>
  changes.filter(({ needsYes }) => needsYes).map(({ text }) => text);
const textsOf = (changes: readonly Change[]): readonly string[] => changes.map(({ text }) => text);

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
    expect(compareTemplates(deployed, parsed())).toEqual([]);
    expect(refusal([], false)).toBeUndefined();
  });

  it('name each changed setting with its values, what it means and what it costs', () => {
    const changes = changesTo({ cacheTtlSeconds: 600, wafRateLimit: 2000, arch: 'x86_64' }, {});
    expect(changes).toContainEqual({
      topic: 'callers',
      text: 'cacheTtlSeconds: 300 -> 600. Seconds for which shared caches keep a new post; 0 turns caching off. Below 300, it also bounds old posts',
    });
    expect(changes).toContainEqual({
      topic: 'cost',
      text: expect.stringMatching(/^wafRateLimit: 0 -> 2000\. .*\$10 a month/),
    });
    expect(changes).toContainEqual({ topic: 'cost', text: expect.stringMatching(/^arch: arm64 -> x86_64\./) });
    expect(refusedIn(changes)).toEqual([]);
  });

  it('say that a setting goes back to its default, and that a setting is unset', () => {
    const texts = textsOf(changesTo({}, { allowanceBrowse: '90/60,30/10', securityContact: 'mailto:a@example.org' }));
    expect(texts).toContainEqual(expect.stringMatching(/^allowanceBrowse: 90\/60,30\/10 -> 60\/60\./));
    expect(texts).toContainEqual(expect.stringMatching(/^securityContact: mailto:a@example\.org -> unset\./));
  });

  it('compare the variables of functions if the deployed release did not record its settings', () => {
    const { Metadata: _, ...old } = documentOf();
    const changes = compareTemplates(parseTemplate(old), parsed({ cacheTtlSeconds: 600, baseUrl: 'https://x.org' }));
    expect(textsOf(changes)).toContain('the variable CACHE_TTL_SECONDS: 300 -> 600');
    expect(textsOf(changes)).toContain('the variable BASE_URL: unset -> https://x.org');
  });

  it.each([
    [
      { cursorSecretVersion: 2 },
      { cursorSecretVersion: 1 },
      'cursorSecretVersion falls from 2 to 1: the newest secret is deleted, and what it signed is rejected; set it to 2 to keep the secret, or to 3 to rotate it',
    ],
    [{ originSecretVersion: 3 }, { originSecretVersion: 2 }, 'originSecretVersion falls from 3 to 2'],
    [{}, { originSecretVersion: 3 }, 'originSecretVersion rises from 1 to 3: the secret in use is rejected at once'],
    [DOMAIN, {}, 'the domain posts.example.org no longer works'],
    [DOMAIN, { ...DOMAIN, domainName: 'x.example.org' }, 'the domain posts.example.org no longer works'],
    [{}, { keysTableName: 'old-keys' }, 'the table keys leaves the stack; AWS keeps it, and nothing uses it'],
    [{ adminTableName: 'old-admin' }, {}, 'the table admin is new and empty'],
    [{ adminTokenHashes: `ada=${'a'.repeat(64)}` }, {}, 'adminTokenHashes is no longer set: the dashboard closes'],
    [{ alarmEmail: 'ops@example.org' }, {}, 'alarmEmail is no longer set: alarms are visible only in the console'],
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
    expect(changes).not.toEqual([]);
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

  it('tell a deleted log group without asking for consent', () => {
    const changes = changed((resources) => void delete resources[idOf('AWS::Logs::LogGroup', 'search')]);
    expect(textsOf(changes)).toContainEqual(
      expect.stringMatching(/^the log group .* is deleted: the service loses its log/),
    );
    expect(refusedIn(changes)).toEqual([]);
  });

  it('name new and removed routes and new code', () => {
    const route = [...deployed.resources].find(([, row]) => row.properties['RouteKey'] === 'ANY /oembed')?.[0] ?? '';
    const changes = changed((resources) => {
      delete resources[route];
      Object.assign(resources['PostsFunction']?.Properties ?? {}, { Code: { S3Bucket: 'b', S3Key: 'other.zip' } });
    });
    expect(textsOf(changes)).toEqual(
      expect.arrayContaining(['routes that no longer exist: ANY /oembed', 'posts get new code']),
    );
  });

  it('name a wider permission, and need consent only if everybody gets it', () => {
    const policy = idOf('AWS::IAM::Policy', 'search');
    const Statement = [{ Effect: 'Allow', Action: 'dynamodb:Scan', Resource: '*' }];
    const wider = changed((resources) => {
      Object.assign(resources[policy]?.Properties ?? {}, { PolicyDocument: { Statement, Version: '2012-10-17' } });
    });
    expect(wider).toContainEqual({ topic: 'permissions', text: expect.stringMatching(/ may dynamodb:Scan on \*$/) });
    expect(refusedIn(wider)).toEqual([]);

    const open = changed((resources) => {
      resources['Open'] = {
        Type: 'AWS::Lambda::Permission',
        Properties: { Action: 'lambda:InvokeFunction', FunctionName: 'search', Principal: '*' },
      };
      resources['Bucket'] = { Type: 'AWS::S3::Bucket', Properties: {} };
      resources['Url'] = { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', TargetFunctionArn: 'search' } };
    });
    expect(refusedIn(open)).toEqual([
      'the public * may lambda:InvokeFunction on search',
      'the public may call the url Url without a signature',
      'public access to the bucket Bucket is not blocked',
    ]);
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
    expect(changes).toContainEqual(
      expect.objectContaining({ topic: 'permissions', text: expect.stringContaining('must not') }),
    );
  });
});

describe('the report', () => {
  const changes: readonly Change[] = [
    { topic: 'state', text: 'the table keys is deleted', needsYes: true },
    { topic: 'callers', text: 'cacheTtlSeconds: 300 -> 600' },
  ];

  it('groups the changes below headings, and marks those that need consent', () => {
    expect(changeLines(changes)).toEqual([
      topics.callers,
      '  - cacheTtlSeconds: 300 -> 600.',
      '',
      topics.state,
      '  ! The table keys is deleted.',
      '',
    ]);
  });

  it('refuses what needs consent, and goes on with --yes', () => {
    expect(refusal(changes, false)).toMatch(/^Refused: 1 change marked with ! .* run the command with --yes\.$/);
    expect(refusal(changes, true)).toBeUndefined();
  });

  it('counts in the plural', () => {
    const change: Change = { topic: 'state', text: 'the table keys is deleted', needsYes: true };
    expect(refusal([change, change], false)).toMatch(
      /^Refused: 2 changes marked with ! cannot be undone, or hurt users\./,
    );
    expect(plural(2, 'changed policy')).toBe('2 changed policies');
    expect(plural(2, 'changed gateway')).toBe('2 changed gateways');
  });

  it('counts what a first deployment creates', () => {
    expect(creationLine(deployed)).toMatch(
      /^This is the first deployment\. It creates \d+ resources, .*10 functions, 3 tables/,
    );
  });
});

describe('permissions in the properties of a resource', () => {
  const policy = (principal: unknown) => ({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: principal, Action: '*', Resource: '*' }],
  });
  const table = idOf('AWS::DynamoDB::Table', 'Tableskeys');

  it.each(['*', { AWS: '*' }, { AWS: ['arn:aws:iam::123456789012:root', '*'] }])(
    'are refused if a table is opened to %j',
    (principal) => {
      const changes = changed((resources) => {
        const Properties: Record<string, unknown> = resources[table]?.Properties ?? {};
        Properties['ResourcePolicy'] = { PolicyDocument: policy(principal) };
      });
      expect(refusedIn(changes)).toEqual(['the resource policy of the table keys admits the public']);
    },
  );

  const everyoneElse = { NotPrincipal: { AWS: 'arn:aws:iam::123456789012:root' }, Action: '*', Resource: '*' };
  const withPolicies = (Effect: string) =>
    changed((resources) => {
      const PolicyDocument = { Version: '2012-10-17', Statement: [{ Effect, ...everyoneElse }] };
      Object.assign(resources[table]?.Properties ?? {}, { ResourcePolicy: { PolicyDocument } });
      resources['Open'] = { Type: 'AWS::SNS::TopicPolicy', Properties: { Topics: ['topic'], PolicyDocument } };
    });

  it('are refused if a policy admits everyone but one', () => {
    expect(refusedIn(withPolicies('Allow'))).toEqual([
      'the public NOT AWS:arn:aws:iam::123456789012:root may * on topic',
      'the resource policy of the table keys admits the public',
    ]);
    expect(refusedIn(withPolicies('Deny'))).toEqual([]);
  });

  it('are told if a table gets another policy', () => {
    const changes = changed((resources) => {
      const Properties: Record<string, unknown> = resources[table]?.Properties ?? {};
      Properties['ResourcePolicy'] = { PolicyDocument: policy({ AWS: 'arn:aws:iam::123456789012:root' }) };
    });
    expect(refusedIn(changes)).toEqual([]);
    expect(textsOf(changes)).toContain('the resource policy of the table keys changes');
  });

  it('are refused if a bucket gets a public ACL', () => {
    const before = parsed({ accessLogDays: 30 });
    const document = documentOf({ accessLogDays: 30 });
    const [id = ''] = [...before.resources].find(([, { type }]) => type === 'AWS::S3::Bucket') ?? [];
    document.Resources[id].Properties.AccessControl = 'PublicRead';
    expect(refusedIn(compareTemplates(before, parseTemplate(document)))).toEqual([
      expect.stringMatching(/^the bucket \w+ has the ACL PublicRead$/i),
    ]);
  });

  it('are refused if a role loses its permissions boundary', () => {
    const id = idOf('AWS::IAM::Role');
    const bounded = documentOf();
    bounded.Resources[id].Properties.PermissionsBoundary = 'arn:aws:iam::123456789012:policy/boundary';
    expect(refusedIn(compareTemplates(parseTemplate(bounded), deployed))).toEqual([
      expect.stringMatching(/^the role .+ loses its permissions boundary$/),
    ]);
  });
});
