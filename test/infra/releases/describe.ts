// Compares the template of a release with another by the update rules of CloudFormation (@aws-cdk/cloudformation-diff
// knows which property of which resource causes a replacement).
import { fullDiff, type ResourceDifference, ResourceImpact, type TemplateDiff } from '@aws-cdk/cloudformation-diff';
import { type Fields, fieldsOf, isFields } from '../evaluation/template.ts';
import { STATEFUL } from './reduce.ts';

const LOSES: readonly ResourceImpact[] = [
  ResourceImpact.WILL_REPLACE,
  ResourceImpact.MAY_REPLACE,
  ResourceImpact.WILL_DESTROY,
  ResourceImpact.WILL_ORPHAN,
];

interface Change {
  readonly id: string;
  readonly type: string;
  readonly impact: ResourceImpact;
  readonly difference: ResourceDifference;
}

const changesOf = ({ resources }: TemplateDiff): readonly Change[] => {
  const changes: Change[] = [];
  resources.forEachDifference((id, difference) => {
    const { changeImpact: impact, oldResourceType, newResourceType } = difference;
    const type = oldResourceType ?? newResourceType ?? '';
    if (impact !== ResourceImpact.NO_CHANGE) changes.push({ id, type, impact, difference });
  });
  return changes;
};

const compare = (from: Fields, to: Fields): TemplateDiff => fullDiff({ ...from }, { ...to });

/** The stateful resources that an update would lose, as text. */
export const lossesOf = (from: Fields, to: Fields): readonly string[] =>
  changesOf(compare(from, to))
    .filter(({ type, impact }) => STATEFUL.some((name) => name === type) && LOSES.includes(impact))
    .map(({ id, type, impact, difference }) => {
      const properties = Object.entries(difference.propertyUpdates)
        .filter(([, { changeImpact }]) => changeImpact !== undefined && LOSES.includes(changeImpact))
        .map(([name]) => name);
      return `${impact} ${type} ${id}${properties.length > 0 ? `: ${properties.join(', ')}` : ''}`;
    });

/** A route has its path as name, other resources have their logical id. */
const nameOf = ({ id, difference }: Change): string => {
  const properties = difference.newProperties ?? difference.oldProperties;
  const key = isFields(properties) ? properties['RouteKey'] : undefined;
  return typeof key === 'string' ? key.replace('ANY ', '') : id;
};

const MAX_NAMES = 6;

const listed = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const verbs: Readonly<Partial<Record<ResourceImpact, string>>> = {
  [ResourceImpact.WILL_CREATE]: 'creates',
  [ResourceImpact.WILL_UPDATE]: 'changes',
  [ResourceImpact.WILL_REPLACE]: 'replaces',
  [ResourceImpact.MAY_REPLACE]: 'may replace',
  [ResourceImpact.WILL_DESTROY]: 'deletes',
  [ResourceImpact.WILL_ORPHAN]: 'no longer manages',
};

const updated = ({ difference }: Change): string => Object.keys(difference.propertyUpdates).join(', ');

const permissionLines = ({ iamChanges }: TemplateDiff): readonly string[] => {
  const rights = (statements: typeof iamChanges.statements.additions): readonly string[] => [
    ...new Set(statements.flatMap(({ actions }) => actions.values)),
  ];
  const [added, removed] = [rights(iamChanges.statements.additions), rights(iamChanges.statements.removals)];
  return [
    ...(added.length > 0 ? [`permissions added or widened: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`permissions removed or narrowed: ${removed.join(', ')}`] : []),
  ];
};

/** Describes an update for the operator, one line per kind of change. */
export const describeUpgrade = (from: Fields, to: Fields): readonly string[] => {
  const diff = compare(from, to);
  const groups = Map.groupBy(changesOf(diff), ({ type, impact }) => `${verbs[impact] ?? impact} ${type}`);
  const lines = [...groups].map(([title, changes]) => {
    const properties = [...new Set(changes.map(updated).filter((text) => text !== ''))];
    const what = title.startsWith('changes') && properties.length > 0 ? ` (${properties.join('; ')})` : '';
    return `${title.replace('AWS::', '')}: ${listed(changes.map(nameOf))}${what}`;
  });
  return [...lines.toSorted(), ...permissionLines(diff)];
};

/** A copy of a template in which one resource is changed or, by undefined, removed. */
export const withResource = (template: Fields, id: string, resource: Fields | undefined): Fields => {
  const { [id]: _, ...others } = fieldsOf(template['Resources']);
  return { ...template, Resources: resource === undefined ? others : { ...others, [id]: resource } };
};
