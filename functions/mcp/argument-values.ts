// Turns the values of arguments into texts, as a query has them. Models invent types and spellings: a value with only one
// possible meaning is accepted, and the validation of parameters rejects the rest.
import { MAX_TOOL_LIMIT } from '../../shared/contract/mcp.ts';
import { type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import {
  type ParameterError,
  type Problem,
  type ProblemCode,
  type ProblemOptions,
  problem,
} from '../../shared/contract/problems.ts';
import { parseJson } from '../../shared/model/json.ts';
import type { MatchedArguments } from './argument-names.ts';
import { MAX_IMAGES, MAX_TOOL_TOKENS, TOOL_FORMATS, type Tool } from './tools.ts';

/** The values of parameters that models treat as switches. */
const booleanValues: Readonly<Partial<Record<ParameterName, readonly [on: string, off: string]>>> = {
  thread: ['full', 'off'],
  replies: ['top', 'off'],
  metrics: ['on', 'off'],
  reposts: ['include', 'exclude'],
};

/** A URL can contain a comma, which separates the entries. */
const joinEntries = (entries: readonly string[]): string =>
  entries.map((entry) => (entry.includes('/') ? entry.replaceAll(',', '%2C') : entry)).join(',');

const isText = (value: unknown): value is string => typeof value === 'string';

const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** Ids, which JSON numbers would change. */
const BARE_IDS = /^\[[\d\s,]*\]$/;

/** Models write an array as the text of its JSON. */
const textOfList = (text: string): string => {
  if (BARE_IDS.test(text)) return text.slice(1, -1);
  const value = text.startsWith('[') ? parseJson(text) : undefined;
  return isTextList(value) ? joinEntries(value) : text;
};

/** @returns undefined: the value has no unambiguous text */
export const textOf = (name: ParameterName, value: unknown, { several }: Tool): string | undefined => {
  const isList = name === 'ids' || (name === 'handle' && several !== undefined);
  if (typeof value === 'string') return isList ? textOfList(value.trim()) : value.trim();
  if (typeof value === 'number') return String(value);
  const [on, off] = booleanValues[name] ?? [];
  if (typeof value === 'boolean') return value ? on : off;
  return isList && isTextList(value) ? joinEntries(value) : undefined;
};

const ID_AS_NUMBER = 'must be a string such as "20": a JSON number loses digits of an id. Pass id as a string';

/** @returns the entries of `handle` of a tool that accepts several */
export const handlesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
];

const wrongType = (name: ParameterName): string => {
  const { type } = parameters[name].schema;
  if (name === 'ids') return 'must be a list of strings, or one string with commas';
  return type === 'integer' ? 'must be a whole number' : 'must be a string';
};

const isNumericId = (name: ParameterName, value: unknown): boolean =>
  name === 'ids'
    ? [value].flat().some((entry) => typeof entry === 'number')
    : typeof value === 'number' && (name === 'id' || name === 'url');

/** The maximum replaces a larger value, because a result of a tool must fit into the context of a model. */
const MAXIMA: ReadonlyMap<ParameterName | 'images', number> = new Map<ParameterName | 'images', number>([
  ['limit', MAX_TOOL_LIMIT],
  ['max_tokens', MAX_TOOL_TOKENS],
  ['images', MAX_IMAGES],
]);

/** @returns the maximum of a whole number above it, whatever its number of digits; undefined for other values */
export const exceededMaximum = (name: ParameterName | 'images', value: unknown): number | undefined => {
  const maximum = MAXIMA.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  const number = /^[1-9][0-9]*$/.test(text) ? Number(text) : value;
  if (maximum === undefined || typeof number !== 'number' || number <= maximum) return undefined;
  return Number.isInteger(number) || number === Infinity ? maximum : undefined;
};

/** The rule of REST about a number, whose bounds are greater. */
const NUMBER_RULE = /^must be a whole number from (\d+) to \d+$/;

/** @returns what is wrong with an argument, with the bounds of the tools */
export const ruleOfTools = ({ parameter, message }: ParameterError): string => {
  const maximum = [...MAXIMA].find(([name]) => name === parameter)?.[1];
  return maximum === undefined ? message : message.replace(NUMBER_RULE, `must be a whole number from $1 to ${maximum}`);
};

/** @returns the problem of wrong arguments or of a wrong query */
export const refused = (
  code: ProblemCode,
  errors: readonly ParameterError[],
  options: ProblemOptions = {},
): Problem => {
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}.`).join(' ');
  return problem(code, { errors, detail, ...options });
};

/** @returns how many images the call asks for @throws Problem */
export const imagesOf = ({ images: given = 0 }: Pick<MatchedArguments, 'images'>): number => {
  const value = exceededMaximum('images', given) ?? (typeof given === 'boolean' ? Number(given) * MAX_IMAGES : given);
  if (/^[0-9]$/.test(String(value).trim())) return Number(value);
  throw refused('invalid_parameter', [
    { parameter: 'images', message: `must be a whole number from 0 to ${MAX_IMAGES}` },
  ]);
};

/** @throws Problem if the type of a value is wrong */
export const parseArguments = ({
  tool,
  values,
}: Pick<MatchedArguments, 'values'> & { readonly tool: Tool }): Map<ParameterName, string> => {
  const texts = new Map<ParameterName, string>();
  const errors: ParameterError[] = [];
  for (const [name, given] of values) {
    const value = exceededMaximum(name, given) ?? given;
    if (isNumericId(name, value)) {
      const parameter = name === 'ids' ? name : 'id';
      throw refused('invalid_id', [{ parameter, message: ID_AS_NUMBER }]);
    }
    const text = textOf(name, value, tool);
    if (text === undefined) errors.push({ parameter: name, message: wrongType(name) });
    else if (text !== '') texts.set(name, text);
  }
  if (errors.length > 0) throw refused('invalid_parameter', errors);
  const format = texts.get('format');
  if (format !== undefined && !TOOL_FORMATS.some((name) => name === format))
    throw refused('invalid_format', [{ parameter: 'format', message: `must be one of ${TOOL_FORMATS.join(', ')}` }]);
  return texts;
};
