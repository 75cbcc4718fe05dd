// Says what to do if a stack cannot be deployed because of its content or its state.
import { readDeploymentRecord } from './deployment-record.ts';
import type { Template } from './template.ts';

/** Every release up to 0.8.0, which recorded nothing, has this function. */
const OLD_FUNCTION = 'DiscoveryFunction';

/** CloudFormation would delete everything of a stack of the same name that is not in the template of Postern. */
export const foreignStackProblem = (name: string, { metadata, resources }: Template): string | undefined =>
  readDeploymentRecord(metadata) !== undefined || resources.has(OLD_FUNCTION)
    ? undefined
    : `The stack ${name} of this account is not a deployment of Postern, and a deployment would delete its resources. Set stackName to another name.`;

/** @returns one or two sentences, or undefined if CloudFormation accepts a deployment */
export const statusProblem = (name: string, status: string): string | undefined => {
  if (/^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED)$/.test(status))
    return `The first deployment of ${name} failed (${status}), and CloudFormation accepts only its deletion. Read why in its events, delete it as docs/runbook.md says ("The stack is stuck"), delete the empty tables that it kept, and deploy again.`;
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return `The last deployment of ${name} failed, and its rollback too (${status}). Correct the cause that its events name, run npx cdk rollback ${name}, and deploy again.`;
  if (status === 'UPDATE_FAILED')
    return `The last deployment of ${name} stopped halfway (${status}). Run npx cdk rollback ${name}, and deploy again.`;
  if (status === 'DELETE_FAILED')
    return `The deletion of ${name} failed (${status}). Remove what its events name, delete it again as docs/runbook.md says ("Delete the service"), and deploy then.`;
  if (status.endsWith('_IN_PROGRESS'))
    return `Another deployment of ${name} is under way (${status}). Wait until it ends, and deploy again.`;
  return undefined;
};
