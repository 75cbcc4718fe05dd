// Lists the operations: the versioned route, the permalink and the alias of each use case. The same code answers all of
// them. After a row is added, the compiler names the Lambda that must implement it.
import { HANDLE_LIST } from '../model/handle.ts';
import { inputs } from './inputs.ts';
import type { LambdaName } from './lambdas.ts';
import type { LifecycleName } from './lifecycle.ts';
import type { ParameterName } from './parameters.ts';
import { type UseCase, type UseCaseName, useCases } from './use-cases.ts';

export interface Operation {
  readonly lambda: LambdaName;
  readonly path: string;
  /** Other paths of the operation. Their variables are parameters, too, but `number` is ignored. */
  readonly alsoAt?: readonly string[];
  /** The use case, or the parameter that selects one. */
  readonly useCase:
    | UseCaseName
    | { readonly parameter: string; readonly choices: Readonly<Record<string, UseCaseName>> };
  /** The surface is also a row of `negotiations`: it selects the offered formats. */
  readonly surface: 'versioned' | 'permalink' | 'alias';
  /** Only for aliases: the row of lifecycle.ts. */
  readonly lifecycle?: LifecycleName;
  /** Parameters that the path implies. A request cannot change them. */
  readonly fixed?: Readonly<Partial<Record<ParameterName, string>>>;
  /** The parameter that people may leave out: where HTML is chosen, they get a page with a form for it. */
  readonly formFor?: ParameterName;
}

/** In paths of X, `i` stands for the handle of any author. */
const ANY_HANDLE = 'i';

const versioned = { surface: 'versioned' } as const;
const post = { lambda: 'posts', surface: 'permalink', useCase: 'readPost' } as const;
const engagements = { lambda: 'engagements', surface: 'permalink' } as const;
const profile = { lambda: 'profiles', surface: 'permalink' } as const;
const timeline = { ...profile, useCase: 'listPosts' } as const;
const xList = { lambda: 'profiles', surface: 'permalink', useCase: 'readXList' } as const;
/** The template of a profile matches the same paths. */
const merged = { ...profile, useCase: 'mergeTimelines' } as const;
const search = { lambda: 'search', surface: 'permalink', path: '/search', useCase: 'searchPosts' } as const;
const alias = { lambda: 'legacy', surface: 'alias' } as const;

export const operations = {
  readPost: { ...versioned, lambda: 'posts', path: '/api/v1/posts', useCase: 'readPost' },
  readPostPermalink: {
    ...post,
    path: '/{handle}/status/{id}',
    alsoAt: [
      '/{handle}/status/{id}/photo/{number}',
      '/{handle}/status/{id}/video/{number}',
      '/{handle}/statuses/{id}',
      '/{handle}/article/{id}',
      // The address of FxTwitter.
      '/{handle}/status/{id}/{lang}',
    ],
  },
  readPostWebPermalink: { ...post, path: '/i/web/status/{id}', fixed: { handle: ANY_HANDLE } },
  lookupPosts: { ...versioned, lambda: 'posts', path: '/api/v1/posts/lookup', useCase: 'lookupPosts' },
  listReplies: { ...versioned, lambda: 'engagements', path: '/api/v1/posts/{id}/replies', useCase: 'listReplies' },
  listRepliesPermalink: { ...engagements, path: '/{handle}/status/{id}/replies', useCase: 'listReplies' },
  listQuotes: { ...versioned, lambda: 'engagements', path: '/api/v1/posts/{id}/quotes', useCase: 'listQuotes' },
  listQuotesPermalink: { ...engagements, path: '/{handle}/status/{id}/quotes', useCase: 'listQuotes' },
  listReposts: { ...versioned, lambda: 'engagements', path: '/api/v1/posts/{id}/reposts', useCase: 'listReposts' },
  listRepostsPermalink: { ...engagements, path: '/{handle}/status/{id}/retweets', useCase: 'listReposts' },
  mergeTimelines: { ...versioned, lambda: 'profiles', path: '/api/v1/timeline', useCase: 'mergeTimelines' },
  // These rows precede those of a profile, whose templates also match a list of handles.
  mergeTimelinesPermalink: { ...merged, path: `/${HANDLE_LIST}`, fixed: { kind: 'posts' } },
  mergeRepliesTimelinesPermalink: { ...merged, path: `/${HANDLE_LIST}/with_replies`, fixed: { kind: 'replies' } },
  mergeMediaTimelinesPermalink: { ...merged, path: `/${HANDLE_LIST}/media`, fixed: { kind: 'media' } },
  mergeTimelinesFeed: { ...merged, path: `/${HANDLE_LIST}/rss`, fixed: { kind: 'posts', format: 'rss' } },
  mergeRepliesTimelinesFeed: {
    ...merged,
    path: `/${HANDLE_LIST}/with_replies/rss`,
    fixed: { kind: 'replies', format: 'rss' },
  },
  mergeMediaTimelinesFeed: { ...merged, path: `/${HANDLE_LIST}/media/rss`, fixed: { kind: 'media', format: 'rss' } },
  readProfile: { ...versioned, lambda: 'profiles', path: '/api/v1/profiles/{handle}', useCase: 'readProfile' },
  readProfilePermalink: { ...profile, path: '/{handle}', useCase: 'readProfile' },
  readProfileById: { ...versioned, lambda: 'profiles', path: '/api/v1/users/{id}', useCase: 'readProfileById' },
  readProfileByIdPermalink: { ...profile, path: '/i/user/{id}', useCase: 'readProfileById' },
  listPosts: { ...versioned, lambda: 'profiles', path: '/api/v1/profiles/{handle}/posts', useCase: 'listPosts' },
  listRepliesTimelinePermalink: { ...timeline, path: '/{handle}/with_replies', fixed: { kind: 'replies' } },
  listMediaPermalink: { ...timeline, path: '/{handle}/media', fixed: { kind: 'media' } },
  listArticlesPermalink: { ...timeline, path: '/{handle}/articles', fixed: { kind: 'articles' } },
  // The feeds of nitter, so that subscriptions only need another host.
  listPostsFeed: { ...timeline, path: '/{handle}/rss', fixed: { kind: 'posts', format: 'rss' } },
  listRepliesTimelineFeed: {
    ...timeline,
    path: '/{handle}/with_replies/rss',
    fixed: { kind: 'replies', format: 'rss' },
  },
  listMediaFeed: { ...timeline, path: '/{handle}/media/rss', fixed: { kind: 'media', format: 'rss' } },
  listFollowers: {
    ...versioned,
    lambda: 'profiles',
    path: '/api/v1/profiles/{handle}/followers',
    useCase: 'listFollowers',
  },
  listFollowersPermalink: { ...profile, path: '/{handle}/followers', useCase: 'listFollowers' },
  listFollowing: {
    ...versioned,
    lambda: 'profiles',
    path: '/api/v1/profiles/{handle}/following',
    useCase: 'listFollowing',
  },
  listFollowingPermalink: { ...profile, path: '/{handle}/following', useCase: 'listFollowing' },
  readXList: { ...versioned, lambda: 'profiles', path: '/api/v1/lists/{id}/posts', useCase: 'readXList' },
  readXListPermalink: { ...xList, path: '/i/lists/{id}' },
  readXListFeed: { ...xList, path: '/i/lists/{id}/rss', fixed: { format: 'rss' } },
  searchPosts: { ...versioned, lambda: 'search', path: '/api/v1/search', useCase: 'searchPosts' },
  searchPostsPermalink: { ...search, formFor: 'q' },
  searchPostsFeed: { ...search, path: '/search/rss', fixed: { format: 'rss' } },
  readOembed: { ...versioned, lambda: 'oembed', path: '/api/v1/oembed', alsoAt: ['/oembed'], useCase: 'readOembed' },
  convert: { ...alias, path: '/api/convert', useCase: 'readPost', lifecycle: 'convert' },
  browse: {
    ...alias,
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

/** The use cases that a Lambda must implement, derived from its rows. */
export type UseCasesOfLambda<Name extends LambdaName> = {
  [Id in OperationId]: (typeof operations)[Id] extends { readonly lambda: Name; readonly useCase: infer Choice }
    ? UseCaseNamesIn<Choice>
    : never;
}[OperationId];

export const operationRows: readonly (readonly [string, Operation])[] = Object.entries<Operation>(operations);

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

/** @returns the path of the v1 route of a use case, the successor of its alias */
export const versionedPath = (name: UseCaseName): string => versionedOperation(name).path;

/** @returns the query parameters of an operation: the parameters of its use cases that its path does not determine */
export const queryNames = (operation: Operation): readonly string[] => {
  const fromUseCases = useCasesOf(operation).flatMap(
    (name): readonly string[] => inputs[useCases[name].input].parameters,
  );
  const selector = typeof operation.useCase === 'string' ? [] : [operation.useCase.parameter];
  // The path of a permalink identifies the post, so `url` is not a parameter.
  const names = [...new Set([...selector, ...fromUseCases])].filter((name) => !isPathParameter(operation, name));
  return isPathParameter(operation, 'id') ? names.filter((name) => name !== 'url') : names;
};

/** @returns the values of `format` that some use case of the operation accepts */
export const formatsOf = (operation: Operation): readonly string[] =>
  isPathParameter(operation, 'format')
    ? []
    : [...new Set(useCasesOf(operation).flatMap((name): readonly string[] => inputs[useCases[name].input].formats))];
