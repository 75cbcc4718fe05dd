// Parses raw parameters to the input of a use case, or throws one problem that names every wrong parameter, and lists the
// problems that a use case can end in.
import { type InputName, type InputTypes, inputs, type RawParameters } from './inputs.ts';
import type { InputRow, ParameterReader } from './parameter-reader.ts';
import {
  FOREIGN_CURSOR,
  InvalidValue,
  type ParameterName,
  type ParameterValue,
  type ParseContext,
  parameters,
} from './parameters.ts';
import { type ParameterError, type ProblemCode, problem } from './problems.ts';
import { type UseCaseName, useCases } from './use-cases.ts';

/** @throws Problem with the code of the first wrong parameter and `errors[]` for every wrong parameter */
export const parseInput = <Name extends InputName>(
  name: Name,
  raw: RawParameters,
  context: ParseContext,
): InputTypes[Name] => {
  const rejections: (ParameterError & { readonly code: ProblemCode })[] = [];
  const reported = new Set<string>();
  const reject: ParameterReader['reject'] = (code, parameter, message) => {
    if (reported.has(parameter)) return;
    reported.add(parameter);
    rejections.push({ code, parameter, message });
  };
  const reader: ParameterReader = {
    has: (parameter) =>
      (raw.get(parameter) ?? []).some((value) => value !== '' || !parameters[parameter].emptyIsAbsent),
    value<N extends ParameterName>(parameter: N): ParameterValue<N> | undefined {
      const [value, ...more] = raw.get(parameter) ?? [];
      if (more.length > 0) reject('repeated_parameter', parameter, 'was given more than once');
      const { emptyIsAbsent, parse } = parameters[parameter];
      if (value === undefined || more.length > 0 || (value === '' && emptyIsAbsent)) return undefined;
      const parsed = parse(value, context);
      if (!(parsed instanceof InvalidValue)) return parsed as ParameterValue<N>; // the table's row N parses to N's value
      reject(parsed.code, parameter, parsed.message);
      return undefined;
    },
    reject,
    position(list) {
      const cursor = reader.value('cursor');
      const position = cursor === undefined ? undefined : context.decodeCursor?.(list, cursor);
      if (cursor !== undefined && position === undefined) reject('invalid_cursor', 'cursor', FOREIGN_CURSOR);
      return position;
    },
  };
  const rows: { readonly [N in InputName]: InputRow<InputTypes[N]> } = inputs;
  const row = rows[name];
  const input = row.parse(reader);
  const [first] = rejections;
  if (first !== undefined || input === undefined) {
    const errors = rejections.map(({ parameter, message }) => ({ parameter, message }));
    throw problem(first?.code ?? 'missing_parameter', {
      errors,
      ...(first && { detail: `${first.parameter} ${first.message}.` }),
    });
  }
  return input;
};

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
