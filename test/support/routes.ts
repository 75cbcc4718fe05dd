// Lists a request for every path and choice of the operations of the contract, for what holds on all of them.
import { documents } from '../../shared/contract/documents.ts';
import { type Operation, operationRows, pathsOf } from '../../shared/contract/operations.ts';
import { type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';

export interface Route {
  readonly target: string;
  readonly operation: Operation;
  readonly useCase: UseCaseName;
}

export const documentTargets = Object.values(documents).map(({ path }) => path);

interface Subject {
  readonly handle: string;
  /** The post and the account have the same. */
  readonly id: string;
}

/** A request must say this beside its path. */
const requiredQuery = ({ surface }: Operation, useCase: UseCaseName, path: string, { handle, id }: Subject): string => {
  if (/\{(?:id|handles)\}/.test(path)) return '';
  if (useCase === 'readPost' || useCase === 'readOembed') return `url=x.com/${handle}/status/${id}`;
  if (useCase === 'lookupPosts') return `ids=${id},21`;
  if (useCase === 'mergeTimelines') return `handles=${handle}`;
  if (useCase === 'searchPosts') return 'q=fjord';
  return surface === 'alias' ? `handle=${handle}` : '';
};

const choicesOf = ({ useCase }: Operation): readonly (readonly [query: string, useCase: UseCaseName])[] =>
  typeof useCase === 'string'
    ? [['', useCase]]
    : Object.entries(useCase.choices).map(([choice, name]) => [`${useCase.parameter}=${choice}`, name]);

/** A request for every path and choice about the post or the account. */
export const routesAbout = (subject: Subject): readonly Route[] =>
  operationRows.flatMap(([, operation]) =>
    pathsOf(operation).flatMap((path) =>
      choicesOf(operation).map(([choice, useCase]) => {
        const query = [choice, requiredQuery(operation, useCase, path, subject)].filter(Boolean).join('&');
        const values: Readonly<Record<string, string>> = { ...subject, number: '1', lang: 'de', handles: '' };
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
        return { target: query === '' ? filled : `${filled}?${query}`, operation, useCase };
      }),
    ),
  );

export const routes: readonly Route[] = routesAbout({ handle: 'jack', id: '20' });

/** @returns undefined for a search, which is about no post and no account */
export const entityOf = ({ useCase }: Route): 'post' | 'profile' | undefined =>
  (['post', 'profile'] as const).find((name) =>
    useCases[useCase].problems.some((code) => code === `${name}_not_found`),
  );
