// From raw parameters to the typed input of a read, or one problem that names every wrong parameter.
import type { Feed } from '../model/feed.ts';
import type { ListKey, Position } from '../model/position.ts';
import type { PostRef } from '../model/post-ref.ts';
import {
  DATA_FORMATS,
  DEFAULT_LIMIT,
  EMBED_FORMATS,
  FORMATS,
  NOT_OUR_CURSOR,
  type ParameterName,
  type ParameterValue,
  type ParseContext,
  parameters,
  Refusal,
  type ThreadChoice,
} from './parameters.ts';
import { type ParameterError, type ProblemCode, problem } from './problems.ts';

/** Raw values by name; a name that the caller repeated has several. */
export type RawParameters = ReadonlyMap<string, readonly string[]>;

export interface PostInput {
  readonly ref: PostRef;
  readonly format?: (typeof FORMATS)[number];
  readonly thread: ThreadChoice;
  readonly replies: ParameterValue<'replies'>;
  readonly maxTokens?: number;
}

/** What every list takes. */
export interface ListInput {
  readonly format?: (typeof DATA_FORMATS)[number];
  readonly limit: number;
  readonly maxTokens?: number;
  /** Where the page before ended; unset: the first page. */
  readonly from?: Position;
  /** What a cursor of this list is bound to. */
  readonly list: ListKey;
}

export interface HandleInput extends ListInput {
  readonly handle: string;
}

export interface SearchInput extends ListInput {
  readonly query: string;
  readonly feed: Feed;
}

/** What oEmbed takes: sizes in pixels. */
export interface EmbedInput {
  readonly ref: PostRef;
  readonly format?: (typeof EMBED_FORMATS)[number];
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

interface Given {
  /** Whether the caller said anything, be it accepted or not. */
  has(name: ParameterName): boolean;
  value<Name extends ParameterName>(name: Name): ParameterValue<Name> | undefined;
  refuse(code: ProblemCode, parameter: ParameterName, message: string): void;
  /** The position that the cursor tells, of this list. */
  position(list: ListKey): Position | undefined;
}

interface InputRow<T> {
  readonly parameters: readonly ParameterName[];
  /** What `format` may be; the first is the default. */
  readonly formats: readonly string[];
  /** What another format is refused with. */
  readonly formatCode: ProblemCode;
  readonly read: (given: Given) => T | undefined;
}

const POST_PARAMETERS = [
  'url',
  'handle',
  'id',
  'format',
  'thread',
  'replies',
  'max_tokens',
] as const satisfies readonly ParameterName[];

const postRef = (given: Given): PostRef | undefined => {
  const url = given.value('url');
  const handle = given.value('handle');
  const id = given.value('id');
  if (given.has('handle') && !given.has('id'))
    given.refuse('missing_parameter', 'id', 'is required together with handle');
  else if (given.has('id') && !given.has('handle'))
    given.refuse('missing_parameter', 'handle', 'is required together with id');
  else if (!given.has('url') && !given.has('id'))
    given.refuse('missing_parameter', 'url', 'is required, or handle and id');
  else if (url !== undefined && id !== undefined && url.id !== id)
    given.refuse('invalid_parameter', 'id', 'names another post than url');
  return url ?? (id === undefined || handle === undefined ? undefined : { id, handle });
};

/** oEmbed 1.0 section 2.3.3 has a status of its own for a format that is not there. */
const MISSING_FORMAT = 'format_not_implemented';
const UNKNOWN_FORMAT = 'invalid_format';

const formatOf = <Format extends string>(
  given: Given,
  formats: readonly Format[],
  code: ProblemCode = UNKNOWN_FORMAT,
): Format | undefined => {
  const named = given.value('format');
  if (named === undefined) return undefined;
  const format = formats.find((known) => known === named);
  if (format === undefined)
    given.refuse(code, 'format', `must be ${formats.length > 1 ? 'one of ' : ''}${formats.join(', ')}`);
  return format;
};

const postInput = (given: Given): PostInput | undefined => {
  const ref = postRef(given);
  const format = formatOf(given, FORMATS);
  const maxTokens = given.value('max_tokens');
  const rest = { thread: given.value('thread') ?? 'full', replies: given.value('replies') ?? 'top' } as const;
  if (ref === undefined) return undefined;
  return { ref, ...rest, ...(format !== undefined && { format }), ...(maxTokens !== undefined && { maxTokens }) };
};

const LIST_PARAMETERS = ['format', 'limit', 'cursor', 'max_tokens'] as const satisfies readonly ParameterName[];
const HANDLE_PARAMETERS = ['handle', ...LIST_PARAMETERS] as const;
const SEARCH_PARAMETERS = ['q', 'feed', ...LIST_PARAMETERS] as const;

/** @param list undefined while its arguments are wrong: then there is nothing to hold a cursor against */
const listInput = (given: Given, list: ListKey | undefined): ListInput | undefined => {
  const format = formatOf(given, DATA_FORMATS);
  const limit = given.value('limit') ?? DEFAULT_LIMIT;
  const cursor = given.value('cursor');
  const from = list && cursor !== undefined ? given.position(list) : undefined;
  const maxTokens = given.value('max_tokens');
  return (
    list && {
      list,
      limit,
      ...(format !== undefined && { format }),
      ...(from !== undefined && { from }),
      ...(maxTokens !== undefined && { maxTokens }),
    }
  );
};

/** @param name of the list, first part of what its cursors are bound to */
const handleInput =
  (name: 'posts' | 'followers' | 'following') =>
  (given: Given): HandleInput | undefined => {
    const handle = given.value('handle');
    if (!given.has('handle')) given.refuse('missing_parameter', 'handle', 'is required');
    const rest = listInput(given, handle === undefined ? undefined : [name, handle.toLowerCase()]);
    return rest && handle !== undefined ? { ...rest, handle } : undefined;
  };

const searchInput = (given: Given): SearchInput | undefined => {
  const query = given.value('q');
  if (!given.has('q')) given.refuse('missing_query', 'q', 'is required');
  const hasFeed = given.has('feed');
  const feed = hasFeed ? given.value('feed') : 'latest';
  const isList = query !== undefined && feed !== undefined;
  const rest = listInput(given, isList ? ['search', feed, query] : undefined);
  return rest && isList ? { ...rest, query, feed } : undefined;
};

const EMBED_PARAMETERS = ['url', 'maxwidth', 'maxheight', 'format'] as const satisfies readonly ParameterName[];

const embedInput = (given: Given): EmbedInput | undefined => {
  const ref = given.value('url');
  if (!given.has('url')) given.refuse('missing_parameter', 'url', 'is required');
  const maxWidth = given.value('maxwidth');
  const maxHeight = given.value('maxheight');
  const format = formatOf(given, EMBED_FORMATS, MISSING_FORMAT);
  return (
    ref && {
      ref,
      ...(maxWidth !== undefined && { maxWidth }),
      ...(maxHeight !== undefined && { maxHeight }),
      ...(format !== undefined && { format }),
    }
  );
};

/** Input of each read: the parameters it knows, in the order in which they are checked. */
export const inputs = {
  post: { parameters: POST_PARAMETERS, formats: FORMATS, formatCode: UNKNOWN_FORMAT, read: postInput },
  profile: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: UNKNOWN_FORMAT,
    read: handleInput('posts'),
  },
  followers: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: UNKNOWN_FORMAT,
    read: handleInput('followers'),
  },
  following: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: UNKNOWN_FORMAT,
    read: handleInput('following'),
  },
  search: { parameters: SEARCH_PARAMETERS, formats: DATA_FORMATS, formatCode: UNKNOWN_FORMAT, read: searchInput },
  oembed: { parameters: EMBED_PARAMETERS, formats: EMBED_FORMATS, formatCode: MISSING_FORMAT, read: embedInput },
} as const satisfies { readonly [Name in keyof InputTypes]: InputRow<InputTypes[Name]> };

export type InputName = keyof typeof inputs;

export const inputRow = (name: InputName): Omit<InputRow<unknown>, 'read'> => inputs[name];

/** What a list is of, whichever page and format is asked for: equal inputs fail together. */
export const subjectOf = (input: object): string => ('list' in input ? JSON.stringify(input.list) : '');

/** The typed input of each read. */
export interface InputTypes {
  readonly post: PostInput;
  readonly profile: HandleInput;
  readonly followers: HandleInput;
  readonly following: HandleInput;
  readonly search: SearchInput;
  readonly oembed: EmbedInput;
}

/** @throws Problem with the code of the first wrong parameter and `errors[]` for all of them */
export const readInput = <Name extends InputName>(
  name: Name,
  raw: RawParameters,
  context: ParseContext,
): InputTypes[Name] => {
  const refusals: (ParameterError & { readonly code: ProblemCode })[] = [];
  const refused = new Set<string>();
  const refuse: Given['refuse'] = (code, parameter, message) => {
    // One parameter is reported once, for the first thing that is wrong with it.
    if (refused.has(parameter)) return;
    refused.add(parameter);
    refusals.push({ code, parameter, message });
  };
  const given: Given = {
    has: (parameter) =>
      (raw.get(parameter) ?? []).some((value) => value !== '' || !parameters[parameter].emptyIsAbsent),
    value<N extends ParameterName>(parameter: N): ParameterValue<N> | undefined {
      const [value, ...more] = raw.get(parameter) ?? [];
      if (more.length > 0) refuse('repeated_parameter', parameter, 'was given more than once');
      const { emptyIsAbsent, parse } = parameters[parameter];
      if (value === undefined || more.length > 0 || (value === '' && emptyIsAbsent)) return undefined;
      const parsed = parse(value, context);
      if (!(parsed instanceof Refusal)) return parsed as ParameterValue<N>; // the table's row N parses to N's value
      refuse(parsed.code, parameter, parsed.message);
      return undefined;
    },
    refuse,
    position(list) {
      const cursor = given.value('cursor');
      const position = cursor === undefined ? undefined : context.openCursor?.(list, cursor);
      if (cursor !== undefined && position === undefined) refuse('invalid_cursor', 'cursor', NOT_OUR_CURSOR);
      return position;
    },
  };
  const rows: { readonly [N in InputName]: InputRow<InputTypes[N]> } = inputs;
  const row = rows[name];
  const input = row.read(given);
  const [first] = refusals;
  if (first !== undefined || input === undefined) {
    const errors = refusals.map(({ parameter, message }) => ({ parameter, message }));
    throw problem(first?.code ?? 'missing_parameter', {
      errors,
      ...(first && { detail: `${first.parameter} ${first.message}.` }),
    });
  }
  return input;
};
