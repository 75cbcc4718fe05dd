// What may go wrong with the store, as far as anybody is told.

/** Of whatever was thrown: its kind alone. Messages may quote what was asked, and that is a hash of a key. */
export const errorKind = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

/** Whether it comes from asking the store, not from a fault of ours: the SDK marks all that it throws. */
export const isStoreError = (error: unknown): boolean => error instanceof Error && '$metadata' in error;
