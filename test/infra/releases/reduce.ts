// Reduces a template to what an upgrade can break or what an operator reads: stateful resources, routes, permissions and
// the settings of functions. Of other resources, only the type stays.
import { type Fields, fieldsOf, isFields } from '../evaluation/template.ts';

/** Resources that hold data, or whose identity callers, DNS records or other accounts know. */
export const STATEFUL = [
  'AWS::ApiGatewayV2::Api',
  'AWS::CloudFront::Distribution',
  'AWS::DynamoDB::Table',
  'AWS::Lambda::Url',
  'AWS::Logs::LogGroup',
  'AWS::SecretsManager::Secret',
] as const;

/** With all properties: the operator reads their changes. */
const READ_IN_FULL = [
  ...STATEFUL,
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudFront::CachePolicy',
  'AWS::CloudFront::OriginRequestPolicy',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::Permission',
  'AWS::SNS::TopicPolicy',
];

const FUNCTION_PROPERTIES = ['Architectures', 'MemorySize', 'Runtime', 'Timeout', 'ReservedConcurrentExecutions'];

const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** Keeps only the names of variables, because a value may be a setting of the operator. */
const functionProperties = (properties: Fields): Fields => {
  const { Environment } = properties;
  const variables = isFields(Environment) && isFields(Environment['Variables']) ? Environment['Variables'] : {};
  const names = Object.keys(variables).toSorted();
  return {
    ...pick(properties, FUNCTION_PROPERTIES),
    Environment: { Variables: Object.fromEntries(names.map((name) => [name, ''])) },
  };
};

const propertiesOf = (type: unknown, properties: Fields): Fields => {
  if (READ_IN_FULL.some((name) => name === type)) return properties;
  if (type === 'AWS::ApiGatewayV2::Route') return pick(properties, ['RouteKey']);
  if (type === 'AWS::Lambda::Function') return functionProperties(properties);
  return {};
};

/** @param template as `cdk synth` writes it @returns a template that can be compared with another */
export const reduceTemplate = (template: Fields): Fields => ({
  ...pick(template, ['Outputs']),
  Resources: Object.fromEntries(
    Object.entries(fieldsOf(template['Resources']))
      .map(([id, resource]) => [id, fieldsOf(resource)] as const)
      .filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, resource]) => [
        id,
        {
          ...pick(resource, ['Type', 'DeletionPolicy', 'UpdateReplacePolicy']),
          Properties: propertiesOf(resource['Type'], isFields(resource['Properties']) ? resource['Properties'] : {}),
        },
      ]),
  ),
});
