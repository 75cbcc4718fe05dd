// Turns the arguments of a tool call into raw parameters. Models invent types and spellings. An argument with only one
// possible meaning is accepted; the validation of parameters rejects the rest.

import { MAX_LOOKUP_POSTS } from '../../shared/contract/bounds.ts';
import type { RawParameters } from '../../shared/contract/inputs.ts';
import { MAX_TOOL_LIMIT } from '../../shared/contract/mcp.ts';
import { readAt } from '../../shared/contract/operations.ts';
import { InvalidValue, type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import { type ParameterError, type Problem, type ProblemCode, problem } from '../../shared/contract/problems.ts';
import { rowOf, type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import { parseBox } from '../../shared/model/box.ts';
import { postUrl } from '../../shared/model/handle.ts';
import type { TimelineKind } from '../../shared/model/lists.ts';
import { kindOfPage, type ProfilePage, parsePostLink, parseProfileUrl } from '../../shared/model/x-urls.ts';
import { ignoredNote, type MatchedArguments, matchArguments } from './argument-names.ts';
import { MAX_IMAGES, MAX_TOOL_TOKENS, TOOL_FORMATS, type Tool, type ToolUseCase } from './tools.ts';

/** The values of parameters that models treat as switches. */
const booleanValues: Readonly<Partial<Record<ParameterName, readonly [on: string, off: string]>>> = {
  thread: ['full', 'off'],
  replies: ['top', 'off'],
  metrics: ['on', 'off'],
};

/** A URL can contain a comma, which separates the entries. */
const joinEntries = (entries: readonly string[]): string =>
  entries.map((entry) => (entry.includes('/') ? entry.replaceAll(',', '%2C') : entry)).join(',');

const isText = (value: unknown): value is string => typeof value === 'string';

/** @returns undefined: the value has no unambiguous text */
const textOf = (name: ParameterName, value: unknown, { several }: Tool): string | undefined => {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  const [on, off] = booleanValues[name] ?? [];
  if (typeof value === 'boolean') return value ? on : off;
  const isList = name === 'ids' || (name === 'handle' && several !== undefined);
  if (isList && Array.isArray(value) && value.every(isText)) return joinEntries(value);
  return undefined;
};

const ID_AS_NUMBER = 'must be a string such as "20": a JSON number loses digits of an id. Pass id as a string';

/** @returns the entries of `handle` of a tool that accepts several */
const handlesOf = (text: string): readonly string[] => [
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

const LIMIT_RULE = `must be a whole number from 1 to ${MAX_TOOL_LIMIT}`;

const isLimit = (text: string): boolean => !(parameters.limit.parse(text, { baseUrl: '' }) instanceof InvalidValue);

/** The maximum replaces a larger value, because a result of a tool must fit into the context of a model. */
const MAXIMA: ReadonlyMap<ParameterName | 'images', number> = new Map<ParameterName | 'images', number>([
  ['limit', MAX_TOOL_LIMIT],
  ['max_tokens', MAX_TOOL_TOKENS],
  ['images', MAX_IMAGES],
]);

/** @returns the maximum of a whole number above it, whatever its number of digits; undefined for other values */
const exceededMaximum = (name: ParameterName | 'images', value: unknown): number | undefined => {
  const maximum = MAXIMA.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  const number = /^[1-9][0-9]*$/.test(text) ? Number(text) : value;
  if (maximum === undefined || typeof number !== 'number' || number <= maximum) return undefined;
  return Number.isInteger(number) || number === Infinity ? maximum : undefined;
};

/** X calls reposts retweets. */
const choiceName = (value: string): string => (value.trim() === 'retweets' ? 'reposts' : value.trim());

/** A link of X or of this service to the quotes or reposts of a post chooses them. */
const choiceOfLink = (id: unknown, serviceOrigin: string): string | undefined => {
  const meaning = typeof id === 'string' ? parseBox(id, serviceOrigin) : undefined;
  return meaning?.kind === 'post' ? meaning.page && choiceName(meaning.page) : undefined;
};

/** The arguments of one call. */
export interface ToolArguments extends MatchedArguments {
  readonly tool: Tool;
  /** The use case that they choose. A value that chooses none gets the error of the parameters. */
  readonly useCase: ToolUseCase;
  readonly baseUrl: string;
}

const useCaseOf = (tool: Tool, { values }: MatchedArguments, baseUrl: string): ToolUseCase => {
  const { choice, several, useCases: all } = tool;
  const handles = several && textOf('handle', values.get('handle'), tool);
  if (several !== undefined && handles !== undefined && handlesOf(handles).length > 1) return several;
  if (choice === undefined) return all[0];
  const value = values.get(choice.parameter) ?? choiceOfLink(values.get('id'), new URL(baseUrl).origin);
  const name = typeof value === 'string' ? choiceName(value) : '';
  return (Object.hasOwn(choice.values, name) && choice.values[name]) || all[0];
};

export const readArguments = (tool: Tool, args: object, baseUrl: string): ToolArguments => {
  const matched = matchArguments(tool, args);
  return { ...matched, tool, useCase: useCaseOf(tool, matched, baseUrl), baseUrl };
};

/** @returns sentences about arguments that were ignored or changed */
export const argumentNotes = ({ tool, useCase, values, images, ignored }: ToolArguments): readonly string[] => {
  // Some count for one of the use cases only, such as `sort` for replies.
  const own: readonly ParameterName[] = useCases[useCase].parameters;
  const parameters = tool.parameters.filter(
    (name) => own.includes(name) || name === tool.choice?.parameter || name === 'handle',
  );
  const unused = [...values.keys()].filter((name) => !parameters.includes(name));
  const exceeded = [...values, ['images', images] as const].flatMap(([name, value]) => {
    const maximum = exceededMaximum(name, value);
    return maximum === undefined ? [] : [`${name} is at most ${maximum}: ${maximum} was used.`];
  });
  return [...exceeded, ignoredNote(parameters, [...ignored, ...unused])].filter((note) => note !== undefined);
};

/** @returns the problem of wrong arguments or of a wrong query */
export const refused = (code: ProblemCode, errors: readonly ParameterError[]): Problem =>
  problem(code, { errors, detail: errors.map(({ parameter, message }) => `${parameter} ${message}.`).join(' ') });

/** @returns how many images the call asks for @throws Problem */
export const imagesOf = ({ images: given = 0 }: Pick<ToolArguments, 'images'>): number => {
  const value = exceededMaximum('images', given) ?? (typeof given === 'boolean' ? Number(given) * MAX_IMAGES : given);
  if (/^[0-9]$/.test(String(value).trim())) return Number(value);
  throw refused('invalid_parameter', [
    { parameter: 'images', message: `must be a whole number from 0 to ${MAX_IMAGES}` },
  ]);
};

/** @throws Problem if the type of a value is wrong */
const parseArguments = ({ tool, values }: ToolArguments): Map<ParameterName, string> => {
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
    else if (name === 'limit' && text !== '' && !isLimit(text)) errors.push({ parameter: name, message: LIMIT_RULE });
    else if (text !== '') texts.set(name, text);
  }
  if (errors.length > 0) throw refused('invalid_parameter', errors);
  const format = texts.get('format');
  if (format !== undefined && !TOOL_FORMATS.some((name) => name === format))
    throw refused('invalid_format', [{ parameter: 'format', message: `must be one of ${TOOL_FORMATS.join(', ')}` }]);
  return texts;
};

const DIGITS = /^[0-9]+$/;

const readOfProfile = (page: ProfilePage | undefined): UseCaseName =>
  (page && readAt(`/{handle}/${page}`)) ?? 'readProfile';

/** @returns the kind of the posts on a page of X below a profile */
const kindOfLink = (link: string, serviceOrigin: string): TimelineKind | undefined => {
  const meaning = parseBox(link, serviceOrigin);
  return meaning?.kind === 'profile' && meaning.page !== undefined ? kindOfPage[meaning.page] : undefined;
};

/** @param place of the text, if the parameter is a list @throws Problem that names the tool of a profile or of its page */
const rejectProfile = (
  parameter: 'url' | 'id' | 'ids',
  text: string | undefined,
  serviceOrigin: string,
  place = '',
): void => {
  if (text === undefined || !/[@/]/.test(text)) return;
  const meaning = parseBox(text, serviceOrigin);
  if (meaning?.kind !== 'profile') return;
  const { handle, page } = meaning;
  const { tool } = rowOf(readOfProfile(page));
  const kind = page && kindOfPage[page];
  const andKind = kind === undefined ? '' : ` and kind "${kind}"`;
  const message = `names a profile, not a post${place}: call ${tool} with handle "${handle}"${andKind}`;
  throw refused('invalid_path', [{ parameter, message }]);
};

/** Accepts a URL as `id`, an id as `url`, and an id without a handle: each of them names a post. */
const normalizePostArguments = (texts: Map<ParameterName, string>, serviceOrigin: string): void => {
  const url = texts.get('url');
  const id = texts.get('id');
  rejectProfile('url', url, serviceOrigin);
  if (url === undefined) rejectProfile('id', id, serviceOrigin);
  if (url !== undefined && DIGITS.test(url)) texts.set('url', postUrl(url));
  if (id?.includes('/')) {
    const ref = parsePostLink(id, serviceOrigin);
    if (url === undefined) texts.set('url', id);
    if (url === undefined) texts.delete('id');
    else if ('id' in ref) texts.set('id', ref.id);
  }
  // `i` stands for an unknown handle, as on X.
  if (texts.has('id') && !texts.has('handle')) texts.set('handle', 'i');
  if (texts.has('url') && !texts.has('id')) texts.delete('handle');
};

/** Accepts the URL of a post as its id. @throws Problem */
const normalizeId = (texts: Map<ParameterName, string>, baseUrl: string): void => {
  const id = texts.get('id');
  if (id === undefined || DIGITS.test(id)) return;
  rejectProfile('id', id, new URL(baseUrl).origin);
  if (!id.includes('/')) return;
  const ref = parameters.url.parse(id, { baseUrl });
  if (ref instanceof InvalidValue) throw refused(ref.code, [{ parameter: 'id', message: ref.message }]);
  texts.set('id', ref.id);
};

/** @throws Problem */
const requireChoice = ({ choice }: Tool, texts: Map<ParameterName, string>): void => {
  const value = choice && texts.get(choice.parameter);
  if (choice === undefined || value === undefined) return;
  if (!Object.hasOwn(choice.values, choiceName(value))) {
    const message = `must be one of ${Object.keys(choice.values).join(', ')}`;
    throw refused('invalid_parameter', [{ parameter: choice.parameter, message }]);
  }
  texts.delete(choice.parameter);
};

/** @throws Problem */
export const parametersFromArguments = (args: ToolArguments): RawParameters => {
  const { tool, baseUrl } = args;
  const texts = parseArguments(args);
  requireChoice(tool, texts);
  const { origin } = new URL(baseUrl);
  const given = texts.get('handle');
  const handles = tool.several === undefined || given === undefined ? [] : handlesOf(given);
  const [handle = given] = handles;
  if (handle !== undefined) texts.set('handle', handle);
  if (handles.length > 1) {
    texts.delete('handle');
    texts.set('handles', handles.map((entry) => parseProfileUrl(entry, origin) ?? entry).join(','));
  } else if (handle?.includes('/')) {
    texts.set('handle', parseProfileUrl(handle, origin) ?? handle);
    const kind = kindOfLink(handle, origin);
    if (kind !== undefined && tool.parameters.includes('kind') && !texts.has('kind')) texts.set('kind', kind);
  }
  const entries = texts.get('ids')?.split(',', MAX_LOOKUP_POSTS) ?? [];
  for (const [index, entry] of entries.entries()) rejectProfile('ids', entry.trim(), origin, ` (entry ${index + 1})`);
  if (tool.parameters.includes('url')) normalizePostArguments(texts, origin);
  else normalizeId(texts, baseUrl);
  return new Map([...texts].map(([name, text]) => [name, [text]]));
};
