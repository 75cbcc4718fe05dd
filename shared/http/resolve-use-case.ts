// Finds the use case of an operation: the one in its row, or the one that a parameter chooses.
import type { Operation } from '../contract/operations.ts';
import { type Problem, problem } from '../contract/problems.ts';
import type { UseCaseName } from '../contract/use-cases.ts';
import { type HttpEvent, queryOf, singleQueryValue } from './event.ts';

type UseCaseChoice = Exclude<Operation['useCase'], string>;

/** @returns undefined: the parameter chooses none */
const chosen = ({ parameter, choices }: UseCaseChoice, event: HttpEvent): UseCaseName | undefined => {
  const value = singleQueryValue(event, parameter);
  return value !== undefined && Object.hasOwn(choices, value) ? choices[value] : undefined;
};

export const findUseCase = ({ useCase }: Operation, event: HttpEvent): UseCaseName | undefined =>
  typeof useCase === 'string' ? useCase : chosen(useCase, event);

const unresolved = ({ parameter, choices }: UseCaseChoice, event: HttpEvent): Problem => {
  const isRepeated = (queryOf(event).get(parameter)?.length ?? 0) > 1;
  const message = isRepeated ? 'was given more than once' : `must be one of ${Object.keys(choices).join(', ')}`;
  return problem(isRepeated ? 'repeated_parameter' : 'invalid_resource', {
    errors: [{ parameter, message }],
    detail: `${parameter} ${message}.`,
  });
};

/** @throws Problem `invalid_resource` or `repeated_parameter` if the parameter chooses none */
export const resolveUseCase = ({ useCase }: Operation, event: HttpEvent): UseCaseName => {
  if (typeof useCase === 'string') return useCase;
  const name = chosen(useCase, event);
  if (name === undefined) throw unresolved(useCase, event);
  return name;
};
