// A secret that Secrets Manager makes up, and in a rotation the one before it.
import { Fn } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

export interface AcceptedSecrets {
  readonly current: string;
  /** The current one and, after a rotation, the one before; separated by a comma. */
  readonly accepted: string;
}

export interface GeneratedSecretsProps {
  readonly description: string;
  /** CloudFormation reads a secret once, so a rotation is a new one beside the old. */
  readonly version: number;
}

/** @param prefix of the construct ids, one per version; they decide which secrets stay as they are */
export const createGeneratedSecrets = (
  scope: Construct,
  prefix: string,
  { description, version }: GeneratedSecretsProps,
): AcceptedSecrets => {
  const value = (of: number): string =>
    new Secret(scope, `${prefix}V${of}`, {
      description,
      // No comma, which separates two of them, and nothing that a header could not carry.
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
    }).secretValue.unsafeUnwrap();
  const current = value(version);
  return { current, accepted: version > 1 ? Fn.join(',', [current, value(version - 1)]) : current };
};
