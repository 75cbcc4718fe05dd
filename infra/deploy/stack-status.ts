// Says what to do if a stack cannot be deployed because of its state.

/** @returns one or two sentences, or undefined if CloudFormation accepts a deployment */
export const statusProblem = (name: string, status: string): string | undefined => {
  if (/^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED)$/.test(status))
    return `The first deployment of ${name} failed (${status}), and CloudFormation accepts only its deletion. Read why in its events, run npx cdk destroy ${name}, delete the empty tables that it kept, and deploy again.`;
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return `The last deployment of ${name} failed, and its rollback too (${status}). Correct the cause that its events name, run npx cdk rollback ${name}, and deploy again.`;
  if (status === 'UPDATE_FAILED')
    return `The last deployment of ${name} stopped halfway (${status}). Run npx cdk rollback ${name}, and deploy again.`;
  if (status === 'DELETE_FAILED')
    return `The deletion of ${name} failed (${status}). Remove what its events name, run npx cdk destroy ${name} again, and deploy then.`;
  if (status.endsWith('_IN_PROGRESS'))
    return `Another deployment of ${name} is under way (${status}). Wait until it ends, and deploy again.`;
  return undefined;
};
