// Lists the use cases and their rules. All routes and tools share them.
import type {
  Conversation,
  Embed,
  MergedTimeline,
  PostLookup,
  Profile,
  ProfilePosts,
  RelatedPosts,
  Reposters,
  SearchResults,
  UserList,
  XList,
} from '../model/resources.ts';
import type { AllowanceName } from './allowances.ts';
import type { CacheClass } from './caching.ts';
import type { InputFormats, InputName, InputTypes } from './inputs.ts';
import type { FeedFormat } from './media-types.ts';
import type { ProblemCode } from './problems.ts';

/** The result of each kind of use case. */
export interface Resources {
  readonly post: Conversation;
  readonly profile: Profile;
  readonly profilePosts: ProfilePosts;
  readonly timeline: MergedTimeline;
  readonly lookup: PostLookup;
  readonly relatedPosts: RelatedPosts;
  readonly reposters: Reposters;
  readonly xList: XList;
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
  /** The class of its feeds. @default 'feed' */
  readonly feedCache?: CacheClass;
  /** `negotiated`: `format` and Accept select the format. `json`: always JSON. */
  readonly representation: 'negotiated' | 'json';
  /** The problems that remain if the parameters are valid and the provider answers. */
  readonly problems: readonly ProblemCode[];
  readonly tool?: string;
  readonly summary: string;
}

const SHARED = { cache: 'list', representation: 'negotiated' } as const;
const OF_PROFILE = {
  ...SHARED,
  apiKey: 'honoured',
  allowance: 'browse',
  problems: ['profile_protected', 'profile_not_found', 'withheld_by_operator'],
} as const;
const OF_POST = {
  ...SHARED,
  apiKey: 'ignored',
  allowance: 'browse',
  problems: ['post_protected', 'post_not_found', 'withheld_by_operator'],
  tool: 'x_list_replies',
} as const;
/** Reads of posts, which charge no allowance. */
const POSTS = { ...SHARED, apiKey: 'ignored', allowance: 'fair-use', cache: 'post' } as const;

export const useCases = {
  readPost: {
    ...POSTS,
    input: 'post',
    resource: 'post',
    problems: ['post_protected', 'post_not_found', 'withheld_by_operator'],
    tool: 'x_get_post',
    summary: 'Read a public post with the conversation around it',
  },
  readProfile: {
    ...OF_PROFILE,
    input: 'profile',
    resource: 'profile',
    tool: 'x_get_profile',
    summary: 'Read a public profile with its recent posts',
  },
  readProfileById: {
    ...OF_PROFILE,
    input: 'profileById',
    resource: 'profile',
    summary: 'Read a public profile by the id of its account, which outlives its handle',
  },
  listPosts: {
    ...OF_PROFILE,
    input: 'profilePosts',
    resource: 'profilePosts',
    tool: 'x_list_posts',
    summary: 'List the posts of a public profile by kind and date',
  },
  mergeTimelines: {
    ...OF_PROFILE,
    input: 'timeline',
    resource: 'timeline',
    tool: 'x_list_posts',
    feedCache: 'timelineFeed',
    summary: 'List the posts of several public profiles as one timeline',
  },
  readXList: {
    ...OF_PROFILE,
    input: 'xList',
    resource: 'xList',
    problems: ['not_available_here'],
    summary: 'List the posts of a public list of X',
  },
  listFollowers: {
    ...OF_PROFILE,
    input: 'followers',
    resource: 'users',
    tool: 'x_list_followers',
    summary: 'List the followers of a public profile',
  },
  listFollowing: {
    ...OF_PROFILE,
    input: 'following',
    resource: 'users',
    tool: 'x_list_following',
    summary: 'List the accounts that a public profile follows',
  },
  searchPosts: {
    ...SHARED,
    input: 'search',
    resource: 'search',
    apiKey: 'honoured',
    allowance: 'search',
    problems: ['invalid_query'],
    tool: 'x_search_posts',
    summary: 'Search public posts, or accounts',
  },
  lookupPosts: {
    ...POSTS,
    input: 'lookup',
    resource: 'lookup',
    problems: [],
    tool: 'x_get_posts',
    summary: 'Read several public posts at once',
  },
  listReplies: { ...OF_POST, input: 'replies', resource: 'relatedPosts', summary: 'List the replies to a public post' },
  listQuotes: {
    ...OF_POST,
    input: 'quotes',
    resource: 'relatedPosts',
    summary: 'List the posts that quote a public post',
  },
  listReposts: {
    ...OF_POST,
    input: 'reposts',
    resource: 'reposters',
    summary: 'List the accounts that reposted a public post',
  },
  readOembed: {
    ...POSTS,
    input: 'oembed',
    resource: 'oembed',
    representation: 'json',
    problems: ['post_protected', 'post_not_found', 'withheld_by_operator'],
    summary: 'Read what a page needs to embed a public post (oEmbed 1.0)',
  },
} as const satisfies Readonly<Record<string, UseCase>>;

export type UseCaseName = keyof typeof useCases;
export type UseCaseInput<Name extends UseCaseName> = InputTypes[(typeof useCases)[Name]['input']];

/** The resources of the use cases that accept the format of a feed. */
export type ResourceWithFeeds = {
  [Name in UseCaseName]: FeedFormat extends InputFormats[(typeof useCases)[Name]['input']]
    ? (typeof useCases)[Name]['resource']
    : never;
}[UseCaseName];
export type UseCaseOutput<Name extends UseCaseName> = Resources[(typeof useCases)[Name]['resource']];

const toolNames = (): readonly string[] => [
  ...new Set(Object.values<UseCase>(useCases).flatMap(({ tool }) => tool ?? [])),
];

/** The names of the MCP tools, in the order of the table. A tool can have several use cases. */
// The mark lets the bundler leave the names out of the Lambdas, which do not use them.
export const TOOL_NAMES = /* @__PURE__ */ toolNames();
