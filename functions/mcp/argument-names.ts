// Matches the names of arguments with the parameters of a tool. Models invent names: a name with only one possible meaning
// is accepted, and any other name is reported with the name that was probably meant.
import type { ToolName } from '../../shared/contract/mcp.ts';
import type { ParameterName } from '../../shared/contract/parameters.ts';
import { editDistance } from '../../shared/model/edit-distance.ts';
import { FEEDS, TIMELINE_KINDS } from '../../shared/model/lists.ts';
import type { Tool } from './tools.ts';

/** In snake case; the first one present counts. A parameter of the tool is never an alias of another parameter. */
const aliases: Readonly<Partial<Record<ParameterName, readonly string[]>>> = {
  url: ['link', 'tweet_url', 'post_url', 'status_url', 'uri'],
  handle: ['username', 'screen_name', 'user', 'account', 'user_name', 'profile', 'profile_url', 'url', 'handles'],
  id: ['tweet_id', 'post_id', 'status_id'],
  ids: ['post_ids', 'tweet_ids', 'status_ids', 'urls', 'links', 'id', 'url'],
  since: ['start_time', 'since_date'],
  until: ['end_time', 'until_date'],
  q: ['query', 'text', 'search', 'search_query'],
  feed: ['type', 'sort'],
  kind: ['type'],
  reposts: ['include_reposts', 'include_retweets', 'retweets'],
  format: ['response_format', 'output_format'],
  limit: ['max_results', 'page_size'],
  cursor: ['page_token', 'next_cursor', 'next_token'],
  part: ['page', 'part_number'],
};

/** The names of an id that is not of a post. */
const otherIds: Readonly<Partial<Record<ToolName, readonly string[]>>> = {
  x_get_profile: ['user_id', 'account_id', 'author_id'],
  x_list_posts: ['list_id', 'list'],
};

/** The id of a post may be a URL. A tool with both parameters has the names of URLs for `url`. */
const aliasesOf = (name: ParameterName, { name: tool, parameters: names }: Tool): readonly string[] => {
  const own = aliases[name] ?? [];
  if (name !== 'id' || names.includes('url')) return own;
  return otherIds[tool] ?? [...own, 'url', ...(aliases.url ?? [])];
};

/** Names of other APIs of posts that are only suggested, because they can mean something else. */
const synonyms: Readonly<Partial<Record<ParameterName, readonly string[]>>> = {
  url: ['tweet', 'post', 'status'],
  handle: ['name', 'author', 'user_id'],
  id: ['post', 'tweet', 'status'],
  ids: ['posts', 'tweets', 'statuses', 'post_id', 'tweet_id'],
  kind: ['filter', 'timeline', 'include_replies'],
  since: ['from', 'start', 'start_date', 'after', 'date_from'],
  until: ['to', 'end', 'end_date', 'before', 'date_to'],
  sort: ['order', 'sort_by', 'sort_order'],
  q: ['keywords', 'keyword', 'terms', 'phrase', 'topic', 'from', 'since', 'until', 'lang'],
  feed: ['order', 'sort_by', 'sort_order', 'result_type', 'product'],
  format: ['output'],
  limit: ['count', 'n', 'size', 'top', 'max', 'per_page', 'max_count', 'num_results'],
  cursor: ['page', 'offset', 'after', 'next', 'pagination_token'],
  max_tokens: ['tokens', 'max_length', 'max_chars', 'max_characters'],
  thread: ['include_thread', 'full_thread', 'unroll', 'conversation'],
  replies: ['include_replies', 'comments', 'with_replies'],
  layout: ['unrolled'],
  part: ['offset', 'chunk', 'page_number', 'cursor', 'next'],
  metrics: ['include_metrics', 'public_metrics', 'stats', 'engagement'],
};

/** `type` and `sort` can mean many things. They count only if their value is one of the parameter. */
const isValueOf = ({ choice }: Tool, name: ParameterName, value: unknown): boolean => {
  const kinds = choice === undefined ? TIMELINE_KINDS : Object.keys(choice.values);
  const values: readonly string[] | undefined = name === 'feed' ? FEEDS : name === 'kind' ? kinds : undefined;
  return values === undefined || values.some((known) => known === value);
};

/** `nextCursor` and `next-cursor` are `next_cursor`. */
const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

interface Argument {
  /** As the caller wrote it. */
  readonly name: string;
  readonly value: unknown;
}

/** Drops empty arguments. An exact name has precedence over a name that only matches in snake case. */
const normalizeNames = (args: object): ReadonlyMap<string, Argument> => {
  const present = Object.entries(args)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]): Argument => ({ name, value }));
  return new Map([
    ...present.map((argument): [string, Argument] => [snakeCase(argument.name), argument]),
    ...present.map((argument): [string, Argument] => [argument.name, argument]),
  ]);
};

export interface MatchedArguments {
  readonly values: ReadonlyMap<ParameterName, unknown>;
  /** Only of a tool whose results can have images. */
  readonly images: unknown;
  /** The flag of the tool. `invalid`: it is neither true nor false. @default false */
  readonly flag: boolean | 'invalid';
  /** As the caller wrote them, in their order. */
  readonly ignored: readonly string[];
}

/** Some models write truth values as texts or numbers. */
const flagOf = (value: unknown): MatchedArguments['flag'] => {
  const text = ['string', 'number', 'boolean', 'undefined'].includes(typeof value) ? String(value).toLowerCase() : '';
  if (['true', '1', 'yes'].includes(text)) return true;
  return ['false', '0', 'no', 'undefined'].includes(text) ? false : 'invalid';
};

export const matchArguments = (tool: Tool, args: object): MatchedArguments => {
  const { parameters: names } = tool;
  const present = normalizeNames(args);
  const isParameter = (alias: string): boolean => names.some((name) => name === alias);
  const values = new Map<ParameterName, unknown>();
  const used = new Set<string>();
  for (const name of names) {
    const others = aliasesOf(name, tool).filter((alias) => !isParameter(alias));
    const found = [name, ...others]
      .map((alias) => ({ alias, argument: present.get(alias) }))
      .find(({ alias, argument }) => argument && (alias === name || isValueOf(tool, name, argument.value)))?.argument;
    if (found === undefined) continue;
    values.set(name, found.value);
    used.add(found.name);
  }
  const images = tool.hasImages && present.get('images');
  const flag = tool.flag && present.get(tool.flag.name);
  for (const each of [images, flag]) if (each) used.add(each.name);
  const ignored = new Set([...present.values()].map(({ name }) => name).filter((name) => !used.has(name)));
  return { values, images: images ? images.value : undefined, flag: flagOf(flag?.value), ignored: [...ignored] };
};

/** A longer name is not compared, so that the work is bounded. */
const MAX_NAME_CHARACTERS = 40;
const MAX_NAMES = 5;

const suggestionFor = (name: string, names: readonly ParameterName[], tool: Tool): ParameterName | undefined => {
  if (name.length > MAX_NAME_CHARACTERS) return undefined;
  const key = snakeCase(name);
  const known = names.find(
    (parameter) => aliasesOf(parameter, tool).includes(key) || synonyms[parameter]?.includes(key),
  );
  if (known !== undefined) return known;
  // A third of a short name would make it another word.
  const most = Math.min(2, Math.floor(key.length / 3));
  const [nearest] = names
    .map((parameter) => ({ parameter, distance: editDistance(key, parameter) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.parameter;
};

/** The caller chose the name, so it may contain anything. */
const safeName = (name: string): string => {
  const shown = Array.from(name.slice(0, 2 * MAX_NAME_CHARACTERS), (character) =>
    /^[\p{L}\p{N}_.-]$/u.test(character) ? character : '?',
  );
  return shown.length > MAX_NAME_CHARACTERS ? `${shown.slice(0, MAX_NAME_CHARACTERS).join('')}…` : shown.join('');
};

/**
 * @param names the parameters that count
 * @returns `Ignored: count. Did you mean limit?`; undefined: no argument was ignored
 */
export const ignoredNote = (
  tool: Tool,
  names: readonly ParameterName[],
  ignored: readonly string[],
): string | undefined => {
  if (ignored.length === 0) return undefined;
  const shown = ignored.slice(0, MAX_NAMES);
  const more = ignored.length > shown.length ? ` and ${ignored.length - shown.length} more` : '';
  const suggestions = [...new Set(shown.flatMap((name) => suggestionFor(name, names, tool) ?? []))];
  const question = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(', ')}?`;
  return `Ignored: ${shown.map(safeName).join(', ')}${more}.${question}`;
};
