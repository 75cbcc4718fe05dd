// Which read an operation does: the one of its row, or the one that a parameter chooses.
import type { Operation, ReadName } from '../contract/operations.ts';
import { type Problem, problem } from '../contract/problems.ts';
import { type HttpEvent, queryOf, singleParameter } from './event.ts';

type Choice = Exclude<Operation['reads'], string>;

/** undefined: the parameter chooses none. */
const chosen = ({ by, choices }: Choice, event: HttpEvent): ReadName | undefined => {
  const value = singleParameter(event, by);
  return value !== undefined && Object.hasOwn(choices, value) ? choices[value] : undefined;
};

export const readOf = ({ reads }: Operation, event: HttpEvent): ReadName | undefined =>
  typeof reads === 'string' ? reads : chosen(reads, event);

const unresolved = ({ by, choices }: Choice, event: HttpEvent): Problem => {
  const isRepeated = (queryOf(event).get(by)?.length ?? 0) > 1;
  const message = isRepeated ? 'was given more than once' : `must be one of ${Object.keys(choices).join(', ')}`;
  return problem(isRepeated ? 'repeated_parameter' : 'invalid_resource', {
    errors: [{ parameter: by, message }],
    detail: `${by} ${message}.`,
  });
};

/** @throws Problem `invalid_resource` or `repeated_parameter` where the parameter chooses none */
export const requireRead = ({ reads }: Operation, event: HttpEvent): ReadName => {
  if (typeof reads === 'string') return reads;
  const read = chosen(reads, event);
  if (read === undefined) throw unresolved(reads, event);
  return read;
};
