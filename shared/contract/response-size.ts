// How large an answer may be.

/**
 * In bytes of the JSON string in which a Lambda function hands its body over: quotation marks and line ends count twice.
 * Lambda sends 6 MB in all.
 */
export const MAX_RESPONSE_BYTES = 5_500_000;
