// From raw parameters to the typed input of a read, or one problem that names every wrong parameter.
import type { Feed } from '../model/feed.ts';
import type { ListKey, ListPosition } from '../model/list-position.ts';
import type { PostRef } from '../model/post-ref.ts';
import {
  DATA_FORMATS,
  DEFAULT_LIMIT,
  EMBED_FORMATS,
  FOREIGN_CURSOR,
  FORMATS,
  InvalidValue,
  type ParameterName,
  type ParameterValue,
  type ParseContext,
  parameters,
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
  readonly position?: ListPosition;
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
export interface OembedInput {
  readonly ref: PostRef;
  readonly format?: (typeof EMBED_FORMATS)[number];
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

interface ParameterReader {
  /** Whether the caller said anything, be it accepted or not. */
  has(name: ParameterName): boolean;
  value<Name extends ParameterName>(name: Name): ParameterValue<Name> | undefined;
  refuse(code: ProblemCode, parameter: ParameterName, message: string): void;
  /** The position that the cursor tells, of this list. */
  position(list: ListKey): ListPosition | undefined;
}

interface InputRow<T> {
  readonly parameters: readonly ParameterName[];
  /** What `format` may be; the first is the default. */
  readonly formats: readonly string[];
  /** What another format is refused with. */
  readonly formatCode: ProblemCode;
  readonly parse: (reader: ParameterReader) => T | undefined;
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

const postRef = (reader: ParameterReader): PostRef | undefined => {
  const url = reader.value('url');
  const handle = reader.value('handle');
  const id = reader.value('id');
  if (reader.has('handle') && !reader.has('id'))
    reader.refuse('missing_parameter', 'id', 'is required together with handle');
  else if (reader.has('id') && !reader.has('handle'))
    reader.refuse('missing_parameter', 'handle', 'is required together with id');
  else if (!reader.has('url') && !reader.has('id'))
    reader.refuse('missing_parameter', 'url', 'is required, or handle and id');
  else if (url !== undefined && id !== undefined && url.id !== id)
    reader.refuse('invalid_parameter', 'id', 'names another post than url');
  return url ?? (id === undefined || handle === undefined ? undefined : { id, handle });
};

/** oEmbed 1.0 section 2.3.3 has a status of its own for a format that is not there. */
const FORMAT_NOT_IMPLEMENTED = 'format_not_implemented';
const INVALID_FORMAT = 'invalid_format';

const formatOf = <Format extends string>(
  reader: ParameterReader,
  formats: readonly Format[],
  code: ProblemCode = INVALID_FORMAT,
): Format | undefined => {
  const named = reader.value('format');
  if (named === undefined) return undefined;
  const format = formats.find((known) => known === named);
  if (format === undefined)
    reader.refuse(code, 'format', `must be ${formats.length > 1 ? 'one of ' : ''}${formats.join(', ')}`);
  return format;
};

const postInput = (reader: ParameterReader): PostInput | undefined => {
  const ref = postRef(reader);
  const format = formatOf(reader, FORMATS);
  const maxTokens = reader.value('max_tokens');
  const rest = { thread: reader.value('thread') ?? 'full', replies: reader.value('replies') ?? 'top' } as const;
  if (ref === undefined) return undefined;
  return { ref, ...rest, ...(format !== undefined && { format }), ...(maxTokens !== undefined && { maxTokens }) };
};

const LIST_PARAMETERS = ['format', 'limit', 'cursor', 'max_tokens'] as const satisfies readonly ParameterName[];
const HANDLE_PARAMETERS = ['handle', ...LIST_PARAMETERS] as const;
const SEARCH_PARAMETERS = ['q', 'feed', ...LIST_PARAMETERS] as const;

/** @param list undefined while its arguments are wrong: then there is nothing to hold a cursor against */
const listInput = (reader: ParameterReader, list: ListKey | undefined): ListInput | undefined => {
  const format = formatOf(reader, DATA_FORMATS);
  const limit = reader.value('limit') ?? DEFAULT_LIMIT;
  const cursor = reader.value('cursor');
  const from = list && cursor !== undefined ? reader.position(list) : undefined;
  const maxTokens = reader.value('max_tokens');
  return (
    list && {
      list,
      limit,
      ...(format !== undefined && { format }),
      ...(from !== undefined && { position: from }),
      ...(maxTokens !== undefined && { maxTokens }),
    }
  );
};

/** @param name of the list, first part of what its cursors are bound to */
const handleInput =
  (name: 'posts' | 'followers' | 'following') =>
  (reader: ParameterReader): HandleInput | undefined => {
    const handle = reader.value('handle');
    if (!reader.has('handle')) reader.refuse('missing_parameter', 'handle', 'is required');
    const rest = listInput(reader, handle === undefined ? undefined : [name, handle.toLowerCase()]);
    return rest && handle !== undefined ? { ...rest, handle } : undefined;
  };

const searchInput = (reader: ParameterReader): SearchInput | undefined => {
  const query = reader.value('q');
  if (!reader.has('q')) reader.refuse('missing_query', 'q', 'is required');
  const hasFeed = reader.has('feed');
  const feed = hasFeed ? reader.value('feed') : 'latest';
  const isList = query !== undefined && feed !== undefined;
  const rest = listInput(reader, isList ? ['search', feed, query] : undefined);
  return rest && isList ? { ...rest, query, feed } : undefined;
};

const EMBED_PARAMETERS = ['url', 'maxwidth', 'maxheight', 'format'] as const satisfies readonly ParameterName[];

const embedInput = (reader: ParameterReader): OembedInput | undefined => {
  const ref = reader.value('url');
  if (!reader.has('url')) reader.refuse('missing_parameter', 'url', 'is required');
  const maxWidth = reader.value('maxwidth');
  const maxHeight = reader.value('maxheight');
  const format = formatOf(reader, EMBED_FORMATS, FORMAT_NOT_IMPLEMENTED);
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
  post: { parameters: POST_PARAMETERS, formats: FORMATS, formatCode: INVALID_FORMAT, parse: postInput },
  profile: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: handleInput('posts'),
  },
  followers: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: handleInput('followers'),
  },
  following: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: handleInput('following'),
  },
  search: { parameters: SEARCH_PARAMETERS, formats: DATA_FORMATS, formatCode: INVALID_FORMAT, parse: searchInput },
  oembed: {
    parameters: EMBED_PARAMETERS,
    formats: EMBED_FORMATS,
    formatCode: FORMAT_NOT_IMPLEMENTED,
    parse: embedInput,
  },
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
  readonly oembed: OembedInput;
}

/** @throws Problem with the code of the first wrong parameter and `errors[]` for all of them */
export const parseInput = <Name extends InputName>(
  name: Name,
  raw: RawParameters,
  context: ParseContext,
): InputTypes[Name] => {
  const refusals: (ParameterError & { readonly code: ProblemCode })[] = [];
  const refused = new Set<string>();
  const refuse: ParameterReader['refuse'] = (code, parameter, message) => {
    // One parameter is reported once, for the first thing that is wrong with it.
    if (refused.has(parameter)) return;
    refused.add(parameter);
    refusals.push({ code, parameter, message });
  };
  const reader: ParameterReader = {
    has: (parameter) =>
      (raw.get(parameter) ?? []).some((value) => value !== '' || !parameters[parameter].emptyIsAbsent),
    value<N extends ParameterName>(parameter: N): ParameterValue<N> | undefined {
      const [value, ...more] = raw.get(parameter) ?? [];
      if (more.length > 0) refuse('repeated_parameter', parameter, 'was given more than once');
      const { emptyIsAbsent, parse } = parameters[parameter];
      if (value === undefined || more.length > 0 || (value === '' && emptyIsAbsent)) return undefined;
      const parsed = parse(value, context);
      if (!(parsed instanceof InvalidValue)) return parsed as ParameterValue<N>; // the table's row N parses to N's value
      refuse(parsed.code, parameter, parsed.message);
      return undefined;
    },
    refuse,
    position(list) {
      const cursor = reader.value('cursor');
      const position = cursor === undefined ? undefined : context.decodeCursor?.(list, cursor);
      if (cursor !== undefined && position === undefined) refuse('invalid_cursor', 'cursor', FOREIGN_CURSOR);
      return position;
    },
  };
  const rows: { readonly [N in InputName]: InputRow<InputTypes[N]> } = inputs;
  const row = rows[name];
  const input = row.parse(reader);
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
