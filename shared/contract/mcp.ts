// What is promised of the MCP server beside its tools, which are in the table of reads. A test holds the older revisions
// against those that the SDK speaks.

/** The stateless revision. */
export const STATELESS_VERSION = '2026-07-28';

/** Those with a handshake, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

export const MCP_VERSIONS: readonly string[] = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS];

/** The one revision that has batches, and what the absence of a version header means. */
export const BATCH_VERSION = '2025-03-26' satisfies (typeof HANDSHAKE_VERSIONS)[number];

export const MAX_BATCH_MESSAGES = 20;

export const MAX_BODY_BYTES = 262_144;

/** Items of a page: a result has to fit into a model's window. */
export const MAX_TOOL_LIMIT = 50;

/** Of the text of a result. */
export const MAX_TEXT_CHARACTERS = 24_000;
