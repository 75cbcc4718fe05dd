// Describes thrown values, which can be anything.

/** The stack of an error, for a log. */
export const errorText = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

/** The message of an error, for the user of a command. */
export const errorMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The code or the name of an error. Its message is left out because a message can quote a request. */
export const errorKind = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return 'unknown';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name;
};
