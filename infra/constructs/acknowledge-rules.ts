// Checks the stack against the rules of cdk-nag, and records why a construct does not follow a rule. Any other finding fails
// `npm run synth`; a test finds records that no configuration needs. `npm run deploy` does without these checks, so that an
// operator can always deploy a repair.
import { type App, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Acknowledges rules for a construct and everything in it. @param reasons by rule, such as `AwsSolutions-CFR1` */
export const acknowledgeRules = (construct: IConstruct, reasons: Readonly<Record<string, string>>): void =>
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));

/** The synthesis then fails if there is a finding. Only this loads cdk-nag, which loads the whole CDK. */
export const addGuidelines = async (app: App): Promise<void> => {
  const { AwsSolutionsChecks, ServerlessChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
};
