// Says what a deployment changes: settings, state, permissions and resources. The rules of CloudFormation, such as which
// property replaces a resource, are those of the CDK (@aws-cdk/cloudformation-diff).
import { fullDiff, ResourceImpact, type TemplateDiff } from '@aws-cdk/cloudformation-diff';
import { type DeploymentRecord, recordOf } from '../config/deployment-record.ts';
import { readConfig } from '../config/read-config.ts';
import { type SettingName, settingNames, settingRow } from '../config/settings.ts';
import { idsOfType, type Template } from './template.ts';

export interface Change {
  /** A sentence without a full stop. */
  readonly text: string;
  /** Such a change cannot be undone, or it hurts users: it needs `--yes`. */
  readonly needsYes?: boolean;
}

/** Names the loss with a resource of each type. Resources of other types can be created again. */
const losses: ReadonlyMap<string, string> = new Map([
  ['AWS::DynamoDB::Table', 'its items'],
  ['AWS::SecretsManager::Secret', 'its value'],
  ['AWS::S3::Bucket', 'its objects'],
  ['AWS::CloudFront::Distribution', 'the URL of the service, and the target of DNS records'],
  ['AWS::ApiGatewayV2::Api', 'the address at which CloudFront reaches the functions, for some minutes'],
  ['AWS::Lambda::Url', 'the address at which CloudFront reaches the MCP server, for some minutes'],
]);

/** An update that replaces or deletes a resource of these types is refused, also by the stack policy. */
export const lossTypes: readonly string[] = [...losses.keys()];

/** A later row would name a secret that is gone, or reject the one in use. The CDK appends eight digits to its path. */
const VERSIONED = /^(OriginSecret|CursorSecret)V(\d+)[0-9A-F]{8}$/;

const newestVersion = (template: Template, secret: string): number => {
  const versions = [...template.resources.keys()].map((id) => VERSIONED.exec(id) ?? []);
  return Math.max(0, ...versions.map(([, name, version]) => (name === secret ? Number(version) : 0)));
};

const rotations = { OriginSecret: 'originSecretVersion', CursorSecret: 'cursorSecretVersion' } as const;

const rotationChanges = (before: Template, after: Template): readonly Change[] =>
  Object.entries(rotations).flatMap(([secret, setting]): readonly Change[] => {
    const [from, to] = [newestVersion(before, secret), newestVersion(after, secret)];
    if (from === to || from === 0) return [];
    if (to < from)
      return [
        {
          text: `${setting} falls from ${from} to ${to}: the secret in use is deleted, and what it signed is rejected; keep ${from}, or set ${from + 1} to rotate it`,
          needsYes: true,
        },
      ];
    return to > from + 1
      ? [
          {
            text: `${setting} rises from ${from} to ${to}: the secret in use is rejected at once; raise it by 1`,
            needsYes: true,
          },
        ]
      : [{ text: `${setting} rises to ${to}: a new secret is generated, and secret ${from} stays accepted` }];
  });

const settingChange = (name: SettingName, from: string | undefined, to: string | undefined): Change => {
  const { meaning, price, loss } = settingRow(name);
  if (loss !== undefined && from !== undefined && (to === undefined || name === 'domainName'))
    return { text: `${name}: ${from} -> ${to ?? 'unset'}: ${loss}`, needsYes: true };
  return {
    text: [`${name}: ${from ?? 'unset'} -> ${to ?? 'unset'}.`, meaning, price ?? ''].join(' ').replace(/\.? *$/, ''),
  };
};

/** A release that did not know a setting worked as its default does. */
const settingChanges = (from: DeploymentRecord | undefined, to: DeploymentRecord | undefined): readonly Change[] => {
  if (from === undefined || to === undefined)
    return [{ text: 'the deployed release recorded no settings: compare them with those of its deployment' }];
  const { settings: defaults } = recordOf(readConfig({}));
  const told: readonly SettingName[] = Object.values(rotations);
  return settingNames
    .filter((name) => !told.includes(name) && name !== 'withheld')
    .map((name) => [name, from.settings[name] ?? defaults[name], to.settings[name]] as const)
    .filter(([, old, next]) => old !== next)
    .map(([name, old, next]) => settingChange(name, old, next));
};

const fates: Readonly<Partial<Record<ResourceImpact, string>>> = {
  [ResourceImpact.WILL_REPLACE]: 'is replaced by a new one',
  [ResourceImpact.MAY_REPLACE]: 'may be replaced by a new one',
  [ResourceImpact.WILL_DESTROY]: 'is deleted',
  [ResourceImpact.WILL_ORPHAN]: 'leaves the stack; AWS keeps it, and nothing uses it',
};

const lossChanges = (before: Template, diff: TemplateDiff): readonly Change[] =>
  Object.entries(diff.resources.changes).flatMap(([id, { changeImpact }]): readonly Change[] => {
    const { type = '', name } = before.resources.get(id) ?? {};
    const [fate, loss] = [fates[changeImpact], losses.get(type)];
    if (fate === undefined || loss === undefined || VERSIONED.test(id)) return [];
    return [{ text: `${name} ${fate}: the service loses ${loss}`, needsYes: true }];
  });

/** A new table beside a running service is empty: it stands in for a table that the service used before. */
const newTables = (before: Template, after: Template): readonly Change[] =>
  idsOfType(after, 'AWS::DynamoDB::Table')
    .filter((id) => !before.resources.has(id))
    .map((id) => ({
      text: `${after.resources.get(id)?.name} is new and empty: the service no longer uses the items of another table`,
      needsYes: true,
    }));

/** A grant to everybody needs consent. A removed prohibition widens permissions as a grant does. */
const permissionChanges = ({ iamChanges: { statements, managedPolicies } }: TemplateDiff): readonly Change[] => [
  ...[
    ...statements.additions.filter(({ effect }) => String(effect) !== 'Deny'),
    ...statements.removals.filter(({ effect }) => String(effect) === 'Deny'),
  ].map((statement): Change => {
    const { principal, effect, action, resource, condition } = statement.render();
    const isPublic = effect !== 'Deny' && (statement.principals.not || /(?:^|:)\*$/m.test(principal));
    const verb = effect === 'Deny' ? 'is no longer denied' : 'may';
    const text = `${isPublic ? 'the public ' : ''}${principal} ${verb} ${action} on ${resource}${condition && `, if ${condition}`}`;
    return { text: text.replace(/\s+/g, ' '), needsYes: isPublic };
  }),
  ...managedPolicies.additions.map((row) => ({ text: `${row.identityArn} gets the policy ${row.managedPolicyArn}` })),
];

const resourceChanges = (diff: TemplateDiff): readonly Change[] => {
  const counts = new Map<string, number>();
  for (const { resourceType = '', isAddition, isRemoval } of Object.values(diff.resources.changes)) {
    const kind = isAddition ? 'new' : isRemoval ? 'removed' : 'changed';
    const name = `${kind} ${resourceType.replace(/^AWS::/, '')}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted().map(([name, count]) => ({ text: `${count} ${name}` }));
};

/** The consequences of a deployment, below the headings of the report. */
export type Changes = Readonly<Record<string, readonly Change[]>>;

export const compareTemplates = (before: Template, after: Template): Changes => {
  const diff = fullDiff({ ...before.document }, { ...after.document });
  if (diff.isEmpty) return {};
  return {
    Settings: [...settingChanges(before.record, after.record), ...rotationChanges(before, after)],
    State: [...newTables(before, after), ...lossChanges(before, diff)],
    Permissions: permissionChanges(diff),
    Resources: resourceChanges(diff),
  };
};

export const changeLines = (changes: Changes): readonly string[] =>
  Object.entries(changes).flatMap(([heading, rows]) =>
    rows.length === 0 ? [] : [heading, ...rows.map(({ text, needsYes }) => `  ${needsYes ? '!' : '-'} ${text}.`), ''],
  );

/** @returns why the deployment stops; undefined: it may go on */
export const refusal = (changes: Changes, accepted: boolean): string | undefined => {
  const count = Object.values(changes)
    .flat()
    .filter(({ needsYes }) => needsYes).length;
  return count === 0 || accepted
    ? undefined
    : `Refused: what is marked with ! (${count}) cannot be undone, or hurts users. Nothing was deployed. To accept, run the command with --yes.`;
};
