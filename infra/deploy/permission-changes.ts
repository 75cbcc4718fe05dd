// Says which permissions a deployment grants, and which of them everybody gets.
import { isDeepStrictEqual } from 'node:util';
import type { TemplateDiff } from '@aws-cdk/cloudformation-diff';
import type { Change } from './change.ts';
import { isObject, nameOf, resourcesOfType, type Template, textProperty, type Value } from './template.ts';

type Statement = TemplateDiff['iamChanges']['statements']['additions'][number];

const PUBLIC_PRINCIPALS = new Set(['*', 'AWS:*']);

const isPublic = ({ effect, principals }: Statement): boolean =>
  String(effect) !== 'Deny' && (principals.not || principals.values.some((name) => PUBLIC_PRINCIPALS.has(name)));

const grantText = (statement: Statement): string => {
  const { principal, effect, action, resource, condition } = statement.render();
  const allowed = effect === 'Deny' ? 'must not' : 'may';
  const line = `${principal} ${allowed} ${action} on ${resource}${condition === '' ? '' : `, if ${condition}`}`;
  return line.replace(/\s+/g, ' ');
};

/** A removed prohibition widens permissions as a grant does. */
const widening = (diff: TemplateDiff): readonly Statement[] => {
  const { additions, removals } = diff.iamChanges.statements;
  return [
    ...additions.filter(({ effect }) => String(effect) !== 'Deny'),
    ...removals.filter(({ effect }) => String(effect) === 'Deny'),
  ];
};

const statementChanges = (diff: TemplateDiff): readonly Change[] =>
  widening(diff).map((statement): Change => {
    const isRemoved = String(statement.effect) === 'Deny';
    if (isPublic(statement))
      return { topic: 'permissions', text: `the public ${grantText(statement)}`, needsYes: true };
    return { topic: 'permissions', text: isRemoved ? `no longer: ${grantText(statement)}` : grantText(statement) };
  });

const managedPolicyChanges = (diff: TemplateDiff): readonly Change[] =>
  diff.iamChanges.managedPolicies.additions.map(({ identityArn, managedPolicyArn }) => ({
    topic: 'permissions',
    text: `${identityArn} gets the policy ${managedPolicyArn}`,
  }));

const isOpenUrl = (properties: Value | undefined): boolean => properties?.['AuthType'] === 'NONE';

const BLOCKS = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'];

const blocksOf = (properties: Value | undefined): number => {
  const block = properties?.['PublicAccessBlockConfiguration'];
  return isObject(block) ? BLOCKS.filter((name) => block[name] === true).length : 0;
};

/** Access that is not a policy: function URLs without authentication, and buckets that may become public. */
const accessChanges = (before: Template, after: Template): readonly Change[] => [
  ...resourcesOfType(after, 'AWS::Lambda::Url')
    .filter(([id, { properties }]) => isOpenUrl(properties) && !isOpenUrl(before.resources.get(id)?.properties))
    .map(
      ([id, url]): Change => ({
        topic: 'permissions',
        text: `the public may call ${nameOf(id, url)} without a signature`,
        needsYes: true,
      }),
    ),
  ...resourcesOfType(after, 'AWS::S3::Bucket')
    .filter(([id, { properties }]) => {
      const old = before.resources.get(id);
      return blocksOf(properties) < (old === undefined ? BLOCKS.length : blocksOf(old.properties));
    })
    .map(
      ([id, bucket]): Change => ({
        topic: 'permissions',
        text: `public access to ${nameOf(id, bucket)} is not blocked`,
        needsYes: true,
      }),
    ),
];

const isPublicPrincipal = (principal: unknown): boolean => {
  if (Array.isArray(principal)) return principal.some(isPublicPrincipal);
  return principal === '*' || (isObject(principal) && isPublicPrincipal(principal['AWS']));
};

const admitsPublic = (policy: unknown): boolean => {
  const { Statement: statements } = isObject(policy) ? policy : {};
  return [statements]
    .flat()
    .filter(isObject)
    .some(({ Effect, Principal, NotPrincipal }) => {
      return Effect === 'Allow' && (isPublicPrincipal(Principal) || NotPrincipal !== undefined);
    });
};

/** The comparison of the CDK does not know the policy of a table as one. */
const tablePolicyChanges = (before: Template, after: Template): readonly Change[] =>
  resourcesOfType(after, 'AWS::DynamoDB::Table').flatMap(([id, table]): readonly Change[] => {
    const next = table.properties['ResourcePolicy'];
    if (next === undefined || isDeepStrictEqual(next, before.resources.get(id)?.properties['ResourcePolicy']))
      return [];
    const name = `the resource policy of ${nameOf(id, table)}`;
    return isObject(next) && admitsPublic(next['PolicyDocument'])
      ? [{ topic: 'permissions', text: `${name} admits the public`, needsYes: true }]
      : [{ topic: 'permissions', text: `${name} changes` }];
  });

const aclChanges = (before: Template, after: Template): readonly Change[] =>
  resourcesOfType(after, 'AWS::S3::Bucket').flatMap(([id, bucket]): readonly Change[] => {
    const acl = textProperty(bucket, 'AccessControl') ?? '';
    const isNew = acl !== before.resources.get(id)?.properties['AccessControl'];
    return isNew && /^(?:Public|Authenticated)/.test(acl)
      ? [{ topic: 'permissions', text: `${nameOf(id, bucket)} has the ACL ${acl}`, needsYes: true }]
      : [];
  });

const boundaryChanges = (before: Template, after: Template): readonly Change[] =>
  resourcesOfType(after, 'AWS::IAM::Role')
    .filter(([id, { properties }]) => {
      const old = before.resources.get(id)?.properties['PermissionsBoundary'];
      return old !== undefined && properties['PermissionsBoundary'] === undefined;
    })
    .map(([id, role]) => ({
      topic: 'permissions',
      text: `${nameOf(id, role)} loses its permissions boundary`,
      needsYes: true,
    }));

export const permissionChanges = (before: Template, after: Template, diff: TemplateDiff): readonly Change[] => [
  ...statementChanges(diff),
  ...managedPolicyChanges(diff),
  ...accessChanges(before, after),
  ...tablePolicyChanges(before, after),
  ...aclChanges(before, after),
  ...boundaryChanges(before, after),
];
