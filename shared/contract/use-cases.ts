// Lists the use cases and their rules. All routes and tools share them.
import type {
  Conversation,
  Embed,
  PostLookup,
  Profile,
  ProfilePosts,
  RelatedPosts,
  Reposters,
  SearchResults,
  UserList,
} from '../model/resources.ts';
import type { AllowanceName } from './allowances.ts';
import type { CacheClass } from './caching.ts';
import type { InputName, InputTypes } from './inputs.ts';
import type { ProblemCode } from './problems.ts';

/** The result of each kind of use case. */
export interface Resources {
  readonly post: Conversation;
  readonly profile: Profile;
  readonly profilePosts: ProfilePosts;
  readonly lookup: PostLookup;
  readonly relatedPosts: RelatedPosts;
  readonly reposters: Reposters;
  readonly users: UserList;
  readonly search: SearchResults;
  readonly oembed: Embed;
}

export interface UseCase {
  readonly input: InputName;
  readonly resource: keyof Resources;
  /** `ignored`: the Authorization header is not read (requirements: keys). */
  readonly apiKey: 'ignored' | 'honoured';
  /** The allowance that a request charges; `fair-use`: no allowance, only the fair-use bound. */
  readonly allowance: AllowanceName | 'fair-use';
  readonly cache: CacheClass;
  /** `negotiated`: `format` and Accept select the format. `json`: always JSON. */
  readonly representation: 'negotiated' | 'json';
  /** The problems that remain if the parameters are valid and the provider answers. */
  readonly problems: readonly ProblemCode[];
  /** Name of the MCP tool. */
  readonly tool?: string;
  readonly summary: string;
}

export const useCases = {
  readPost: {
    input: 'post',
    resource: 'post',
    apiKey: 'ignored',
    allowance: 'fair-use',
    cache: 'post',
    representation: 'negotiated',
    problems: ['post_protected', 'post_not_found'],
    tool: 'x_get_post',
    summary: 'Read a public post with the conversation around it',
  },
  readProfile: {
    input: 'profile',
    resource: 'profile',
    apiKey: 'honoured',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['profile_protected', 'profile_not_found'],
    tool: 'x_get_profile',
    summary: 'Read a public profile with its recent posts',
  },
  readProfileById: {
    input: 'profileById',
    resource: 'profile',
    apiKey: 'honoured',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['profile_protected', 'profile_not_found'],
    summary: 'Read a public profile by the id of its account, which outlives its handle',
  },
  listPosts: {
    input: 'profilePosts',
    resource: 'profilePosts',
    apiKey: 'honoured',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['profile_protected', 'profile_not_found'],
    tool: 'x_list_posts',
    summary: 'List the posts of a public profile by kind and date',
  },
  listFollowers: {
    input: 'followers',
    resource: 'users',
    apiKey: 'honoured',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['profile_protected', 'profile_not_found'],
    tool: 'x_list_followers',
    summary: 'List the followers of a public profile',
  },
  listFollowing: {
    input: 'following',
    resource: 'users',
    apiKey: 'honoured',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['profile_protected', 'profile_not_found'],
    tool: 'x_list_following',
    summary: 'List the accounts that a public profile follows',
  },
  searchPosts: {
    input: 'search',
    resource: 'search',
    apiKey: 'honoured',
    allowance: 'search',
    cache: 'list',
    representation: 'negotiated',
    problems: ['invalid_query'],
    tool: 'x_search_posts',
    summary: 'Search public posts, or accounts',
  },
  lookupPosts: {
    input: 'lookup',
    resource: 'lookup',
    apiKey: 'ignored',
    allowance: 'fair-use',
    cache: 'post',
    representation: 'negotiated',
    problems: [],
    tool: 'x_get_posts',
    summary: 'Read several public posts at once',
  },
  listReplies: {
    input: 'replies',
    resource: 'relatedPosts',
    apiKey: 'ignored',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['post_protected', 'post_not_found'],
    tool: 'x_list_replies',
    summary: 'List the replies to a public post',
  },
  listQuotes: {
    input: 'quotes',
    resource: 'relatedPosts',
    apiKey: 'ignored',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['post_protected', 'post_not_found'],
    tool: 'x_list_replies',
    summary: 'List the posts that quote a public post',
  },
  listReposts: {
    input: 'reposts',
    resource: 'reposters',
    apiKey: 'ignored',
    allowance: 'browse',
    cache: 'list',
    representation: 'negotiated',
    problems: ['post_protected', 'post_not_found'],
    tool: 'x_list_replies',
    summary: 'List the accounts that reposted a public post',
  },
  readOembed: {
    input: 'oembed',
    resource: 'oembed',
    apiKey: 'ignored',
    allowance: 'fair-use',
    cache: 'post',
    representation: 'json',
    problems: ['post_protected', 'post_not_found'],
    summary: 'Read what a page needs to embed a public post (oEmbed 1.0)',
  },
} as const satisfies Readonly<Record<string, UseCase>>;

export type UseCaseName = keyof typeof useCases;
export type UseCaseInput<Name extends UseCaseName> = InputTypes[(typeof useCases)[Name]['input']];
export type UseCaseOutput<Name extends UseCaseName> = Resources[(typeof useCases)[Name]['resource']];

const toolNames = (): readonly string[] => [
  ...new Set(Object.values<UseCase>(useCases).flatMap(({ tool }) => tool ?? [])),
];

/** The names of the MCP tools, in the order of the table. A tool can have several use cases. */
// The mark lets the bundler leave the names out of the Lambdas, which do not use them.
export const TOOL_NAMES = /* @__PURE__ */ toolNames();
