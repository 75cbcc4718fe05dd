// From the arguments of a tool call to raw parameters. Models invent names, types and spellings: what can mean one thing
// only is taken as that; what is wrong is refused in the words of the parameters.
import type { RawParameters } from '../../shared/contract/inputs.ts';
import { MAX_TOOL_LIMIT } from '../../shared/contract/mcp.ts';
import { InvalidValue, type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import { type ParameterError, type Problem, problem } from '../../shared/contract/problems.ts';
import { FEEDS } from '../../shared/model/feed.ts';
import { postUrl } from '../../shared/model/handle.ts';
import { parsePostUrl, parseProfileUrl } from '../../shared/model/post-ref.ts';
import { MAX_TOOL_TOKENS, parametersOf, type ToolUseCase } from './tools.ts';

/** In snake case; the first that is given counts. A name that is a parameter of the tool is never another's alias. */
const aliases: Readonly<Partial<Record<ParameterName, readonly string[]>>> = {
  url: ['link', 'tweet_url', 'post_url', 'status_url', 'uri'],
  handle: ['username', 'screen_name', 'user', 'account', 'user_name', 'profile', 'profile_url', 'url'],
  id: ['tweet_id', 'post_id', 'status_id'],
  q: ['query', 'text', 'search', 'search_query'],
  feed: ['type', 'sort'],
  limit: ['count', 'max_results', 'page_size'],
  cursor: ['page_token', 'next_cursor', 'next_token'],
};

/** `type` and `sort` mean many things; those that are feeds mean a feed. */
const isFeed = (value: unknown): boolean => FEEDS.some((feed) => feed === value);

/** `nextCursor` and `next-cursor` are `next_cursor`. */
const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** By name, without those that say nothing. A name as written goes before one that merely comes to the same. */
const givenIn = (args: object): ReadonlyMap<string, unknown> => {
  const said = Object.entries(args).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return new Map([...said.map(([name, value]): [string, unknown] => [snakeCase(name), value]), ...said]);
};

/** What switches mean where words are wanted. */
const booleanValues: Readonly<Partial<Record<ParameterName, readonly [on: string, off: string]>>> = {
  thread: ['full', 'off'],
  replies: ['top', 'off'],
};

/** @returns undefined: not to be had as a text without guessing */
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

/** @throws Problem where a value has a type that nothing can be made of */
const parseArguments = (read: ToolUseCase, args: object): Map<ParameterName, string> => {
  const given = givenIn(args);
  const own = parametersOf(read);
  const isOwn = (alias: string): boolean => own.some((name) => name === alias);
  const texts = new Map<ParameterName, string>();
  const errors: ParameterError[] = [];
  for (const name of own) {
    const others = (aliases[name] ?? []).filter((alias) => !isOwn(alias));
    const known = [name, ...others].find(
      (each) => given.has(each) && (name !== 'feed' || each === name || isFeed(given.get(each))),
    );
    if (known === undefined) continue;
    const value = given.get(known);
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

/** An address where the id belongs, an id where the address does, an id without its author: all name a post. */
const normalizePostArguments = (texts: Map<ParameterName, string>, ownOrigin: string): void => {
  const url = texts.get('url');
  const id = texts.get('id');
  if (url !== undefined && DIGITS.test(url)) texts.set('url', postUrl(url));
  if (id?.includes('/')) {
    const ref = parsePostUrl(id, ownOrigin);
    if (url === undefined) texts.set('url', id);
    if (url === undefined) texts.delete('id');
    else if ('id' in ref) texts.set('id', ref.id);
  }
  // Whose it is comes from the post.
  if (texts.has('id') && !texts.has('handle')) texts.set('handle', 'i');
  if (texts.has('url') && !texts.has('id')) texts.delete('handle');
};

/** @throws Problem */
export const parametersFromArguments = (read: ToolUseCase, args: object, baseUrl: string): RawParameters => {
  const texts = parseArguments(read, args);
  const { origin } = new URL(baseUrl);
  const handle = texts.get('handle');
  if (handle?.includes('/')) texts.set('handle', parseProfileUrl(handle, origin) ?? handle);
  if (read === 'readPost') normalizePostArguments(texts, origin);
  return new Map([...texts].map(([name, text]) => [name, [text]]));
};

/** What was asked for, as far as a tool gives it. */
export const effectiveMaxTokens = (maxTokens: number | undefined): number =>
  Math.min(maxTokens ?? MAX_TOOL_TOKENS, MAX_TOOL_TOKENS);
