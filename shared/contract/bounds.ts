// Defines bounds of requests and answers that are known to several parts of the service.

/**
 * The number of query parameters that the edge function examines. A CloudFront Function has about 1 ms of compute time,
 * and a query of 8 kB can have 4,000 names. Later parameters are treated as unknown: neither cache nor origin gets them.
 */
export const MAX_QUERY_PARAMETERS = 100;

/**
 * The maximum size of a body in bytes, as a string in the JSON response of a Lambda. Quotation marks and line ends take
 * 2 bytes there. The response of a Lambda has at most 6 MB.
 */
export const MAX_RESPONSE_BYTES = 5_500_000;

/** A file with pictures has at most this many bytes if its text has fewer. In base64 it still fits into a response. */
export const MAX_KEPT_BYTES = 4_000_000;

/** The most posts of a lookup. */
export const MAX_LOOKUP_POSTS = 20;

/** The most calls of providers for one answer with a conversation, each of which charges a unit. */
export const MAX_CONVERSATION_CALLS = 30;
