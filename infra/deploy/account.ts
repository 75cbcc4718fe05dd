// Reads what a deployment must know of the account, and sets the stack policy, with the credentials of the operator.
import { CloudFormationClient, GetTemplateCommand, SetStackPolicyCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { errorMessage } from '../../shared/model/json.ts';
import { SetupError } from '../config/setting.ts';
import { parseTemplate, type Template } from './template.ts';

export interface Account {
  /** @returns undefined if there is no such stack @throws SetupError */
  readonly template: (stackName: string) => Promise<Template | undefined>;
  readonly setStackPolicy: (stackName: string, policy: string) => Promise<void>;
  /** @returns the concurrent executions of Lambda that the account may have */
  readonly concurrency: () => Promise<number>;
}

export const openAccount = (region: string, profile: string | undefined): Account => {
  const options = { region, maxAttempts: 3, ...(profile !== undefined && { profile }) };
  const cloudFormation = new CloudFormationClient(options);
  return {
    template: async (StackName) => {
      try {
        const read = new GetTemplateCommand({ StackName, TemplateStage: 'Original' });
        const { TemplateBody = '' } = await cloudFormation.send(read);
        // A change set that was never executed leaves a stack without a template.
        return TemplateBody === '' ? undefined : parseTemplate(TemplateBody);
      } catch (error) {
        if (/does not exist/.test(errorMessage(error))) return undefined;
        throw new SetupError(
          `The stack ${StackName} cannot be read (${errorMessage(error)}). Sign in to AWS, or name a profile with --profile. The command needs cloudformation:GetTemplate; npx cdk deploy deploys without it.`,
        );
      }
    },
    setStackPolicy: async (StackName, StackPolicyBody) => {
      await cloudFormation.send(new SetStackPolicyCommand({ StackName, StackPolicyBody }));
    },
    concurrency: async () => {
      const { AccountLimit } = await new LambdaClient(options).send(new GetAccountSettingsCommand({}));
      return AccountLimit?.ConcurrentExecutions ?? Number.NaN;
    },
  };
};
