// Header names that are part of the promise, and what a page on another origin may read of an answer (spec 9.4).

export const EXPOSED_HEADERS =
  'Deprecation, Sunset, Link, X-Api-Key-Status, Retry-After, RateLimit, RateLimit-Policy, ETag, X-Request-Id';

/** Carried by every answer there is. */
export const BASE_HEADERS: Readonly<Record<string, string>> = { 'X-Content-Type-Options': 'nosniff' };

/** Carried by every answer of every public route. */
export const PUBLIC_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  ...BASE_HEADERS,
};

/** What a key step found out: on every answer of a route that reads keys, from that step on (spec 5.5). */
export type KeyStatus = 'valid' | 'anonymous' | 'invalid' | 'unverified';

/** The one scheme that is read (spec 5.4); any other is as good as none. */
export const BEARER_SCHEME = /^bearer(?=[\s,]|$)/i;

/** Nothing here writes. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export const READ_ALLOW_FIELD = READ_METHODS.join(', ');

/** What calls a tool; the rest of MCP's verbs are in the body. */
export const MCP_METHODS: readonly string[] = ['POST', 'OPTIONS'];

/** Authorization is never covered by a wildcard, so it is named. */
const READ_REQUEST_HEADERS: readonly string[] = ['Accept', 'Authorization', 'Content-Type', 'If-None-Match'];

/** Beside those of reads; the last is what clients of sessions send, which there are none of. */
const MCP_REQUEST_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID', 'Mcp-Session-Id'];

/** The answer to a CORS preflight. */
export const preflightHeaders = (methods: readonly string[]): Readonly<Record<string, string>> => {
  const allow = methods.join(', ');
  const more = methods.includes('POST') ? MCP_REQUEST_HEADERS : [];
  return {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': READ_REQUEST_HEADERS.concat(more).join(', '),
    'Access-Control-Max-Age': '7200',
  };
};

// Marked so that the edge script, which has no use for it, comes without.
export const PREFLIGHT_HEADERS = /* @__PURE__ */ preflightHeaders(READ_METHODS);

/** What the edge adds for the origins; believed only with the secret. */
export const EDGE_HEADERS = {
  originSecret: 'x-origin-secret',
  viewerHost: 'x-viewer-host',
  viewerIp: 'x-viewer-ip',
} as const;

/** The edge moves an address that is not canonical below this prefix, which no route matches. */
export const UNROUTABLE_PREFIX = '/-';
