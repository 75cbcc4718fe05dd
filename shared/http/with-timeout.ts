// Ends a request before Lambda does, because API Gateway would answer with its own error page. All deadlines of the service
// end earlier.
import type { Context } from 'aws-lambda';
import { problem } from '../contract/problems.ts';

/** The time to write the problem document. */
const EARLY_MILLISECONDS = 500;

/** @throws Problem `upstream_unavailable` shortly before the function times out */
export const withLambdaTimeout = async <T>(
  work: Promise<T>,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(problem('upstream_unavailable', { cause: 'the function ran out of time' }));
    timer = setTimeout(giveUp, Math.max(0, getRemainingTimeInMillis() - EARLY_MILLISECONDS));
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
};
