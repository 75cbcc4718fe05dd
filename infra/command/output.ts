// Writes what the commands print, and ends them with their exit code. The reader of standard output can leave, as `head` does:
// that is no failure. A disk can be full: that is one.
import { errorKind, errorMessage } from '../../shared/model/json.ts';
import { visibleText } from '../../shared/model/visible-text.ts';

/** Printed as its message, without a stack trace. */
export class CommandError extends Error {}

/** The reader of standard output has left. */
export class ReaderLeft extends Error {}

const writeError = (error: Error): Error =>
  errorKind(error) === 'EPIPE'
    ? new ReaderLeft()
    : new Error(`Standard output cannot be written: ${errorMessage(error)}`);

let isGuarded = false;

/** A failed write is also an event, which ends the process if nothing listens. */
const guardStreams = (): void => {
  if (isGuarded) return;
  isGuarded = true;
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', (error: Error) => {
    // Nothing can be said any more, but the work goes on.
    if (errorKind(error) !== 'EPIPE') process.exitCode = 1;
  });
};

/** Writes to standard output. Resolves when the text is written, so that a slow reader slows the command down. */
export const print = (text: string): Promise<void> => {
  guardStreams();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(text, (error) => (error ? reject(writeError(error)) : resolve()));
  return promise;
};

/** Prints the message of an error on standard error, and ends the command with exit code 1. */
export const fail = (message: string): void => {
  console.error(visibleText(message));
  process.exitCode = 1;
};

/**
 * Runs a command. If it fails, its message is on standard error and its exit code is 1. If the reader of standard output leaves,
 * the command ends silently, and its exit code stays.
 */
export const runToExit = async (run: () => Promise<void>): Promise<void> => {
  guardStreams();
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ReaderLeft)) fail(errorMessage(error));
  }
};
