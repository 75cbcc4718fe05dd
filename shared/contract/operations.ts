// THE routes. `reads` says what can be read and under which rules; `operations` says where: v1, permalink or alias
// of a read, each answered by the same code. Adding a row makes the compiler name the surface that must implement it.
import type { Conversation } from '../model/conversation.ts';
import type { Embed } from '../model/oembed.ts';
import type { Profile } from '../model/profile.ts';
import type { SearchResults } from '../model/search-results.ts';
import type { UserList } from '../model/user-list.ts';
import type { AllowanceName } from './allowances.ts';
import type { CacheClass } from './caching.ts';
import { type InputName, type InputTypes, inputs } from './inputs.ts';
import type { LifecycleName } from './lifecycle.ts';
import type { ProblemCode } from './problems.ts';
import type { SurfaceName } from './surfaces.ts';

/** What reads answer. */
export interface Resources {
  readonly post: Conversation;
  readonly profile: Profile;
  readonly users: UserList;
  readonly search: SearchResults;
  readonly oembed: Embed;
}

export interface Read {
  readonly input: InputName;
  readonly resource: keyof Resources;
  /** `ignored`: the Authorization header is not even looked at (spec 5.4). */
  readonly key: 'ignored' | 'honoured';
  /** An allowance, or what the fair-use bound counts. */
  readonly spends: AllowanceName | 'fair-use';
  readonly cache: CacheClass;
  /** Chosen by `format` and Accept, or JSON whatever is accepted. */
  readonly forms: 'negotiated' | 'json';
  /** How it can fail where its parameters are right and its provider answers. */
  readonly misses: readonly ProblemCode[];
  /** Its MCP tool, where it has one. */
  readonly tool?: string;
  readonly summary: string;
}

export const reads = {
  readPost: {
    input: 'post',
    resource: 'post',
    key: 'ignored',
    spends: 'fair-use',
    cache: 'post',
    forms: 'negotiated',
    misses: ['post_protected', 'post_not_found'],
    tool: 'x_get_post',
    summary: 'Read a public post with the conversation around it',
  },
  readProfile: {
    input: 'profile',
    resource: 'profile',
    key: 'honoured',
    spends: 'browse',
    cache: 'list',
    forms: 'negotiated',
    misses: ['profile_protected', 'profile_not_found'],
    tool: 'x_get_profile',
    summary: 'Read a public profile with its recent posts',
  },
  listFollowers: {
    input: 'followers',
    resource: 'users',
    key: 'honoured',
    spends: 'browse',
    cache: 'list',
    forms: 'negotiated',
    misses: ['profile_protected', 'profile_not_found'],
    tool: 'x_list_followers',
    summary: 'List the followers of a public profile',
  },
  listFollowing: {
    input: 'following',
    resource: 'users',
    key: 'honoured',
    spends: 'browse',
    cache: 'list',
    forms: 'negotiated',
    misses: ['profile_protected', 'profile_not_found'],
    tool: 'x_list_following',
    summary: 'List the accounts that a public profile follows',
  },
  searchPosts: {
    input: 'search',
    resource: 'search',
    key: 'honoured',
    spends: 'search',
    cache: 'list',
    forms: 'negotiated',
    misses: ['invalid_query'],
    tool: 'x_search_posts',
    summary: 'Search public posts, or accounts',
  },
  readOembed: {
    input: 'oembed',
    resource: 'oembed',
    key: 'ignored',
    spends: 'fair-use',
    cache: 'post',
    forms: 'json',
    misses: ['post_protected', 'post_not_found'],
    summary: 'Read what a page needs to embed a public post (oEmbed 1.0)',
  },
} as const satisfies Readonly<Record<string, Read>>;

export type ReadName = keyof typeof reads;
export type ReadInput<Name extends ReadName> = InputTypes[(typeof reads)[Name]['input']];
export type ReadValue<Name extends ReadName> = Resources[(typeof reads)[Name]['resource']];

export interface Operation {
  readonly surface: SurfaceName;
  readonly path: string;
  /** Further spellings of the path; variables in them beyond `path`'s are not looked at. */
  readonly alsoAt?: readonly string[];
  /** The read, or the parameter that chooses among several. */
  readonly reads: ReadName | { readonly by: string; readonly choices: Readonly<Record<string, ReadName>> };
  /** Also says what the address offers: a row of `negotiations`. */
  readonly kind: 'versioned' | 'permalink' | 'alias';
  /** Aliases only: the row of lifecycle.ts. */
  readonly lifecycle?: LifecycleName;
}

export const operations = {
  readPost: { surface: 'posts', kind: 'versioned', path: '/api/v1/posts', reads: 'readPost' },
  readPostPermalink: {
    surface: 'posts',
    kind: 'permalink',
    path: '/{handle}/status/{id}',
    alsoAt: ['/{handle}/status/{id}/photo/{number}', '/{handle}/status/{id}/video/{number}'],
    reads: 'readPost',
  },
  readProfile: { surface: 'profiles', kind: 'versioned', path: '/api/v1/profiles/{handle}', reads: 'readProfile' },
  readProfilePermalink: { surface: 'profiles', kind: 'permalink', path: '/{handle}', reads: 'readProfile' },
  listFollowers: {
    surface: 'profiles',
    kind: 'versioned',
    path: '/api/v1/profiles/{handle}/followers',
    reads: 'listFollowers',
  },
  listFollowersPermalink: {
    surface: 'profiles',
    kind: 'permalink',
    path: '/{handle}/followers',
    reads: 'listFollowers',
  },
  listFollowing: {
    surface: 'profiles',
    kind: 'versioned',
    path: '/api/v1/profiles/{handle}/following',
    reads: 'listFollowing',
  },
  listFollowingPermalink: {
    surface: 'profiles',
    kind: 'permalink',
    path: '/{handle}/following',
    reads: 'listFollowing',
  },
  searchPosts: { surface: 'search', kind: 'versioned', path: '/api/v1/search', reads: 'searchPosts' },
  searchPostsPermalink: { surface: 'search', kind: 'permalink', path: '/search', reads: 'searchPosts' },
  readOembed: {
    surface: 'oembed',
    kind: 'versioned',
    path: '/api/v1/oembed',
    alsoAt: ['/oembed'],
    reads: 'readOembed',
  },
  convert: { surface: 'legacy', kind: 'alias', path: '/api/convert', reads: 'readPost', lifecycle: 'convert' },
  browse: {
    surface: 'legacy',
    kind: 'alias',
    path: '/api/browse',
    reads: {
      by: 'resource',
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

type ReadsIn<Reads> = Reads extends ReadName
  ? Reads
  : Reads extends { readonly choices: infer Choices }
    ? Extract<Choices[keyof Choices], ReadName>
    : never;

/** The reads that a surface must implement, derived from its rows. */
export type ReadsOf<Name extends SurfaceName> = {
  [Id in OperationId]: (typeof operations)[Id] extends { readonly surface: Name; readonly reads: infer Reads }
    ? ReadsIn<Reads>
    : never;
}[OperationId];

export const operationRows: readonly (readonly [string, Operation])[] = Object.entries<Operation>(operations);

export const pathsOf = (operation: Operation): readonly string[] => [operation.path, ...(operation.alsoAt ?? [])];

const isPathParameter = (operation: Operation, name: string): boolean => operation.path.includes(`{${name}}`);

export const readsOf = (operation: Operation): readonly ReadName[] =>
  typeof operation.reads === 'string' ? [operation.reads] : Object.values(operation.reads.choices);

const someRead = (operation: Operation, is: (read: Read) => boolean): boolean =>
  readsOf(operation).some((name) => is(reads[name]));

/** Whether an operation has several forms to choose from. */
export const isNegotiated = (operation: Operation): boolean =>
  someRead(operation, ({ forms }) => forms === 'negotiated');

/** Whether the routes of an operation read the Authorization header (spec 5.4). */
export const honoursKey = (operation: Operation): boolean => someRead(operation, ({ key }) => key === 'honoured');

/** Whether an allowance governs an operation. */
export const spendsAllowance = (operation: Operation): boolean =>
  someRead(operation, ({ spends }) => spends !== 'fair-use');

/** Of the MCP server, in the order of the table. */
export const toolNames: readonly string[] = Object.values<Read>(reads).flatMap(({ tool }) => tool ?? []);

/** Whether a surface answers with lists, and so signs cursors. */
export const givesLists = (surface: SurfaceName): boolean =>
  operationRows.some(([, operation]) => operation.surface === surface && queryNames(operation).includes('cursor'));

/** The v1 route of a read: what aliases are succeeded by. */
export const versionedPath = (read: ReadName): string => {
  const row = operationRows.find(([, { kind, reads }]) => kind === 'versioned' && reads === read);
  if (row === undefined) throw new Error(`${read} has no versioned route`);
  return row[1].path;
};

/** Query names that an operation knows: those of its reads, less what its path says. */
export const queryNames = (operation: Operation): readonly string[] => {
  const fromReads = readsOf(operation).flatMap((name): readonly string[] => inputs[reads[name].input].parameters);
  const chooser = typeof operation.reads === 'string' ? [] : [operation.reads.by];
  // A permalink has said in its path which post is meant.
  const known = [...new Set([...chooser, ...fromReads])].filter((name) => !isPathParameter(operation, name));
  return isPathParameter(operation, 'id') ? known.filter((name) => name !== 'url') : known;
};
