import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../infra/config/read-config.ts';
import { ACCESS_LOG_FIELDS } from '../../infra/constructs/access-logs.ts';
import { PosternStack } from '../../infra/stack.ts';
import { type AccessRequest, evaluate } from './evaluation/policy.ts';
import { ACCOUNT, fieldsOf, readTemplate, statementsOf, textOf } from './evaluation/template.ts';
import { dist, templateOf, unvalidatedApp } from './synthesized.ts';

const without = templateOf().toJSON();
const json = templateOf({ accessLogDays: 30 }).toJSON();
const template = readTemplate(json);

const only = (type: string) => {
  const [found, ...more] = template.resources(type);
  expect(more).toEqual([]);
  if (found === undefined) throw new Error(`there is no ${type}`);
  return found;
};

describe('the access log', () => {
  test('is off by default, and on it changes no other resource', () => {
    const resources = fieldsOf(json['Resources']);
    const added = Object.keys(resources).filter((id) => !Object.hasOwn(fieldsOf(without['Resources']), id));
    expect(added.map((id) => fieldsOf(resources[id])['Type']).toSorted()).toEqual([
      'AWS::Logs::Delivery',
      'AWS::Logs::DeliveryDestination',
      'AWS::Logs::DeliverySource',
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
    ]);
    expect(Object.fromEntries(Object.entries(resources).filter(([id]) => !added.includes(id)))).toEqual(
      without['Resources'],
    );
  });

  test('contains neither who read nor what was read', () => {
    expect(only('AWS::Logs::Delivery').properties['RecordFields']).toEqual([...ACCESS_LOG_FIELDS]);
    const naming =
      /ip|forwarded|port|country|asn|location|host|uri|query|referer|agent|cookie|viewer|header|connection/i;
    expect(ACCESS_LOG_FIELDS.filter((field) => naming.test(field))).toEqual([]);
  });

  test('goes from the distribution into the bucket as JSON, one folder per hour', () => {
    const source = only('AWS::Logs::DeliverySource').properties;
    expect(source).toMatchObject({ LogType: 'ACCESS_LOGS' });
    const { id: distribution } = only('AWS::CloudFront::Distribution');
    expect(textOf(source['ResourceArn'])).toBe(`arn:aws:cloudfront::${ACCOUNT}:distribution/${distribution}`);
    const { properties } = only('AWS::Logs::DeliveryDestination');
    expect(properties).toMatchObject({
      OutputFormat: 'json',
      DestinationResourceArn: `arn:aws:s3:::${only('AWS::S3::Bucket').id}`,
    });
    // The limit of CloudWatch Logs for both names.
    expect(textOf(source['Name'])).toMatch(/^[\w-]{1,60}$/);
    expect(textOf(properties['Name'])).toMatch(/^[\w-]{1,60}$/);
    expect(only('AWS::Logs::Delivery').properties).toMatchObject({
      DeliverySourceName: source['Name'],
      S3SuffixPath: '{yyyy}/{MM}/{dd}/{HH}',
      S3EnableHiveCompatiblePath: false,
    });
  });

  test('has other names in another stack, and short names in a stack with a long name', () => {
    const name = (id: string): string => {
      const stack = new PosternStack(unvalidatedApp(), id, { config: readConfig({ accessLogDays: 1 }), dist });
      const [source] = Object.values(Template.fromStack(stack).findResources('AWS::Logs::DeliverySource'));
      return textOf(fieldsOf(source?.Properties)['Name']);
    };
    const names = [name('Postern'), name('Staging'), name('S'.repeat(80))];
    expect(new Set(names).size).toBe(3);
    for (const one of names) expect(one).toMatch(/^[\w-]{1,60}$/);
  });

  test('needs its bucket policy and its source before its delivery', () => {
    const delivery = fieldsOf(fieldsOf(json['Resources'])[only('AWS::Logs::Delivery').id]);
    expect([delivery['DependsOn']].flat().toSorted()).toEqual(
      [only('AWS::Logs::DeliverySource').id, only('AWS::S3::BucketPolicy').id].toSorted(),
    );
  });

  test('is deleted after the days of the setting, from a private, encrypted bucket that stays with its files', () => {
    const { id, properties } = only('AWS::S3::Bucket');
    expect(properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 30 }] },
    });
    expect(fieldsOf(json['Resources'])[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('says its location in an output', () => {
    expect(fieldsOf(fieldsOf(json['Outputs'])['AccessLogLocation'])['Value']).toEqual({
      'Fn::Join': [
        '',
        ['s3://', { Ref: only('AWS::S3::Bucket').id }, '/AWSLogs/', { Ref: 'AWS::AccountId' }, '/CloudFront'],
      ],
    });
  });
});

describe('[platform 5] the bucket policy', () => {
  const bucket = `arn:aws:s3:::${only('AWS::S3::Bucket').id}`;
  const policy = statementsOf(only('AWS::S3::BucketPolicy').properties['PolicyDocument']);
  const source = textOf(only('AWS::Logs::DeliverySource').properties['Name']);
  const write = (
    change: Readonly<Record<string, string>> = {},
    path = `AWSLogs/${ACCOUNT}/CloudFront/2026/11/22/20/x.gz`,
  ) =>
    ({
      principal: { service: 'delivery.logs.amazonaws.com' },
      action: 's3:PutObject',
      resource: `${bucket}/${path}`,
      context: {
        'aws:SourceAccount': ACCOUNT,
        'aws:SourceArn': `arn:aws:logs:us-east-1:${ACCOUNT}:delivery-source:${source}`,
        's3:x-amz-acl': 'bucket-owner-full-control',
        'aws:SecureTransport': 'true',
        ...change,
      },
    }) satisfies AccessRequest;

  test('lets the log delivery of this account write the log of this distribution', () => {
    expect(evaluate(policy, write())).toBe('allowed');
  });

  test.each<[string, AccessRequest]>([
    ['another account', write({ 'aws:SourceAccount': '999999999999' })],
    ['another source', write({ 'aws:SourceArn': `arn:aws:logs:us-east-1:${ACCOUNT}:delivery-source:other` })],
    ['HTTP', write({ 'aws:SecureTransport': 'false' })],
    ['another folder', write({}, 'x.gz')],
    ['another service', { ...write(), principal: { service: 'logging.s3.amazonaws.com' } }],
    ['a reader', { ...write(), action: 's3:GetObject' }],
  ])('allows %s nothing', (_, request) => {
    expect(evaluate(policy, request)).not.toBe('allowed');
  });
});
