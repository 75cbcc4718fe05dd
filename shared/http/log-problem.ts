// Logs the cause of a problem for the operator. Clients never get it.
import { isFailure, type Problem, problemRow } from '../contract/problems.ts';
import { errorText } from '../model/errors.ts';
import type { Log, LogFields } from '../ports/system.ts';

/** A problem without a cause is not logged. @param facts additional log fields */
export const logProblem = (log: Log, { code, cause }: Problem, facts: Partial<LogFields>): void => {
  if (cause === undefined) return;
  const level = isFailure(problemRow(code).status) ? 'error' : 'info';
  log({ level, event: 'problem', ...facts, code, cause: errorText(cause) });
};
