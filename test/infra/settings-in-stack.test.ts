import { describe, expect, it } from 'vitest';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { documentOf } from './synthesized.ts';

type Context = Readonly<Record<string, unknown>>;

interface Row {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the properties of a synthesized resource are JSON
  readonly Properties: Readonly<Record<string, any>>;
}

const resources = (context: Context = {}): Readonly<Record<string, Row>> => documentOf(context)['Resources'];
const ofType = (rows: Readonly<Record<string, Row>>, type: string): readonly (readonly [string, Row])[] =>
  Object.entries(rows).filter(([, row]) => row.Type === type);
const variablesOf = (row: Row | undefined) => row?.Properties['Environment']?.Variables ?? {};

describe('stackName', () => {
  const NAME = /^(?!Metric|Policy)\w*Name$/;
  /** The names of resources, which must be unique in an account. */
  const accountNames = (rows: Readonly<Record<string, Row>>): readonly string[] =>
    Object.values(rows).flatMap(({ Properties }) => {
      const config = Object.entries(Properties).flatMap(([name, value]) => (name.endsWith('Config') ? [value] : []));
      return [Properties, ...config].flatMap((part) =>
        Object.entries(part).flatMap(([name, value]) => (NAME.test(name) && typeof value === 'string' ? [value] : [])),
      );
    });
  /** The names of what AWS itself measures, and of a stage within an HTTP API. */
  const notUnique = new Set(['$default', 'Errors', 'Throttles']);
  const policyNames = (rows: Readonly<Record<string, Row>>): readonly string[] =>
    ['CachePolicy', 'OriginRequestPolicy', 'ResponseHeadersPolicy'].flatMap((kind) =>
      ofType(rows, `AWS::CloudFront::${kind}`).map(([, { Properties }]) => Properties[`${kind}Config`].Name),
    );

  it('keeps the logical ids of everything but permissions, which have no state', () => {
    const ids = (rows: Readonly<Record<string, Row>>) =>
      Object.entries(rows).flatMap(([id, { Type }]) => (Type === 'AWS::Lambda::Permission' ? [] : [id]));
    expect(ids(resources({ stackName: 'Staging' }))).toEqual(ids(resources()));
  });

  it('by default gives the names that the service has had before', () => {
    const rows = resources();
    expect(ofType(rows, 'AWS::ApiGatewayV2::Api').map(([, row]) => row.Properties['Name'])).toEqual(['postern']);
    expect(
      ofType(rows, 'AWS::CloudFront::Distribution').map(([, row]) => row.Properties['DistributionConfig'].Comment),
    ).toEqual(['Postern']);
    for (const name of policyNames(rows)) expect(name).toMatch(/^PosternCdn[0-9A-F]{8}-[\w-]+-us-east-1$/);
  });

  it('gives two stacks in one account and region no name in common', () => {
    const names = accountNames(resources());
    const other = accountNames(resources({ stackName: 'Postern-2' }));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => other.includes(name) && !notUnique.has(name))).toEqual([]);
    const namespaces = (context: Context): ReadonlySet<string> =>
      new Set(
        ofType(resources(context), 'AWS::Logs::MetricFilter').map(
          ([, row]) => row.Properties['MetricTransformations'][0].MetricNamespace,
        ),
      );
    expect([...namespaces({ stackName: 'Staging' })]).toEqual(['Staging']);
    // An account has one namespace of policies for all regions.
    const elsewhere = policyNames(resources({ region: 'eu-west-1' }));
    expect(policyNames(resources()).filter((name) => elsewhere.includes(name))).toEqual([]);
  });

  it('of the greatest length keeps the names of CloudFront policies within 128 characters', () => {
    const rows = resources({ stackName: `S${'x'.repeat(49)}`, region: 'ap-southeast-3' });
    for (const name of policyNames(rows)) expect(name).toMatch(/^[\w-]{1,128}$/);
    for (const [, row] of ofType(rows, 'AWS::CloudFront::Function'))
      expect(row.Properties['Name'].length).toBeLessThanOrEqual(64);
  });
});

describe('metrics', () => {
  it.each([
    ['service', 'Postern'],
    ['none', ''],
  ])('with %s lets every function write metrics to the namespace %j', (metrics, namespace) => {
    const rows = resources({ metrics, canaryMinutes: 0 });
    for (const [, row] of ofType(rows, 'AWS::Lambda::Function'))
      expect(variablesOf(row)).toMatchObject({ METRICS_NAMESPACE: namespace });
  });
});

describe('keysTableName and adminTableName', () => {
  const adopted = resources({ keysTableName: 'old-keys', adminTableName: 'old-admin' });

  it('make the stack use tables that it neither creates nor deletes', () => {
    const ids = ofType(adopted, 'AWS::DynamoDB::Table').map(([id]) => id);
    expect(ids).toEqual([expect.stringMatching(/^Tablescounters/)]);
    expect(variablesOf(adopted['SearchFunction'])).toMatchObject({ KEYS_TABLE: 'old-keys' });
    expect(variablesOf(adopted['AdminFunction'])).toMatchObject({ KEYS_TABLE: 'old-keys', ADMIN_TABLE: 'old-admin' });
  });

  it('change no permission but its table', () => {
    const policies = (rows: Readonly<Record<string, Row>>): string => {
      const text = JSON.stringify(ofType(rows, 'AWS::IAM::Policy').map(([, row]) => row.Properties['PolicyDocument']));
      const arn =
        /\{"Fn::Join":\["",\["arn:aws:dynamodb:us-east-1:",\{"Ref":"AWS::AccountId"\},":table\/old-(\w+)"\]\]\}/g;
      return text
        .replace(arn, 'table $1')
        .replace(/\{"Fn::GetAtt":\["Tables([a-z]+)[0-9A-F]{8}","Arn"\]\}/g, 'table $1');
    };
    expect(policies(adopted)).toContain('table keys');
    expect(policies(adopted)).toBe(policies(resources()));
  });

  it('leave all other resources with their logical ids', () => {
    const lost = Object.keys(resources()).filter((id) => !Object.hasOwn(adopted, id));
    expect(lost).toEqual([expect.stringMatching(/^Tableskeys/), expect.stringMatching(/^Tablesadmin/)]);
    expect(Object.keys(adopted).filter((id) => !Object.hasOwn(resources(), id))).toEqual([]);
  });
});

describe('xApiTokenVersion', () => {
  const paid = { providers: 'x_api,fxtwitter', xApiTokenSecret: 'postern/x' };

  it('changes every function that holds the token, so that CloudFormation resolves the secret again', () => {
    const [first, second] = [resources(paid), resources({ ...paid, xApiTokenVersion: 2 })];
    const holders = ofType(first, 'AWS::Lambda::Function').filter(([, row]) =>
      JSON.stringify(row).includes('{{resolve:secretsmanager:postern/x:'),
    );
    const readers = Object.values(lambdas).filter(({ readsProviders }) => readsProviders);
    expect(holders).toHaveLength(readers.length);
    for (const [id, row] of holders) {
      expect(variablesOf(row)).toMatchObject({ X_API_BEARER_TOKEN_VERSION: '1' });
      expect(variablesOf(second[id])).toMatchObject({ X_API_BEARER_TOKEN_VERSION: '2' });
    }
    const changed = Object.keys(first).filter((id) => JSON.stringify(first[id]) !== JSON.stringify(second[id]));
    expect(changed).toEqual(holders.map(([id]) => id));
  });

  it('gives no function a variable if no token is set', () => {
    expect(JSON.stringify(resources({ xApiTokenVersion: 2 }))).not.toContain('_TOKEN_VERSION');
    expect(JSON.stringify(resources({ xApiTokenSecret: 'postern/x' }))).not.toContain('_TOKEN_VERSION');
  });
});
