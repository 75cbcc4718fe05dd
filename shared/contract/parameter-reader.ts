// Reads the parameters of an input, with the rules that several inputs share.
import type { ListKey, ListPosition } from '../model/list-position.ts';
import type { ParameterName, ParameterValue } from './parameters.ts';
import type { ProblemCode } from './problems.ts';

export interface ParameterReader {
  /** @returns true if the caller sent a value, valid or not */
  has(name: ParameterName): boolean;
  /** @returns undefined if the value is absent or invalid; an invalid value is reported */
  value<Name extends ParameterName>(name: Name): ParameterValue<Name> | undefined;
  /** Reports a wrong parameter. Only the first report about a parameter counts. */
  reject(code: ProblemCode, parameter: ParameterName, message: string): void;
  /** @returns the position in the cursor; undefined if the cursor is absent or not of this list */
  position(list: ListKey): ListPosition | undefined;
}

export const INVALID_FORMAT = 'invalid_format';

/** @param code of another format @returns undefined if the format is absent or not among those of the input */
export const formatOf = <Format extends string>(
  reader: ParameterReader,
  formats: readonly Format[],
  code: ProblemCode = INVALID_FORMAT,
): Format | undefined => {
  const name = reader.value('format');
  if (name === undefined) return undefined;
  const format = formats.find((candidate) => candidate === name);
  if (format === undefined)
    reader.reject(code, 'format', `must be ${formats.length > 1 ? 'one of ' : ''}${formats.join(', ')}`);
  return format;
};
