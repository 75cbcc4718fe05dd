// Protects the stack also from a plain `cdk deploy`, which compares nothing: CloudFormation itself refuses an update that
// replaces or deletes what cannot be made again. The CDK cannot set such a policy.
import { isErrorNamed } from './account-errors.ts';
import { lossTypes } from './state-changes.ts';

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
