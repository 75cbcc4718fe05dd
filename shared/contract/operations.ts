// Derives the operations from the rows of the reads: the versioned route and the permalinks of each. Adds the aliases. The
// same code answers all of them. After a row is added, the compiler names the Lambda that must implement it.
import { keysOf } from '../model/json.ts';
import type { LambdaName } from './lambdas.ts';
import type { LifecycleName } from './lifecycle.ts';
import type { Permalink } from './reads/row.ts';
import { type UseCase, type UseCaseName, useCases } from './use-cases.ts';

export interface Operation extends Permalink {
  readonly lambda: LambdaName;
  /** The use case, or the parameter that selects one. */
  readonly useCase:
    | UseCaseName
    | { readonly parameter: string; readonly choices: Readonly<Record<string, UseCaseName>> };
  /** The surface is also a row of `negotiations`: it selects the offered formats. */
  readonly surface: 'versioned' | 'permalink' | 'alias';
  /** Only for aliases: the row of lifecycle.ts. */
  readonly lifecycle?: LifecycleName;
}

const aliasRow = { lambda: 'legacy', surface: 'alias' } as const;

/** The deprecated routes (requirements: lifecycle). */
export const aliases = {
  convert: { ...aliasRow, path: '/api/convert', useCase: 'readPost', lifecycle: 'convert' },
  browse: {
    ...aliasRow,
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

type Rows = typeof useCases;
type PermalinkName = { [Name in UseCaseName]: keyof Rows[Name]['permalinks'] }[UseCaseName];
export type OperationId = UseCaseName | PermalinkName | keyof typeof aliases;

/** The v1 route of a read has the name of the read, and precedes its permalinks. */
const operationsOf = (
  useCase: UseCaseName,
  { lambda, path, alsoAt, permalinks }: UseCase,
): readonly (readonly [string, Operation])[] => [
  [useCase, { surface: 'versioned', lambda, path, ...(alsoAt && { alsoAt }), useCase }],
  ...Object.entries(permalinks).map(([id, permalink]): [string, Operation] => [
    id,
    { surface: 'permalink', lambda, ...permalink, useCase },
  ]),
];

export const operationRows: readonly (readonly [string, Operation])[] = [
  ...keysOf(useCases).flatMap((name) => operationsOf(name, useCases[name])),
  ...Object.entries<Operation>(aliases),
];

export const operations = Object.fromEntries(operationRows) as Readonly<Record<OperationId, Operation>>; // their names

type UseCaseNamesIn<Choice> = Choice extends UseCaseName
  ? Choice
  : Choice extends { readonly choices: infer Choices }
    ? Extract<Choices[keyof Choices], UseCaseName>
    : never;

/** The reads that a Lambda must implement. */
export type UseCasesOfLambda<Name extends LambdaName> =
  | { [Read in UseCaseName]: Rows[Read]['lambda'] extends Name ? Read : never }[UseCaseName]
  | {
      [Id in keyof typeof aliases]: (typeof aliases)[Id] extends {
        readonly lambda: Name;
        readonly useCase: infer Choice;
      }
        ? UseCaseNamesIn<Choice>
        : never;
    }[keyof typeof aliases];

export const pathsOf = (operation: Operation): readonly string[] => [operation.path, ...(operation.alsoAt ?? [])];

export const permalinkPaths: readonly string[] = operationRows
  .filter(([, { surface }]) => surface === 'permalink')
  .flatMap(([, operation]) => pathsOf(operation));

const isPathParameter = ({ path, fixed = {} }: Operation, name: string): boolean =>
  path.includes(`{${name}}`) || Object.hasOwn(fixed, name);

export const useCasesOf = (operation: Operation): readonly UseCaseName[] =>
  typeof operation.useCase === 'string' ? [operation.useCase] : Object.values(operation.useCase.choices);

const someUseCase = (operation: Operation, predicate: (useCase: UseCase) => boolean): boolean =>
  useCasesOf(operation).some((name) => predicate(useCases[name]));

/** @returns true if Accept selects the format */
export const isNegotiated = (operation: Operation): boolean =>
  operation.fixed?.format === undefined &&
  someUseCase(operation, ({ representation }) => representation === 'negotiated');

/** @returns true if the operation reads the Authorization header (requirements: keys) */
export const acceptsApiKey = (operation: Operation): boolean =>
  someUseCase(operation, ({ apiKey }) => apiKey === 'honoured');

/** @returns true if the operation charges an allowance of the caller: the API key, else the client network */
export const usesAllowance = (operation: Operation): boolean =>
  someUseCase(operation, ({ allowance }) => allowance !== 'fair-use');

/** @returns true if the Lambda serves lists, so it signs cursors */
export const servesLists = (lambda: LambdaName): boolean =>
  operationRows.some(([, operation]) => operation.lambda === lambda && queryNames(operation).includes('cursor'));

/** @returns the operation of the v1 route of a use case */
export const versionedOperation = (name: UseCaseName): Operation => {
  const row = operationRows.find(([, { surface, useCase }]) => surface === 'versioned' && useCase === name);
  if (row === undefined) throw new Error(`${name} has no versioned route`);
  return row[1];
};

/** @returns the read of a path template */
export const readAt = (path: string): UseCaseName | undefined =>
  operationRows.flatMap(([, row]) => (row.path === path ? useCasesOf(row) : []))[0];

/** @returns the path of the v1 route of a use case, the successor of its alias */
export const versionedPath = (name: UseCaseName): string => versionedOperation(name).path;

/** @returns the query parameters of an operation: the parameters of its use cases that its path does not determine */
export const queryNames = (operation: Operation): readonly string[] => {
  const fromUseCases = useCasesOf(operation).flatMap((name): readonly string[] => useCases[name].parameters);
  const selector = typeof operation.useCase === 'string' ? [] : [operation.useCase.parameter];
  // The path of a permalink identifies the post, so `url` is not a parameter.
  const names = [...new Set([...selector, ...fromUseCases])].filter((name) => !isPathParameter(operation, name));
  return isPathParameter(operation, 'id') ? names.filter((name) => name !== 'url') : names;
};

/** @returns the values of `format` that some use case of the operation accepts */
export const formatsOf = (operation: Operation): readonly string[] =>
  isPathParameter(operation, 'format')
    ? []
    : [...new Set(useCasesOf(operation).flatMap((name): readonly string[] => useCases[name].formats))];
