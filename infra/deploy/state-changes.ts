// Says what a deployment does to what outlives a request: tables, secrets, buckets, and the addresses of the service.
import { ResourceImpact, type TemplateDiff } from '@aws-cdk/cloudformation-diff';
import { type Change, plural, wordList } from './change.ts';
import { nameOf, type Resource, resourcesOfType, type Template } from './template.ts';

const TABLE = 'AWS::DynamoDB::Table';
const SECRET = 'AWS::SecretsManager::Secret';

/** Names the loss with a resource of each type. Resources of other types can be created again. */
const losses: Readonly<Record<string, string>> = {
  [TABLE]: 'its items',
  'AWS::DynamoDB::GlobalTable': 'its items',
  [SECRET]: 'its value',
  'AWS::S3::Bucket': 'its objects',
  'AWS::KMS::Key': 'everything that it encrypts',
  'AWS::CloudFront::Distribution': 'the URL of the service, and the target of DNS records',
  'AWS::ApiGatewayV2::Api': 'the address at which CloudFront reaches the functions, for some minutes',
  'AWS::Lambda::Url': 'the address at which CloudFront reaches the MCP server, for some minutes',
};

/** An update that replaces or deletes a resource of these types is refused, also by the stack policy. */
export const lossTypes: readonly string[] = Object.keys(losses);

/** The loss is told, but nothing depends on it. */
const minorLosses: Readonly<Record<string, string>> = {
  'AWS::Logs::LogGroup': 'its log lines',
  'AWS::SNS::Topic': 'its subscriptions, which must be confirmed again',
};

/** The generated secrets, each with the setting of its version. */
const versionedSecrets = {
  OriginSecret: 'originSecretVersion',
  CursorSecret: 'cursorSecretVersion',
} as const;

/** The CDK appends a hash of eight digits to the path of a construct. */
const VERSIONED = /^(OriginSecret|CursorSecret)V(\d+)[0-9A-F]{8}$/;

const newestVersion = (template: Template, prefix: string): number | undefined => {
  const versions = resourcesOfType(template, SECRET).flatMap(([id]) => {
    const [, name, version] = VERSIONED.exec(id) ?? [];
    return name === prefix ? [Number(version)] : [];
  });
  return versions.length === 0 ? undefined : Math.max(...versions);
};

const rotationChange = (setting: string, from: number, to: number | undefined): readonly Change[] => {
  if (to === from) return [];
  const refused = (text: string): readonly Change[] => [{ topic: 'state', text, needsYes: true }];
  if (to === undefined) return refused(`the generated secrets of ${setting} are deleted`);
  if (to < from)
    return refused(
      `${setting} falls from ${from} to ${to}: the newest secret is deleted, and what it signed is rejected; set it to ${from} to keep the secret, or to ${from + 1} to rotate it`,
    );
  if (to > from + 1)
    return refused(`${setting} rises from ${from} to ${to}: the secret in use is rejected at once; raise it by 1`);
  return [
    { topic: 'state', text: `${setting} rises to ${to}: a new secret is generated, and secret ${from} stays accepted` },
  ];
};

const rotationChanges = (before: Template, after: Template): readonly Change[] =>
  Object.entries(versionedSecrets).flatMap(([prefix, setting]) => {
    const from = newestVersion(before, prefix);
    return from === undefined ? [] : rotationChange(setting, from, newestVersion(after, prefix));
  });

const fates: Readonly<Partial<Record<ResourceImpact, string>>> = {
  [ResourceImpact.WILL_REPLACE]: 'is replaced by a new one',
  [ResourceImpact.MAY_REPLACE]: 'may be replaced by a new one',
  [ResourceImpact.WILL_DESTROY]: 'is deleted',
  [ResourceImpact.WILL_ORPHAN]: 'leaves the stack; AWS keeps it, and nothing uses it',
};

const lossChange = (id: string, resource: Resource, impact: ResourceImpact): readonly Change[] => {
  const fate = fates[impact];
  const loss = losses[resource.type];
  const minor = minorLosses[resource.type];
  if (fate === undefined || (loss ?? minor) === undefined) return [];
  const text = `${nameOf(id, resource)} ${fate}: the service loses ${loss ?? minor}`;
  return [{ topic: 'state', text, ...(loss !== undefined && { needsYes: true }) }];
};

/** A new table beside a running service is empty: it stands in for a table that the service used before. */
const newTables = (before: Template, after: Template): readonly Change[] =>
  resourcesOfType(after, TABLE)
    .filter(([id]) => !before.resources.has(id))
    .map(([id, table]) => ({
      topic: 'state',
      text: `${nameOf(id, table)} is new and empty: the service no longer uses the items of another table`,
      needsYes: true,
    }));

/** Counts the changes of resources that the other texts do not mention. */
const remainder = (diff: TemplateDiff): readonly Change[] => {
  const counts = new Map<string, number>();
  for (const change of Object.values(diff.resources.changes)) {
    const { resourceType, isAddition, isRemoval } = change;
    const kind = isAddition ? 'new' : isRemoval ? 'removed' : 'changed';
    const name = `${kind} ${((resourceType ?? '').split('::').at(-1) ?? '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const texts = [...counts].map(([name, count]) => plural(count, name));
  return texts.length === 0 ? [] : [{ topic: 'operators', text: `resources: ${wordList(texts.toSorted(), 40)}` }];
};

export const stateChanges = (before: Template, after: Template, diff: TemplateDiff): readonly Change[] => [
  ...rotationChanges(before, after),
  ...newTables(before, after),
  ...Object.entries(diff.resources.changes).flatMap(([id, { changeImpact }]) => {
    const resource = before.resources.get(id);
    const isVersioned = resource?.type === SECRET && VERSIONED.test(id);
    return resource === undefined || isVersioned ? [] : lossChange(id, resource, changeImpact);
  }),
  ...remainder(diff),
];
