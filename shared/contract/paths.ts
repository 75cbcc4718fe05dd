// Lists the paths that headers, problems and the edge function name.

/** Has a section per code: the `type` of a problem is the address of its section. */
export const ERRORS_PATH = '/docs/errors';

/** Named by both `rel="deprecation"` and `rel="sunset"`. */
export const VERSIONING_PATH = '/docs/versioning';

/** Where the MCP server answers. */
export const MCP_PATH = '/mcp';
