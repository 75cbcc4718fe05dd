// Lists the paths that headers, problems and the edge function name.

/** The page has a section per problem code. The `type` of a problem is the URL of its section. */
export const ERRORS_PATH = '/docs/errors';

/** The target of the links `rel="deprecation"` and `rel="sunset"`. */
export const VERSIONING_PATH = '/docs/versioning';

/** The page about what the service withholds, and how to ask for it. The target of links `rel="blocked-by"`. */
export const REMOVAL_PATH = '/docs/removal';

export const MCP_PATH = '/mcp';

/** The picture that link previews show for pages without a picture of X: PREVIEW_PICTURE in head.ts. */
export const PREVIEW_PATH = '/assets/preview.png';
