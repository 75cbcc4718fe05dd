// Runs every check of the stack in every configuration, and prints one table of what each check said. cfn-lint runs if
// CFN_LINT is the path of the program, as in .ci/run.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { afterAll, describe, expect, test } from 'vitest';
import { acknowledgeRules, addGuidelines } from '../../infra/constructs/acknowledge-rules.ts';
import { parseJson } from '../../shared/model/json.ts';
import { isFullForm } from '../support/full-form.ts';
import { type Context, configurations } from './configurations.ts';
import { fieldsOf } from './evaluation/template.ts';
import { statementFaults, statements } from './statements.ts';
import { createStack, synthesize, templateOf } from './synthesized.ts';

const BUSY = 120_000;

/**
 * The configurations of `npm test`: each setting with another construct, and both with everything. `TEST_FORM=full`
 * judges all, also with the validator of CloudFormation, which needs seconds.
 */
const SHORT: readonly string[] = [
  'default',
  'domain',
  'another region',
  'web ACL, domain',
  'hosted zone, price class',
  'own web ACL, another region',
  'scheduled canary, another region, domain',
  'no signals',
  'adopted tables, rotated, X API',
  'everything',
  'everything, another region',
] satisfies readonly (keyof typeof configurations)[];

interface Finding {
  readonly rule: string;
  /** The construct. */
  readonly path: string;
}

const findingsOf = (scope: IConstruct): readonly Finding[] =>
  [AwsSolutionsChecks, ServerlessChecks].flatMap((Pack) =>
    new Pack()
      .validateScope(scope)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, path: constructPath })),
      ),
  );

const KEY = Validations.ACKNOWLEDGED_RULES_METADATA_KEY;

/** The findings as if nothing were acknowledged: cdk-nag reads the records by this key. */
const allFindingsOf = (scope: IConstruct): readonly Finding[] => {
  Reflect.set(Validations, 'ACKNOWLEDGED_RULES_METADATA_KEY', 'none');
  try {
    return findingsOf(scope);
  } finally {
    Reflect.set(Validations, 'ACKNOWLEDGED_RULES_METADATA_KEY', KEY);
  }
};

/** The acknowledged rules with the constructs that they are recorded at. */
const acknowledgedIn = (scope: IConstruct): readonly Finding[] =>
  scope.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === KEY)
      .flatMap(({ data }) => Object.keys(fieldsOf(data)))
      .map((rule) => ({ rule: rule.replace(/^annotation::/i, ''), path: node.path })),
  );

/** The acknowledged rules, and whether a resource in their construct violates them. The name of the stack is left out. */
const acknowledgements = (stack: IConstruct): ReadonlyMap<string, boolean> => {
  const findings = allFindingsOf(stack);
  const isUsed = ({ rule, path }: Finding): boolean =>
    findings.some((finding) => finding.rule === rule && `${finding.path}/`.startsWith(`${path}/`));
  return new Map(
    acknowledgedIn(stack)
      .filter(({ rule }) => /^(AwsSolutions|Serverless)-/.test(rule))
      .map((row) => [`${row.rule} at ${row.path.replace(/^[^/]+\//, '')}`, isUsed(row)]),
  );
};

const linter = process.env['CFN_LINT'] || undefined;
const folder = mkdtempSync(join(tmpdir(), 'postern-configurations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const LARGE = { maxBuffer: 64 * 1024 * 1024 };

/** The findings of cfn-lint by file. One process per region, because most of the time is for its schemas. */
const lint = async (files: readonly string[], region: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (linter === undefined || files.length === 0) return new Map();
  // W3005: the CDK lets every function depend on its role, which the function also names. This changes no deployment.
  const options = ['--format', 'json', '--regions', region, '--ignore-checks', 'W3005'];
  // It exits with a bit per level of its findings.
  const output = await run(linter, [...options, '--template', ...files], LARGE).then(
    ({ stdout }) => stdout,
    ({ stdout, message }: { readonly stdout?: string; readonly message: string }) => stdout || message,
  );
  const findings = parseJson(output.trim() === '' ? '[]' : output);
  if (!Array.isArray(findings)) throw new Error(output);
  const rows = findings.map(fieldsOf);
  return new Map(
    files.map((file) => [
      file,
      rows
        .filter(({ Filename }) => Filename === file)
        .map(({ Rule, Message }) => `${String(fieldsOf(Rule)['Id'])}: ${String(Message)}`),
    ]),
  );
};

interface Said {
  readonly 'cdk-nag': readonly string[];
  readonly file: string;
  readonly region: string;
  readonly statements: ReadonlyMap<string, readonly string[]>;
  readonly acknowledged: ReadonlyMap<string, boolean>;
  readonly resources: number;
}

const judge = (context: Context): Said => {
  const stack = createStack(context, { isValidated: isFullForm });
  const nag = findingsOf(stack).map(({ rule, path }) => `${rule} at ${path}`);
  const acknowledged = acknowledgements(stack);
  const json = Template.fromStack(stack).toJSON();
  synthesize(stack);
  const file = join(folder, `${said.size}.json`);
  writeFileSync(file, JSON.stringify(json));
  return {
    'cdk-nag': nag,
    file,
    region: stack.region,
    statements: statementFaults({ json, region: stack.region }),
    acknowledged,
    resources: Object.keys(fieldsOf(json['Resources'])).length,
  };
};

const rows = Object.entries<Context>(configurations).filter(([name]) => isFullForm || SHORT.includes(name));
const said = new Map<string, Said>();
const linted = new Map<string, readonly string[]>();

/** Each configuration is judged once, by the first test that needs it. */
const saidOf = (name: string, context: Context): Said => {
  const row = said.get(name) ?? judge(context);
  said.set(name, row);
  return row;
};

const judgeAll = (): void => {
  for (const [name, context] of rows) saidOf(name, context);
};

const word = (faults: readonly string[]): string => (faults.length === 0 ? 'ok' : `${faults.length} faults`);

/** The table in Markdown: one row per configuration, one column per check. */
const table = (): string => {
  const short = statements.map((name) => name.replace(/^.*#/, '#'));
  const lines = [...said].map(([name, row]) => [
    name,
    String(row.resources),
    word(row['cdk-nag']),
    linter === undefined ? 'not run' : word(linted.get(row.file) ?? []),
    ...statements.map((statement) => word(row.statements.get(statement) ?? [])),
  ]);
  const head = ['configuration', 'resources', 'cdk-nag', 'cfn-lint', ...short];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

describe('[methods 2] [methods 4] [keys 7] [caching 1] [caching 3] [caching 7] [caching 9] [caching 23] [platform 1] [platform 2] [platform 3] [platform 4] [platform 5] every statement holds', () => {
  test.each(rows)('with %s', { timeout: BUSY }, (name, context) => {
    const row = saidOf(name, context);
    expect(row['cdk-nag']).toEqual([]);
    expect(Object.fromEntries([...row.statements].filter(([, faults]) => faults.length > 0))).toEqual({});
    // CloudFormation accepts 500 resources in a template.
    expect(row.resources).toBeLessThan(500);
  });

  test('every acknowledged rule has a use in some configuration', { timeout: 5 * BUSY }, () => {
    judgeAll();
    const all = [...said.values()].flatMap(({ acknowledged }) => [...acknowledged]);
    const used = new Set(all.filter(([, isUsed]) => isUsed).map(([rule]) => rule));
    const names = [...new Set(all.map(([rule]) => rule))];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((rule) => !used.has(rule))).toEqual([]);
  });
});

afterAll(() => console.log(table()));

test.skipIf(linter === undefined)(
  'cfn-lint finds nothing in any configuration, but for a needless dependency',
  { timeout: 5 * BUSY },
  async () => {
    judgeAll();
    const regions = Map.groupBy(said.values(), ({ region }) => region);
    const found = await Promise.all(
      [...regions].map(([region, same]) =>
        lint(
          same.map(({ file }) => file),
          region,
        ),
      ),
    );
    for (const [file, findings] of found.flatMap((byFile) => [...byFile])) linted.set(file, findings);
    const names = [...said].map(([name, { file }]) => [name, linted.get(file) ?? ['not linted']]);
    expect(Object.fromEntries(names.filter(([, findings]) => findings?.length !== 0))).toEqual({});
  },
);

describe('the checks themselves', () => {
  const appWith = async (change: (stack: Stack) => void): Promise<App> => {
    const app = new App({ builtinCloudFormationValidation: false });
    await addGuidelines(app);
    change(new Stack(app, 'Sample'));
    return app;
  };
  const synth = (app: App): void => rmSync(app.synth().directory, { recursive: true });

  test('a finding fails the synthesis, and an acknowledged rule does not', async () => {
    const plain = await appWith((stack) => void new Topic(stack, 'Topic'));
    expect(() => synth(plain)).toThrow();
    const acknowledged = await appWith((stack) =>
      acknowledgeRules(new Topic(stack, 'Topic'), { 'AwsSolutions-SNS3': 'A sample without subscribers.' }),
    );
    expect(() => synth(acknowledged)).not.toThrow();
  });

  const sample = fieldsOf(templateOf().toJSON());
  /** Each resource of the type that has the member gets another value there. */
  const broken = (type: string, path: string, change: (value: unknown) => unknown) => {
    const json: Record<string, Record<string, Record<string, unknown>>> = structuredClone(Object(sample));
    const names = path.split('.');
    const last = names.pop() ?? '';
    for (const resource of Object.values(json['Resources'] ?? {})) {
      if (resource['Type'] !== `AWS::${type}`) continue;
      const owner = names.reduce((value, name) => Object(Object(value)[name]), resource['Properties']);
      Object(owner)[last] = change(Object(owner)[last]);
    }
    const faults = statementFaults({ json, region: 'us-east-1' });
    return [...faults].filter(([, found]) => found.length > 0).map(([statement]) => statement);
  };

  const to = (value: unknown) => () => value;
  const withText = (text: string, other: string) => (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(text, other));
  const everyone = { Effect: 'Allow', NotPrincipal: { AWS: 'a' }, Action: '*', Resource: '*' };
  const DISTRIBUTION = 'DistributionConfig';
  const KEY_OF_CACHE = 'CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin';

  // biome-ignore format: a line for each fault
  test.each<[string, string, string, (value: unknown) => unknown, readonly string[]]>([
    ['a behavior for GET alone', 'CloudFront::Distribution', `${DISTRIBUTION}.DefaultCacheBehavior.AllowedMethods`, to(['GET', 'HEAD']), ['methods 4']],
    ['errors that are kept', 'CloudFront::Distribution', `${DISTRIBUTION}.CustomErrorResponses`, (rows) => Object(rows).slice(1), ['caching 3']],
    ['no edge function', 'CloudFront::Distribution', `${DISTRIBUTION}.DefaultCacheBehavior.FunctionAssociations`, to([]), ['caching 7']],
    ['a second origin', 'CloudFront::Distribution', `${DISTRIBUTION}.OriginGroups`, to({ Items: [{}], Quantity: 1 }), ['caching 9']],
    ['no CORS', 'CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig.CorsConfig', to(undefined), ['platform 1']],
    ['headers that override', 'CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig.CorsConfig.OriginOverride', to(true), ['platform 2']],
    ['a minimum lifetime', 'CloudFront::CachePolicy', 'CachePolicyConfig.MinTTL', to(1), ['caching 1', 'caching 9']],
    ['a cache key without the query', 'CloudFront::CachePolicy', `${KEY_OF_CACHE}.QueryStringsConfig.QueryStringBehavior`, to('none'), ['caching 7']],
    ['CORS at the API', 'ApiGatewayV2::Api', 'CorsConfiguration', to({}), ['platform 3']],
    ['another method', 'ApiGatewayV2::Route', 'RouteKey', withText('ANY ', 'GET '), ['methods 2', 'platform 4']],
    ['no permission to read keys', 'IAM::Policy', 'PolicyDocument', withText('"dynamodb:GetItem"', '"dynamodb:Query"'), ['keys 7']],
    ['no permission to call', 'Lambda::Permission', 'Principal', to('events.amazonaws.com'), ['platform 5']],
    ['a policy for everyone but one', 'DynamoDB::Table', 'ResourcePolicy', to({ PolicyDocument: { Statement: [everyone] } }), ['platform 5']],
    ['a permission without a bound', 'IAM::Policy', 'PolicyDocument', withText('"dynamodb:UpdateItem"', '"dynamodb:*"'), ['platform 5']],
  ])('%s is found', (_, type, path, change, expected) => {
    expect(broken(type, path, change)).toEqual(expected);
  });
});
