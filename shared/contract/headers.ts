// Defines the header fields of the contract and the fields that a page of another origin can read (requirements:
// lifecycle).

export const EXPOSED_HEADERS =
  'Deprecation, Sunset, Link, X-Api-Key-Status, Retry-After, RateLimit, RateLimit-Policy, ETag, X-Request-Id, X-Markdown-Tokens, X-Warnings';

/** The header fields of every answer. */
export const BASE_HEADERS: Readonly<Record<string, string>> = { 'X-Content-Type-Options': 'nosniff' };

const publicHeaders = (): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  ...BASE_HEADERS,
});

/** The header fields of every answer of a public route. */
// The mark lets the bundler leave the fields out of the edge function, which does not use them.
export const PUBLIC_HEADERS = /* @__PURE__ */ publicHeaders();

/** The result of authentication. Every later answer of a route with API keys has it (requirements: keys). */
export type KeyStatus = 'valid' | 'anonymous' | 'invalid' | 'unverified';

/** The only accepted authentication scheme (requirements: keys). Credentials of another scheme are ignored. */
export const BEARER_SCHEME = /^bearer(?=[\s,]|$)/i;

/** The methods of every public route but /mcp. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export const READ_ALLOW_FIELD = /* @__PURE__ */ READ_METHODS.join(', ');

export const MCP_METHODS: readonly string[] = ['POST', 'OPTIONS'];

/** A wildcard does not include Authorization (Fetch standard, CORS protocol), so the names are listed. */
const READ_REQUEST_HEADERS: readonly string[] = [
  'Accept',
  'Authorization',
  'Content-Type',
  'If-None-Match',
  // Programs that trace their requests add these to each (W3C Trace Context, W3C Baggage). They are not read.
  'Traceparent',
  'Tracestate',
  'Baggage',
];

/** Additional request headers of /mcp. The server has no sessions, but some clients send Mcp-Session-Id. */
const MCP_REQUEST_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID', 'Mcp-Session-Id'];

/** @returns the header fields of the answer to a CORS preflight */
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

// The mark lets the bundler remove the call from the edge function, which does not use it.
export const PREFLIGHT_HEADERS = /* @__PURE__ */ preflightHeaders(READ_METHODS);

/** For this time, a browser that has read the service over https uses no other scheme. */
export const HSTS_SECONDS = 31_536_000;

/** The request headers that the edge adds. The origin trusts them only with the origin secret. */
export const EDGE_HEADERS = {
  originSecret: 'x-origin-secret',
  viewerHost: 'x-viewer-host',
  viewerIp: 'x-viewer-ip',
  /** Set if the edge function could not normalize the request. Edge functions must not set names that begin with X-Edge-. */
  edgeError: 'x-viewer-error',
} as const;

/** The canary proves with it that it belongs to the deployment. */
export const CANARY_HEADER = 'x-canary-proof';

/** The id of the request that CloudFront sends to the origin and to the viewer, and writes to its access log. */
export const VIEWER_REQUEST_ID_HEADER = 'x-amz-cf-id';

/** The edge prepends this prefix to a path that is not canonical. No route matches it. */
export const UNROUTABLE_PREFIX = '/-';
