// Defines the revisions and the bounds of the MCP server. A test compares the
// handshake revisions with the revisions that the SDK supports.

export const STATELESS_VERSION = '2026-07-28';

/** The handshake revisions, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

export const MCP_VERSIONS: readonly string[] = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS];

/** The only revision with batches. A request without a version header has this revision. */
export const BATCH_VERSION = '2025-03-26' satisfies (typeof HANDSHAKE_VERSIONS)[number];

export const MAX_BATCH_MESSAGES = 20;

export const MAX_BODY_BYTES = 262_144;

/** The maximum number of items per page, because a result must fit into the context window of a model. */
export const MAX_TOOL_LIMIT = 50;

/** The maximum length of the text of a result. */
export const MAX_TEXT_BYTES = 24_000;

/** The query parameter of the endpoint that selects other tools, and its values. */
export const TOOLS_PARAMETER = 'tools';
export const TOOL_SETS = ['research'] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

/** The tools in the order of the list. The row of a read names the tool that runs it. */
export const TOOL_NAMES = [
  'x_get_post',
  'x_get_profile',
  'x_list_posts',
  'x_list_followers',
  'x_list_following',
  'x_search_posts',
  'x_get_posts',
  'x_list_replies',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
