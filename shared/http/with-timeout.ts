// The last line of defence against a gateway's own error page: every deadline of ours comes long before.
import type { Context } from 'aws-lambda';
import { problem } from '../contract/problems.ts';

/** What is left for writing the problem document. */
const EARLY_MILLISECONDS = 500;

/** @throws Problem `upstream_unavailable` when the function is about to run out of time */
export const withLambdaTimeout = async <T>(
  answer: Promise<T>,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(problem('upstream_unavailable', { cause: 'the function ran out of time' }));
    timer = setTimeout(giveUp, Math.max(0, getRemainingTimeInMillis() - EARLY_MILLISECONDS));
  });
  try {
    return await Promise.race([answer, timedOut]);
  } finally {
    clearTimeout(timer);
  }
};
