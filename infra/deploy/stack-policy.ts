// Protects the stack also from a plain `cdk deploy`, which compares nothing: CloudFormation itself refuses an update that
// replaces or deletes what cannot be made again. The CDK cannot set such a policy.
import { SetupError } from '../config/setting.ts';
import { isErrorNamed } from './account.ts';
import { lossTypes } from './changes.ts';

const allowed = { Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' };

/** During `npm run deploy`, which has refused or announced each loss before. */
export const openPolicy = JSON.stringify({ Statement: [allowed] });

export const protectivePolicy = JSON.stringify({
  Statement: [
    allowed,
    {
      Effect: 'Deny',
      Principal: '*',
      Action: ['Update:Replace', 'Update:Delete'],
      Resource: '*',
      Condition: { StringEquals: { ResourceType: lossTypes } },
    },
  ],
});

/** @returns a warning, because the deployment does not need the policy: the roles of the CDK may not set it */
export const policyProblem = (error: unknown): string => {
  const why = isErrorNamed(error, 'AccessDenied')
    ? 'the permission cloudformation:SetStackPolicy is missing'
    : String(error);
  return `Warning: the stack policy could not be set (${why}). Without it, a plain cdk deploy can replace or delete tables, secrets and addresses.`;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/** A deployment for which the stack policy is open. */
export interface GuardedDeployment {
  /** False: CloudFormation knows no policy of the stack until the deployment has created it. */
  readonly exists: boolean;
  readonly setPolicy: (policy: string) => Promise<void>;
  /** @param signal ends the deployment; its reason is a SetupError */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Opens the stack policy, runs the deployment and protects the stack again. A signal would end this process with an open
 * policy, so it only ends the deployment.
 */
export const runWithOpenPolicy = async ({ exists, setPolicy, run }: GuardedDeployment): Promise<void> => {
  const aborter = new AbortController();
  const interrupt = (name: string): void =>
    aborter.abort(new SetupError(`${name} ended the command. CloudFormation completes an update that has started.`));
  for (const name of SIGNALS) process.on(name, interrupt);
  let canProtect = exists;
  try {
    if (exists) await setPolicy(openPolicy);
    aborter.signal.throwIfAborted();
    await run(aborter.signal);
    canProtect = true;
  } finally {
    if (canProtect) await setPolicy(protectivePolicy);
    for (const name of SIGNALS) process.off(name, interrupt);
  }
};
