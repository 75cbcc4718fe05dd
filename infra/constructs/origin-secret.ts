// Creates the secret that CloudFront sends to the origins in a header, so that the origins can reject direct callers.
import { CfnParameter, Fn, SecretValue } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { type AcceptedSecrets, createGeneratedSecrets } from './generated-secrets.ts';

export interface OriginSecretProps {
  readonly source: Config['originSecret'];
  /** The version of a generated secret. */
  readonly version: number;
}

/** Creates a generated secret in Secrets Manager, or CloudFormation parameters through which the operator passes it. */
export class OriginSecret extends Construct {
  /** The secret that the distribution sends. */
  readonly current: string;
  /** The secrets that the functions accept: the current and, after a rotation, the previous; separated by a comma. */
  readonly accepted: string;

  constructor(scope: Construct, id: string, { source, version }: OriginSecretProps) {
    super(scope, id);
    const { current, accepted } =
      source === 'parameter'
        ? this.#parameters()
        : createGeneratedSecrets(this, '', { description: 'x-origin-secret of Postern', version });
    this.current = current;
    this.accepted = accepted;
  }

  #parameters(): AcceptedSecrets {
    const value = (name: string, description: string, allowedPattern: string, preset?: string): string => {
      const parameter = new CfnParameter(this, name, {
        noEcho: true,
        description,
        allowedPattern,
        ...(preset !== undefined && { default: preset }),
      });
      parameter.overrideLogicalId(name);
      return SecretValue.cfnParameter(parameter).unsafeUnwrap();
    };
    const current = value('OriginSecret', 'The secret that CloudFront sends as x-origin-secret', '[A-Za-z0-9_-]{32,}');
    const previous = value(
      'PreviousOriginSecret',
      'The previous secret, accepted during a rotation',
      '([A-Za-z0-9_-]{32,})?',
      '',
    );
    return { current, accepted: Fn.join(',', [current, previous]) };
  }
}
