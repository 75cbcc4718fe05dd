// Resolves the intrinsic functions of a synthesized template to names made from logical ids, and its policies to
// statements.
import type { Statement } from './policy.ts';

export const ACCOUNT = '111122223333';
export const REGION = 'us-east-1';

/** A JSON object of a template. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Resource {
  readonly id: string;
  readonly type: string;
  /** With resolved intrinsic functions. */
  readonly properties: Fields;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => {
  if (!isFields(value)) throw new Error(`${JSON.stringify(value)} is not an object`);
  return value;
};

export const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is not a string`);
  return value;
};

/** A list or a single value; empty if absent. */
export const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());

const pseudoParameters = new Map<string, string>([
  ['AWS::AccountId', ACCOUNT],
  ['AWS::Partition', 'aws'],
  ['AWS::Region', REGION],
  ['AWS::StackName', 'Postern'],
  ['AWS::URLSuffix', 'amazonaws.com'],
]);

const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** `Fn::GetAtt` by type and attribute. Names of resources are their logical ids. */
const attributes: Readonly<Record<string, (id: string) => string>> = {
  'AWS::CloudWatch::Alarm Arn': (id) => arn('cloudwatch', `alarm:${id}`),
  'AWS::CloudWatch::CompositeAlarm Arn': (id) => arn('cloudwatch', `alarm:${id}`),
  'AWS::CloudFront::Distribution DomainName': (id) => `${id.toLowerCase()}.cloudfront.net`,
  'AWS::CloudFront::Function FunctionARN': (id) => `arn:aws:cloudfront::${ACCOUNT}:function/${id}`,
  'AWS::DynamoDB::Table Arn': (id) => arn('dynamodb', `table/${id}`),
  'AWS::IAM::Role Arn': (id) => `arn:aws:iam::${ACCOUNT}:role/${id}`,
  'AWS::Events::Rule Arn': (id) => arn('events', `rule/${id}`),
  'AWS::Lambda::Function Arn': (id) => arn('lambda', `function:${id}`),
  'AWS::Lambda::Version Version': (id) => `version-${id}`,
  'AWS::Lambda::Url FunctionUrl': (id) => `https://${id.toLowerCase()}.lambda-url.${REGION}.on.aws/`,
  'AWS::Logs::DeliveryDestination Arn': (id) => arn('logs', `delivery-destination:${id}`),
  'AWS::Logs::LogGroup Arn': (id) => arn('logs', `log-group:${id}:*`),
  'AWS::S3::Bucket Arn': (id) => `arn:aws:s3:::${id}`,
  'AWS::SNS::Topic TopicArn': (id) => arn('sns', id),
  'AWS::WAFv2::WebACL Arn': (id) => arn('wafv2', `global/webacl/${id}/${id}`),
};

/** The value of `Ref` for resources whose value is not their name. */
const references: Readonly<Record<string, (id: string) => string>> = {
  'AWS::SNS::Topic': (id) => arn('sns', id),
};

export interface Template {
  /** All resources, or those of one type. */
  resources(type?: string): readonly Resource[];
  /** @throws if there is no resource with this id */
  resource(id: string): Resource;
}

/** An intrinsic function with two arguments, as most have. */
const ofPair =
  (apply: (first: unknown, second: unknown) => unknown) =>
  (value: unknown): unknown => {
    const [first, second, ...more] = listOf(value);
    if (second === undefined || more.length > 0) throw new Error(`${JSON.stringify(value)} is not a pair`);
    return apply(first, second);
  };

/**
 * @param json as `cdk synth` writes it
 * @param region of the stack
 */
export const readTemplate = (json: Fields, region = REGION): Template => {
  const declared = fieldsOf(json['Resources']);
  const parameters = isFields(json['Parameters']) ? json['Parameters'] : {};

  /** The tables above make names in REGION. Literals of the template stay as they are, so that a wrong region is found. */
  const inRegion = (name: string): string => name.replaceAll(REGION, region);

  const typeOf = (id: string): string => textOf(fieldsOf(declared[id])['Type']);

  const reference = (id: string): string => {
    const pseudo = pseudoParameters.get(id);
    if (pseudo !== undefined) return inRegion(pseudo);
    if (Object.hasOwn(parameters, id)) return `parameter-${id}`;
    return inRegion(references[typeOf(id)]?.(id) ?? id);
  };

  const attribute = (id: string, name: string): string => {
    const make = attributes[`${typeOf(id)} ${name}`];
    if (make === undefined) throw new Error(`${name} of ${typeOf(id)} is not implemented`);
    return inRegion(make(id));
  };

  const intrinsics = new Map<string, (value: unknown) => unknown>([
    ['Ref', (value) => reference(textOf(value))],
    ['Fn::Sub', (value) => textOf(value).replaceAll(/\$\{([^}]+)\}/g, (_, id: string) => reference(id))],
    ['Fn::GetAtt', ofPair((id, name) => attribute(textOf(id), textOf(name)))],
    ['Fn::Join', ofPair((separator, parts) => listOf(parts).map(textOf).join(textOf(separator)))],
    ['Fn::Split', ofPair((separator, text) => textOf(text).split(textOf(separator)))],
    [
      'Fn::GetStackOutput',
      (value) => ['StackName', 'OutputName', 'Region'].map((name) => textOf(fieldsOf(value)[name])).join(' '),
    ],
    ['Fn::Select', ofPair((index, list) => listOf(list)[Number(index)])],
  ]);

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isFields(value)) return value;
    const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
    const intrinsic = more.length === 0 ? intrinsics.get(name) : undefined;
    if (intrinsic !== undefined) return intrinsic(resolve(argument));
    if (name.startsWith('Fn::') && name !== 'Fn::If') throw new Error(`${name} is not implemented`);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
  };

  const resource = (id: string): Resource => ({
    id,
    type: typeOf(id),
    properties: fieldsOf(resolve(fieldsOf(declared[id])['Properties'] ?? {})),
  });

  return {
    resource,
    resources: (type) =>
      Object.keys(declared)
        .filter((id) => type === undefined || typeOf(id) === type)
        .map(resource),
  };
};

const principalsOf = (value: unknown): Statement['principals'] => {
  if (value === undefined) return undefined;
  if (value === '*') return { services: [], others: ['*'] };
  const { Service, AWS, ...rest } = fieldsOf(value);
  if (Object.keys(rest).length > 0) throw new Error(`principals ${Object.keys(rest)} are not implemented`);
  return { services: listOf(Service).map(textOf), others: listOf(AWS).map(textOf) };
};

const conditionsOf = (value: unknown): Statement['conditions'] =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).map(([operator, keys]) => [
      operator,
      Object.fromEntries(Object.entries(fieldsOf(keys)).map(([key, wanted]) => [key, listOf(wanted).map(String)])),
    ]),
  );

/** @param document a resolved policy; `NotAction` and similar members are not implemented */
export const statementsOf = (document: unknown): readonly Statement[] =>
  listOf(fieldsOf(document)['Statement']).map((statement): Statement => {
    const { Effect, Principal, Action, Resource, Condition, Sid: _, ...rest } = fieldsOf(statement);
    if (Object.keys(rest).length > 0) throw new Error(`${Object.keys(rest)} of a statement is not implemented`);
    if (Effect !== 'Allow' && Effect !== 'Deny') throw new Error(`${String(Effect)} is no effect`);
    const principals = principalsOf(Principal);
    return {
      effect: Effect,
      ...(principals && { principals }),
      actions: listOf(Action).map(textOf),
      resources: listOf(Resource).map(textOf),
      conditions: conditionsOf(Condition),
    };
  });
