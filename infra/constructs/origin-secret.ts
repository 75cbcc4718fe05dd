// What CloudFront says to the origins in a header, so that they can refuse whoever calls them directly.
import { CfnParameter, Fn, SecretValue } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { type AcceptedSecrets, createGeneratedSecrets } from './generated-secrets.ts';

export interface OriginSecretProps {
  readonly source: Config['originSecret'];
  /** Of a generated secret. CloudFormation reads a secret once, so a rotation is a new one beside the old. */
  readonly version: number;
}

export class OriginSecret extends Construct {
  /** What the distribution sends. */
  readonly current: string;
  /** What the functions accept: the current value and, after a rotation, the one before; separated by a comma. */
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
    const current = value('OriginSecret', 'What CloudFront sends as x-origin-secret', '[A-Za-z0-9_-]{32,}');
    const previous = value('PreviousOriginSecret', 'Still accepted during a rotation', '([A-Za-z0-9_-]{32,})?', '');
    return { current, accepted: Fn.join(',', [current, previous]) };
  }
}
