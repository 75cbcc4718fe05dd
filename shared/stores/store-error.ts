// What may go wrong with the store, as far as anybody is told.

/** Whether it comes from asking the store, not from a fault of ours: the SDK marks all that it throws. */
export const isStoreError = (error: unknown): boolean => error instanceof Error && '$metadata' in error;
