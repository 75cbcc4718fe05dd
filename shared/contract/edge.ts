// Defines a bound of the edge function. The edge bundle includes the whole file, so it has nothing else.

/**
 * The number of query parameters that the edge function examines. A CloudFront Function has about 1 ms of compute time,
 * and a query of 8 kB can have 4,000 names. Later parameters are treated as unknown: neither cache nor origin gets them.
 */
export const MAX_QUERY_PARAMETERS = 100;
