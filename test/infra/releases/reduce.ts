// Reduces a template to what an upgrade can break: stateful resources. Of other resources, only the type stays.
import { type Fields, fieldsOf } from '../evaluation/template.ts';

/** Resources that hold data, or whose identity callers, DNS records or other accounts know. */
export const STATEFUL = [
  'AWS::ApiGatewayV2::Api',
  'AWS::CloudFront::Distribution',
  'AWS::DynamoDB::Table',
  'AWS::Lambda::Url',
  'AWS::Logs::LogGroup',
  'AWS::SecretsManager::Secret',
] as const;

const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

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
          Properties: (STATEFUL.some((type) => type === resource['Type']) && resource['Properties']) || {},
        },
      ]),
  ),
});
