// Checks the stack against the rules of cdk-nag. A rule that a construct does not follow is acknowledged beside the
// construct, with the reason (acknowledge-rules.ts); any other finding fails `npm run synth`. `npm run deploy` does
// without these checks, so that an operator can always deploy a repair.
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';

/** The synthesis then fails if there is a finding. */
export const addGuidelines = (app: App): void =>
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
