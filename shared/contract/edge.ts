// What the edge function leaves out. Bundled into it, so nothing else stands here: its runtime knows little beyond ES5.

/**
 * How many parameters of a query are looked at: CloudFront grants its function about a millisecond, and 8 kB hold 4,000
 * names. What comes after counts as unknown and is left out, for the cache and for the origin alike.
 */
export const MAX_QUERY_PARAMETERS = 100;
