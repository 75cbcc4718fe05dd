// Creates a secret whose value Secrets Manager generates and, during a rotation, keeps the previous secret.
import { Fn } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledgeRules } from './acknowledge-rules.ts';

export interface AcceptedSecrets {
  readonly current: string;
  /** The current secret and, after a rotation, the previous secret; separated by a comma. */
  readonly accepted: string;
}

export interface GeneratedSecretsProps {
  readonly description: string;
  /** CloudFormation reads a secret only once, so a rotation creates a new secret beside the old one. */
  readonly version: number;
}

/**
 * Creates one secret per accepted version. It grants no permissions: CloudFormation resolves the values at deployment.
 *
 * @param prefix of the construct ids, one per version; a changed id would replace the secret
 */
export const createGeneratedSecrets = (
  scope: Construct,
  prefix: string,
  { description, version }: GeneratedSecretsProps,
): AcceptedSecrets => {
  const value = (number: number): string => {
    const secret = new Secret(scope, `${prefix}V${number}`, {
      description,
      // A comma separates two secrets, and a header value must carry a secret.
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
    });
    acknowledgeRules(secret, {
      'AwsSolutions-SMG4': 'Functions and CloudFront get the secret at deployment, so only a deployment can rotate it.',
    });
    return secret.secretValue.unsafeUnwrap();
  };
  const current = value(version);
  return { current, accepted: version > 1 ? Fn.join(',', [current, value(version - 1)]) : current };
};
