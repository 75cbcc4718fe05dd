// Names a list by the path and query of its first page, without `format`, `limit` and `cursor`. The path and query of a
// later page also have `cursor`, and after the end of a timeline an earlier `until`.
import { formatsOf, operationRows, queryNames, useCasesOf, versionedPath } from '../../shared/contract/operations.ts';
import { matchesTemplate } from '../../shared/contract/paths.ts';
import { percentEncode, queryString } from '../../shared/contract/query-string.ts';
import { rowOf, type UseCaseName } from '../../shared/contract/use-cases.ts';
import type { ResourceName } from '../../shared/model/resources.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

const ORIGIN = 'http://list.invalid';

const parse = (target: string): URL => new URL(`${ORIGIN}${target}`);

const lists = operationRows
  .filter(([, operation]) => operation.surface === 'versioned' && formatsOf(operation).includes('ndjson'))
  .map(([, operation]) => ({
    template: operation.path.split('/'),
    names: queryNames(operation),
    resources: useCasesOf(operation).map((name) => rowOf(name).resource),
  }));

/**
 * @returns true if the text is the path and query of a list of the contract, as this command writes them. A URL resolves
 * dot segments, so the path of another operation could look like the path of a list.
 */
export const isListTarget = (text: string): boolean => {
  if (!URL.canParse(`${ORIGIN}${text}`)) return false;
  const { pathname, search, searchParams } = parse(text);
  const names = [...searchParams.keys()];
  return (
    `${pathname}${search}` === text &&
    new Set(names).size === names.length &&
    lists.some(
      (list) => matchesTemplate(list.template, pathname.split('/')) && names.every((name) => list.names.includes(name)),
    )
  );
};

/** @returns the path of a read of an account, whose handle may be malformed: the service checks it */
export const pathOfHandle = (useCase: UseCaseName, handle: string): string =>
  versionedPath(useCase).replace('{handle}', percentEncode(handle.toWellFormed()));

/** Sets or, with undefined, removes parameters of a path or of a target. */
export const withQuery = (target: string, changes: Query): string => {
  const { pathname, searchParams } = parse(target);
  const query = queryString({ ...Object.fromEntries(searchParams), ...changes });
  return query === '' ? pathname : `${pathname}?${query}`;
};

export const parameterOf = (target: string, name: string): string | undefined =>
  parse(target).searchParams.get(name) ?? undefined;

export const pathOf = (target: string): string => parse(target).pathname;

/** @returns the same text for all pages of an export, in any order of the parameters */
export const listKey = (target: string): string => {
  const { pathname, searchParams } = parse(withQuery(target, { cursor: undefined, until: undefined }));
  return JSON.stringify([pathname.toLowerCase(), [...searchParams].toSorted()]);
};

const OF_ACCOUNTS: readonly ResourceName[] = ['userList', 'reposters'];

const resourcesOf = (target: string): readonly ResourceName[] => {
  const segments = pathOf(target).split('/');
  return lists.find(({ template }) => matchesTemplate(template, segments))?.resources ?? [];
};

/** @returns true if the items of the list are accounts, and false if they are posts */
export const hasAccounts = (target: string): boolean =>
  resourcesOf(target).some((name) => OF_ACCOUNTS.includes(name)) || parameterOf(target, 'feed') === 'users';

/** @returns true if the list is the tree of a conversation */
export const isConversation = (target: string): boolean => resourcesOf(target).includes('conversation');
