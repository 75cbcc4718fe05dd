// Tests the problem of each outcome: the code and the words that callers read, and the cause for the log.
import { expect, test } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import { POST_PROBLEMS, problemFromOutcome, rejectedParameter } from '../../../shared/use-cases/outcome-problems.ts';

const shown = ({ code, options }: Problem) => ({ code, ...options });

test.each([
  ['cursor', 'invalid_cursor', 'cursor', 'is no longer known to the source of the list'],
  ['until', 'invalid_parameter', 'until', 'is earlier than the source of the list reaches'],
  ['query', 'invalid_query', 'q', 'is not accepted by the source'],
] as const)('a refused %s names its parameter and says what is wrong', (name, code, parameter, message) => {
  const problem = problemFromOutcome({ kind: 'refused', why: '400' }, POST_PROBLEMS, rejectedParameter[name]);
  expect(shown(problem)).toEqual({
    code,
    errors: [{ parameter, message }],
    detail: `${parameter} ${message}.`,
    cause: '400',
  });
  expect(problemFromOutcome({ kind: 'down', why: 'a' }, POST_PROBLEMS, rejectedParameter[name])).toBeInstanceOf(
    Problem,
  );
});
