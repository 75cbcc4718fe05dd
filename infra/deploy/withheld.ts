// Says what a deployment withholds and what it shows again, and names the paths that the caches of CloudFront must forget.
import { type Operation, operationRows, pathsOf, useCasesOf } from '../../shared/contract/operations.ts';
import { useCases } from '../../shared/contract/use-cases.ts';
import { parseWithheldText, type WithheldEntry } from '../../shared/model/withheld.ts';
import type { Change } from './changes.ts';
import type { DeploymentRecord } from './template.ts';

const entriesOf = (record: DeploymentRecord | undefined): readonly WithheldEntry[] => {
  const entries = parseWithheldText(record?.settings.withheld ?? '[]');
  return 'problem' in entries ? [] : entries;
};

const nameOf = (entry: WithheldEntry): string =>
  'profile' in entry ? `@${entry.profile}` : `the post ${entry.id}${entry.handle ? ` of @${entry.handle}` : ''}`;

const keyOf = (entry: WithheldEntry): string => ('profile' in entry ? `@${entry.profile.toLowerCase()}` : entry.id);

const termOf = ({ reason, until }: WithheldEntry): string =>
  `${reason}${until === undefined ? '' : `, until ${new Date(until).toISOString()}`}`;

const without = (entries: readonly WithheldEntry[], others: readonly WithheldEntry[]): readonly WithheldEntry[] => {
  const known = new Set(others.map(keyOf));
  return entries.filter((entry) => !known.has(keyOf(entry)));
};

type Records = readonly [before: DeploymentRecord | undefined, after: DeploymentRecord | undefined];

export const withheldChanges = (...[before, after]: Records): readonly Change[] => {
  const [old, next] = [entriesOf(before), entriesOf(after)];
  const terms = new Map(old.map((entry) => [keyOf(entry), termOf(entry)]));
  const changed = next.filter((entry) => terms.has(keyOf(entry)) && terms.get(keyOf(entry)) !== termOf(entry));
  return [
    ...without(next, old).map((entry) => ({ text: `${nameOf(entry)} is withheld: ${termOf(entry)}` })),
    ...changed.map((entry) => ({ text: `${nameOf(entry)} stays withheld: ${termOf(entry)}` })),
    ...without(old, next).map((entry) => ({ text: `${nameOf(entry)} is shown again` })),
  ];
};

/** CloudFront takes at most 15 paths with a wildcard at the same time. */
const MAX_WILDCARDS = 15;
const EVERYTHING = '/*';

/** A wildcard stands only at the end of a path. */
const untilWildcard = (path: string): string => path.replace(/\*.*$/, '*');

const isAbout = (operation: Operation, kind: 'post' | 'profile'): boolean =>
  useCasesOf(operation).some((name) => useCases[name].problems.some((code) => code === `${kind}_not_found`)) ||
  (kind === 'post' && useCasesOf(operation).includes('lookupPosts'));

/** The edge function writes handles in lower case. In URLs of X, `i` is the handle of any author. */
const pathsOfEntry = (entry: WithheldEntry): readonly string[] => {
  const isProfile = 'profile' in entry;
  const handle = isProfile ? entry.profile : entry.handle;
  if (handle === undefined) return [EVERYTHING];
  const id = isProfile ? '*' : entry.id;
  const templates = operationRows
    .filter(([, operation]) => isAbout(operation, 'post') || (isProfile && isAbout(operation, 'profile')))
    .flatMap(([, operation]) => pathsOf(operation));
  return templates.flatMap((template) => {
    const names = template.includes('{id}') ? [handle.toLowerCase(), 'i'] : [handle.toLowerCase()];
    const paths = names.map((name) => template.replace('{handle}', name).replace('{id}', id));
    if (!template.endsWith('{handle}')) return paths.map((path) => untilWildcard(`${path.replace(/\/\{.*/, '')}*`));
    const [own = ''] = paths;
    return [own, `${own}?*`, `${own}/*`];
  });
};

const covers = (wildcard: string, path: string): boolean =>
  wildcard !== path && wildcard.endsWith('*') && path.startsWith(wildcard.slice(0, -1));

/** @returns the paths to invalidate, each once and none below another; empty if the list is the same */
export const invalidationPaths = (...[before, after]: Records): readonly string[] => {
  const [old, next] = [entriesOf(before), entriesOf(after)];
  const all = [...new Set([...without(next, old), ...without(old, next)].flatMap(pathsOfEntry))];
  const paths = all.filter((path) => !all.some((other) => covers(other, path)));
  return paths.filter((path) => path.endsWith('*')).length > MAX_WILDCARDS ? [EVERYTHING] : paths;
};
