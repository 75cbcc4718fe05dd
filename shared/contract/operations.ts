// THE routes. `reads` says what can be read and under which rules; `operations` says where: v1, permalink or alias
// of a read, each answered by the same code. Adding a row makes the compiler name the surface that must implement it.
import { inputs } from './inputs.ts';
import type { LambdaName } from './lambdas.ts';
import type { LifecycleName } from './lifecycle.ts';
import { type UseCase, type UseCaseName, useCases } from './use-cases.ts';

export interface Operation {
  readonly lambda: LambdaName;
  readonly path: string;
  /** Further spellings of the path; variables in them beyond `path`'s are not looked at. */
  readonly alsoAt?: readonly string[];
  /** The read, or the parameter that chooses among several. */
  readonly useCase:
    | UseCaseName
    | { readonly parameter: string; readonly choices: Readonly<Record<string, UseCaseName>> };
  /** Also says what the address offers: a row of `negotiations`. */
  readonly surface: 'versioned' | 'permalink' | 'alias';
  /** Aliases only: the row of lifecycle.ts. */
  readonly lifecycle?: LifecycleName;
}

export const operations = {
  readPost: { lambda: 'posts', surface: 'versioned', path: '/api/v1/posts', useCase: 'readPost' },
  readPostPermalink: {
    lambda: 'posts',
    surface: 'permalink',
    path: '/{handle}/status/{id}',
    alsoAt: ['/{handle}/status/{id}/photo/{number}', '/{handle}/status/{id}/video/{number}'],
    useCase: 'readPost',
  },
  readProfile: { lambda: 'profiles', surface: 'versioned', path: '/api/v1/profiles/{handle}', useCase: 'readProfile' },
  readProfilePermalink: { lambda: 'profiles', surface: 'permalink', path: '/{handle}', useCase: 'readProfile' },
  listFollowers: {
    lambda: 'profiles',
    surface: 'versioned',
    path: '/api/v1/profiles/{handle}/followers',
    useCase: 'listFollowers',
  },
  listFollowersPermalink: {
    lambda: 'profiles',
    surface: 'permalink',
    path: '/{handle}/followers',
    useCase: 'listFollowers',
  },
  listFollowing: {
    lambda: 'profiles',
    surface: 'versioned',
    path: '/api/v1/profiles/{handle}/following',
    useCase: 'listFollowing',
  },
  listFollowingPermalink: {
    lambda: 'profiles',
    surface: 'permalink',
    path: '/{handle}/following',
    useCase: 'listFollowing',
  },
  searchPosts: { lambda: 'search', surface: 'versioned', path: '/api/v1/search', useCase: 'searchPosts' },
  searchPostsPermalink: { lambda: 'search', surface: 'permalink', path: '/search', useCase: 'searchPosts' },
  readOembed: {
    lambda: 'oembed',
    surface: 'versioned',
    path: '/api/v1/oembed',
    alsoAt: ['/oembed'],
    useCase: 'readOembed',
  },
  convert: { lambda: 'legacy', surface: 'alias', path: '/api/convert', useCase: 'readPost', lifecycle: 'convert' },
  browse: {
    lambda: 'legacy',
    surface: 'alias',
    path: '/api/browse',
    useCase: {
      parameter: 'resource',
      choices: {
        profile: 'readProfile',
        followers: 'listFollowers',
        following: 'listFollowing',
        search: 'searchPosts',
      },
    },
    lifecycle: 'browse',
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;

type UseCaseNamesIn<Choice> = Choice extends UseCaseName
  ? Choice
  : Choice extends { readonly choices: infer Choices }
    ? Extract<Choices[keyof Choices], UseCaseName>
    : never;

/** The reads that a surface must implement, derived from its rows. */
export type UseCasesOfLambda<Name extends LambdaName> = {
  [Id in OperationId]: (typeof operations)[Id] extends { readonly lambda: Name; readonly useCase: infer Choice }
    ? UseCaseNamesIn<Choice>
    : never;
}[OperationId];

export const operationRows: readonly (readonly [string, Operation])[] = Object.entries<Operation>(operations);

export const pathsOf = (operation: Operation): readonly string[] => [operation.path, ...(operation.alsoAt ?? [])];

const isPathParameter = (operation: Operation, name: string): boolean => operation.path.includes(`{${name}}`);

export const useCasesOf = (operation: Operation): readonly UseCaseName[] =>
  typeof operation.useCase === 'string' ? [operation.useCase] : Object.values(operation.useCase.choices);

const someUseCase = (operation: Operation, is: (read: UseCase) => boolean): boolean =>
  useCasesOf(operation).some((name) => is(useCases[name]));

/** Whether an operation has several forms to choose from. */
export const isNegotiated = (operation: Operation): boolean =>
  someUseCase(operation, ({ representation }) => representation === 'negotiated');

/** Whether the routes of an operation read the Authorization header (spec 5.4). */
export const acceptsApiKey = (operation: Operation): boolean =>
  someUseCase(operation, ({ apiKey }) => apiKey === 'honoured');

/** Whether an allowance governs an operation. */
export const usesAllowance = (operation: Operation): boolean =>
  someUseCase(operation, ({ allowance }) => allowance !== 'fair-use');

/** Whether a surface answers with lists, and so signs cursors. */
export const servesLists = (surface: LambdaName): boolean =>
  operationRows.some(([, operation]) => operation.lambda === surface && queryNames(operation).includes('cursor'));

/** The v1 route of a read: what aliases are succeeded by. */
export const versionedPath = (read: UseCaseName): string => {
  const row = operationRows.find(([, { surface, useCase }]) => surface === 'versioned' && useCase === read);
  if (row === undefined) throw new Error(`${read} has no versioned route`);
  return row[1].path;
};

/** Query names that an operation knows: those of its reads, less what its path says. */
export const queryNames = (operation: Operation): readonly string[] => {
  const fromReads = useCasesOf(operation).flatMap((name): readonly string[] => inputs[useCases[name].input].parameters);
  const chooser = typeof operation.useCase === 'string' ? [] : [operation.useCase.parameter];
  // A permalink has said in its path which post is meant.
  const known = [...new Set([...chooser, ...fromReads])].filter((name) => !isPathParameter(operation, name));
  return isPathParameter(operation, 'id') ? known.filter((name) => name !== 'url') : known;
};
