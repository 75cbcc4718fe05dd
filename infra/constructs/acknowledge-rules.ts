// Records why a construct does not follow a rule of cdk-nag. `npm run synth` checks the rules, and a test finds records
// that no configuration needs.
import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Acknowledges rules for a construct and everything in it. @param reasons by rule, such as `AwsSolutions-CFR1` */
export const acknowledgeRules = (construct: IConstruct, reasons: Readonly<Record<string, string>>): void =>
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
