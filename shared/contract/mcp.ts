// Defines the revisions, the bounds and the tools of the MCP server. A test compares the handshake revisions with those that
// the SDK supports.
import { keysOf } from '../model/json.ts';
import { MAX_LOOKUP_POSTS } from './bounds.ts';
import type { ParameterName } from './parameters.ts';

export const STATELESS_VERSION = '2026-07-28';

/** The handshake revisions, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

export const MCP_VERSIONS: readonly string[] = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS];

/** The only revision with batches. A request without a version header has this revision. */
export const BATCH_VERSION = '2025-03-26' satisfies (typeof HANDSHAKE_VERSIONS)[number];

export const MAX_BATCH_MESSAGES = 20;

export const MAX_MESSAGE_BYTES = 262_144;

/** The maximum number of items per page, because a result must fit into the context window of a model. */
export const MAX_TOOL_LIMIT = 50;

/** The maximum length of the text of a result. */
export const MAX_TEXT_BYTES = 24_000;

/** The query parameter of the endpoint that selects other tools, and its values. */
export const TOOLS_PARAMETER = 'tools';
export const TOOL_SETS = ['research'] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

/** The parameters of feeds and files, which tools do not have. */
const NOT_OF_TOOLS: ReadonlySet<ParameterName> = new Set(['threads', 'download']);
/** The posts of a list have few translations. */
const NOT_OF_LISTS: ReadonlySet<ParameterName> = new Set(['lang', 'translation']);

/** @returns the parameters of a read that its tool takes as arguments */
export const toolArguments = ({
  parameters,
  list,
}: {
  readonly parameters: readonly ParameterName[];
  readonly list?: readonly string[];
}): readonly ParameterName[] =>
  parameters.filter((name) => !NOT_OF_TOOLS.has(name) && (list === undefined || !NOT_OF_LISTS.has(name)));

export interface ToolTexts {
  readonly title: string;
  /** The result, and when another tool fits better. Clients load the list with every conversation. */
  readonly description: string;
  /** Describes the argument `id`. @default the id or the link of a post */
  readonly id?: string;
  /** Accepted, but the list of tools has no room for it. */
  readonly unlisted?: ParameterName;
  /** The results can have images. */
  readonly hasImages?: true;
  /** The argument that chooses among the reads of the tool. */
  readonly choice?: { readonly parameter: ParameterName; readonly description: string };
}

/** The tools in the order of the list. The row of a read names the tool that runs it. */
export const toolTexts = {
  x_get_post: {
    title: 'Get a post',
    description:
      'Reads a post with the posts it answers, its thread and some replies. Give url or id. x_list_replies gives all replies.',
    unlisted: 'handle',
    hasImages: true,
  },
  x_get_profile: {
    title: 'Get a profile',
    description: 'Reads a profile, by handle or id, with recent posts. x_list_posts gives other kinds and dates.',
    id: 'Of an account.',
    unlisted: 'reposts',
  },
  x_list_posts: {
    title: 'List posts of profiles',
    description:
      'Lists the posts of a profile, of several as one timeline, or of a list. x_get_profile gives the profile.',
    id: 'Of a list of X.',
  },
  x_list_followers: {
    title: 'List followers',
    description: 'Lists who follows a profile. x_get_profile counts them.',
  },
  x_list_following: {
    title: 'List followed accounts',
    description: 'Lists whom a profile follows. x_get_profile counts them.',
  },
  x_search_posts: {
    title: 'Search posts',
    description: 'Searches posts, or accounts with feed users. x_list_posts lists one account.',
  },
  x_get_posts: {
    title: 'Get several posts',
    description: `Reads up to ${MAX_LOOKUP_POSTS} posts at once. x_get_post adds thread and replies.`,
  },
  x_list_replies: {
    title: 'List replies, quotes or reposts',
    description: 'Lists who replied to a post, who quoted it, or who reposted (retweeted) it. kind selects.',
    choice: {
      parameter: 'kind',
      description: 'reposts gives accounts.',
    },
  },
} as const satisfies Readonly<Record<string, ToolTexts>>;

export type ToolName = keyof typeof toolTexts;
export const TOOL_NAMES = /* @__PURE__ */ keysOf(toolTexts);
