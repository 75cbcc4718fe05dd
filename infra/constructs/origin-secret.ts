// What CloudFront says to the origins in a header, so that they can refuse whoever calls them directly.
import { CfnParameter, Fn, SecretValue } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';

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
    const values = source === 'parameter' ? this.#parameters() : this.#generated(version);
    this.current = values.current;
    this.accepted = values.previous === undefined ? values.current : Fn.join(',', [values.current, values.previous]);
  }

  #generated(version: number): { readonly current: string; readonly previous?: string } {
    const value = (of: number): string =>
      new Secret(this, `V${of}`, {
        description: 'x-origin-secret of Postern',
        // No comma, which separates two of them, and nothing that a header could not carry.
        generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      }).secretValue.unsafeUnwrap();
    return version > 1 ? { current: value(version), previous: value(version - 1) } : { current: value(version) };
  }

  #parameters(): { readonly current: string; readonly previous: string } {
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
    return {
      current: value('OriginSecret', 'What CloudFront sends as x-origin-secret', '[A-Za-z0-9_-]{32,}'),
      previous: value('PreviousOriginSecret', 'Still accepted during a rotation', '([A-Za-z0-9_-]{32,})?', ''),
    };
  }
}
