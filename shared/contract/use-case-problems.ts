// Lists the problems that a use case can end in.
import { inputs } from './inputs.ts';
import { type ParameterName, parameters } from './parameters.ts';
import type { ProblemCode } from './problems.ts';
import { type UseCaseName, useCases } from './use-cases.ts';

/** The problems of a request whose parameters are valid, in the order in which they are detected. */
export const useCaseProblems = (name: UseCaseName): readonly ProblemCode[] => [
  'rate_limited',
  ...useCases[name].problems,
  'upstream_failed',
  'upstream_unavailable',
];

/** The problems of one parameter with an invalid value. The code of `format` depends on the use case. */
export const parameterProblems = (name: UseCaseName, parameter: ParameterName): readonly ProblemCode[] =>
  parameter === 'format' ? [inputs[useCases[name].input].formatCode] : parameters[parameter].codes;
