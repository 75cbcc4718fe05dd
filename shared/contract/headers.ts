// Header names that are part of the promise, and what a page on another origin may read of an answer (spec 9.4).

export const EXPOSED_HEADERS =
  'Deprecation, Sunset, Link, X-Api-Key-Status, Retry-After, RateLimit, RateLimit-Policy, ETag, X-Request-Id';

/** Carried by every answer there is. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = { 'X-Content-Type-Options': 'nosniff' };

/** Carried by every answer of every public route. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  ...PRIVATE_HEADERS,
};

/** What a key step found out: on every answer of a route that reads keys, from that step on (spec 5.5). */
export type KeyStatus = 'valid' | 'anonymous' | 'invalid' | 'unverified';

/** The one scheme that is read (spec 5.4); any other is as good as none. */
export const BEARER = /^bearer(?=[\s,]|$)/i;

/** Nothing here writes. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export const ALLOW = READ_METHODS.join(', ');

/** The answer to a CORS preflight. Authorization is never covered by a wildcard, so it is named. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  Allow: ALLOW,
  'Access-Control-Allow-Methods': ALLOW,
  'Access-Control-Allow-Headers': 'Accept, Authorization, Content-Type, If-None-Match',
  'Access-Control-Max-Age': '7200',
};

/** What the edge adds for the origins; believed only with the secret. */
export const EDGE_HEADERS = {
  originSecret: 'x-origin-secret',
  viewerHost: 'x-viewer-host',
  viewerIp: 'x-viewer-ip',
} as const;

/** The edge moves an address that is not canonical below this prefix, which no route matches. */
export const UNROUTABLE_PREFIX = '/-';
