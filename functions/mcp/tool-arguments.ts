// Turns the arguments of a tool call into raw parameters. Models invent names, types and spellings. An argument with only one
// possible meaning is accepted; the validation of parameters rejects the rest.
import type { RawParameters } from '../../shared/contract/inputs.ts';
import { MAX_TOOL_LIMIT } from '../../shared/contract/mcp.ts';
import { InvalidValue, type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import { type ParameterError, type Problem, problem } from '../../shared/contract/problems.ts';
import { FEEDS } from '../../shared/model/feed.ts';
import { postUrl } from '../../shared/model/handle.ts';
import { parsePostUrl, parseProfileUrl } from '../../shared/model/post-ref.ts';
import { MAX_TOOL_TOKENS, parametersOf, type ToolUseCase } from './tools.ts';

/** In snake case; the first one present counts. A parameter of the tool is never an alias of another parameter. */
const aliases: Readonly<Partial<Record<ParameterName, readonly string[]>>> = {
  url: ['link', 'tweet_url', 'post_url', 'status_url', 'uri'],
  handle: ['username', 'screen_name', 'user', 'account', 'user_name', 'profile', 'profile_url', 'url'],
  id: ['tweet_id', 'post_id', 'status_id'],
  q: ['query', 'text', 'search', 'search_query'],
  feed: ['type', 'sort'],
  limit: ['count', 'max_results', 'page_size'],
  cursor: ['page_token', 'next_cursor', 'next_token'],
};

/** `type` and `sort` can mean many things. They count only if their value is a feed. */
const isFeed = (value: unknown): boolean => FEEDS.some((feed) => feed === value);

/** `nextCursor` and `next-cursor` are `next_cursor`. */
const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** Drops empty arguments. An exact name has precedence over a name that only matches in snake case. */
const normalizeNames = (args: object): ReadonlyMap<string, unknown> => {
  const present = Object.entries(args).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return new Map([...present.map(([name, value]): [string, unknown] => [snakeCase(name), value]), ...present]);
};

/** The values of parameters that models treat as switches. */
const booleanValues: Readonly<Partial<Record<ParameterName, readonly [on: string, off: string]>>> = {
  thread: ['full', 'off'],
  replies: ['top', 'off'],
};

/** @returns undefined: the value has no unambiguous text */
const textOf = (name: ParameterName, value: unknown): string | undefined => {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  const [on, off] = booleanValues[name] ?? [];
  if (typeof value === 'boolean') return value ? on : off;
  return undefined;
};

const ID_AS_NUMBER = 'must be a string such as "20": a JSON number loses digits of an id. Pass id as a string';

const wrongType = (name: ParameterName): string => {
  const { type } = parameters[name].schema;
  return type === 'integer' ? 'must be a whole number' : 'must be a string';
};

const LIMIT_RULE = `must be a whole number from 1 to ${MAX_TOOL_LIMIT}`;

const isLimit = (text: string): boolean => {
  const limit = parameters.limit.parse(text, { baseUrl: '' });
  return !(limit instanceof InvalidValue) && limit <= MAX_TOOL_LIMIT;
};

const refused = (code: 'invalid_id' | 'invalid_parameter', errors: readonly ParameterError[]): Problem =>
  problem(code, { errors, detail: errors.map(({ parameter, message }) => `${parameter} ${message}.`).join(' ') });

/** @throws Problem if the type of a value is wrong */
const parseArguments = (useCase: ToolUseCase, args: object): Map<ParameterName, string> => {
  const present = normalizeNames(args);
  const names = parametersOf(useCase);
  const isParameter = (alias: string): boolean => names.some((name) => name === alias);
  const texts = new Map<ParameterName, string>();
  const errors: ParameterError[] = [];
  for (const name of names) {
    const others = (aliases[name] ?? []).filter((alias) => !isParameter(alias));
    const found = [name, ...others].find(
      (alias) => present.has(alias) && (name !== 'feed' || alias === name || isFeed(present.get(alias))),
    );
    if (found === undefined) continue;
    const value = present.get(found);
    if (typeof value === 'number' && (name === 'id' || name === 'url'))
      throw refused('invalid_id', [{ parameter: 'id', message: ID_AS_NUMBER }]);
    const text = textOf(name, value);
    if (text === undefined) errors.push({ parameter: name, message: wrongType(name) });
    else if (name === 'limit' && text !== '' && !isLimit(text)) errors.push({ parameter: name, message: LIMIT_RULE });
    else if (text !== '') texts.set(name, text);
  }
  if (errors.length > 0) throw refused('invalid_parameter', errors);
  return texts;
};

const DIGITS = /^[0-9]+$/;

/** Accepts a URL as `id`, an id as `url`, and an id without a handle: each of them names a post. */
const normalizePostArguments = (texts: Map<ParameterName, string>, serviceOrigin: string): void => {
  const url = texts.get('url');
  const id = texts.get('id');
  if (url !== undefined && DIGITS.test(url)) texts.set('url', postUrl(url));
  if (id?.includes('/')) {
    const ref = parsePostUrl(id, serviceOrigin);
    if (url === undefined) texts.set('url', id);
    if (url === undefined) texts.delete('id');
    else if ('id' in ref) texts.set('id', ref.id);
  }
  // `i` stands for an unknown handle, as on X.
  if (texts.has('id') && !texts.has('handle')) texts.set('handle', 'i');
  if (texts.has('url') && !texts.has('id')) texts.delete('handle');
};

/** @throws Problem */
export const parametersFromArguments = (useCase: ToolUseCase, args: object, baseUrl: string): RawParameters => {
  const texts = parseArguments(useCase, args);
  const { origin } = new URL(baseUrl);
  const handle = texts.get('handle');
  if (handle?.includes('/')) texts.set('handle', parseProfileUrl(handle, origin) ?? handle);
  if (useCase === 'readPost') normalizePostArguments(texts, origin);
  return new Map([...texts].map(([name, text]) => [name, [text]]));
};

/** The requested bound, at most the bound of tools. */
export const effectiveMaxTokens = (maxTokens: number | undefined): number =>
  Math.min(maxTokens ?? MAX_TOOL_TOKENS, MAX_TOOL_TOKENS);
