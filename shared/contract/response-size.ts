// Defines the maximum size of an answer.

/**
 * The maximum size of a body in bytes, as a string in the JSON response of a Lambda. Quotation marks and line ends take
 * 2 bytes there. The response of a Lambda has at most 6 MB.
 */
export const MAX_RESPONSE_BYTES = 5_500_000;
