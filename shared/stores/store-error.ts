// Classifies errors of store calls for logs and responses.

/** True for errors of the AWS SDK, which sets `$metadata`; false for programming errors. */
export const isStoreError = (error: unknown): boolean => error instanceof Error && '$metadata' in error;
