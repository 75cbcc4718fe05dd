// The stack policy: with it, CloudFormation itself refuses an update that replaces or deletes what cannot be made again, also
// that of a plain `cdk deploy`. The CDK cannot set such a policy.
import { newestSecrets, type Template } from './template.ts';

const allowed = { Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' };

/** For one deployment with `--yes`. */
export const openPolicy = JSON.stringify({ Statement: [allowed] });

/** Without its items, its URL or its address, the service is another one. */
const PROTECTED = /^AWS::(?:DynamoDB::Table|CloudFront::Distribution|ApiGatewayV2::Api)$|^AWS::Lambda::Url$/;

/** The function URL of pictures comes and goes with a setting, and nothing else knows its address. */
const MEDIA_URL = /^Media/;

/**
 * A rotation by one keeps the newest version of a secret, so its deletion means a version that falls or skips one.
 *
 * @param template the deployed one
 */
export const protectivePolicy = (template: Template): string => {
  const ids = [...template.resources].flatMap(([id, { type }]) =>
    PROTECTED.test(type) && !MEDIA_URL.test(id) ? [id] : [],
  );
  const secrets = [...newestSecrets(template).values()].map(({ id }) => id);
  const Resource = [...ids, ...secrets].map((id) => `LogicalResourceId/${id}`);
  const denied = { Effect: 'Deny', Principal: '*', Action: ['Update:Replace', 'Update:Delete'], Resource };
  return JSON.stringify({ Statement: [allowed, denied] });
};
