// What an operator reads of a problem: its cause, which is never sent.
import { type Problem, problemRow } from '../contract/problems.ts';
import { errorText, type Log, type LogFields } from '../ports/system.ts';

/** Nothing is written where there is nothing to say. @param facts of the request */
export const logProblem = (log: Log, { code, cause }: Problem, facts: Partial<LogFields>): void => {
  if (cause === undefined) return;
  const level = problemRow(code).status >= 500 ? 'error' : 'info';
  log({ level, event: 'problem', ...facts, code, cause: errorText(cause) });
};
