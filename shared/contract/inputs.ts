// Defines the input of each use case: its parameters, its formats and the rules between parameters.
import type { Feed } from '../model/feed.ts';
import type { ListKey, ListPosition } from '../model/list-position.ts';
import type { PostRef } from '../model/post-ref.ts';
import type { ReplyOrder } from '../model/replies.ts';
import type { Period, TimelineKind } from '../model/timeline.ts';
import {
  DATA_FORMATS,
  DEFAULT_LIMIT,
  EMBED_FORMATS,
  FORMATS,
  LAYOUT_NOT_FOR_JSON,
  type Layout,
  LIST_FORMATS,
  type ParameterName,
  type ParameterValue,
  POST_LIST_FORMATS,
  type ThreadChoice,
} from './parameters.ts';
import type { ProblemCode } from './problems.ts';

/** Raw values by name. A repeated parameter has several values. */
export type RawParameters = ReadonlyMap<string, readonly string[]>;

export interface PostInput {
  readonly ref: PostRef;
  readonly format?: (typeof FORMATS)[number];
  readonly thread: ThreadChoice;
  readonly replies: ParameterValue<'replies'>;
  /** @default 'conversation' */
  readonly layout?: Layout;
  readonly maxTokens?: number;
}

/** The input of every list. */
export interface ListInput {
  readonly format?: (typeof POST_LIST_FORMATS)[number];
  readonly limit: number;
  readonly maxTokens?: number;
  /** The position after the previous page; unset: the first page. */
  readonly position?: ListPosition;
  /** The key of the list, to which its cursors are bound. */
  readonly list: ListKey;
}

export interface HandleInput extends ListInput {
  readonly handle: string;
}

export interface ProfilePostsInput extends HandleInput, Period {
  readonly kind: TimelineKind;
}

/** The input of a list that belongs to a post. */
export interface PostListInput extends ListInput {
  readonly id: string;
}

export interface RepliesInput extends PostListInput {
  readonly order: ReplyOrder;
}

export interface LookupInput {
  /** At least one, each once. */
  readonly ids: readonly string[];
  readonly format?: (typeof DATA_FORMATS)[number];
  readonly maxTokens?: number;
}

export interface SearchInput extends ListInput {
  readonly query: string;
  readonly feed: Feed;
}

/** The input of oEmbed. Sizes are in pixels. */
export interface OembedInput {
  readonly ref: PostRef;
  readonly format?: (typeof EMBED_FORMATS)[number];
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

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

export interface InputRow<T> {
  readonly parameters: readonly ParameterName[];
  /** The accepted values of `format`. The first is the default. */
  readonly formats: readonly string[];
  /** The problem code of another format. */
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
  'layout',
  'max_tokens',
] as const satisfies readonly ParameterName[];

const postRef = (reader: ParameterReader): PostRef | undefined => {
  const url = reader.value('url');
  const handle = reader.value('handle');
  const id = reader.value('id');
  if (reader.has('handle') && !reader.has('id'))
    reader.reject('missing_parameter', 'id', 'is required together with handle');
  else if (reader.has('id') && !reader.has('handle'))
    reader.reject('missing_parameter', 'handle', 'is required together with id');
  else if (!reader.has('url') && !reader.has('id'))
    reader.reject('missing_parameter', 'url', 'is required, or handle and id');
  else if (url !== undefined && id !== undefined && url.id !== id)
    reader.reject('invalid_parameter', 'id', 'names another post than url');
  return url ?? (id === undefined || handle === undefined ? undefined : { id, handle });
};

/** oEmbed 1.0, errors: the status of a format that is not implemented is 501. */
const FORMAT_NOT_IMPLEMENTED = 'format_not_implemented';
const INVALID_FORMAT = 'invalid_format';

const formatOf = <Format extends string>(
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

const postInput = (reader: ParameterReader): PostInput | undefined => {
  const ref = postRef(reader);
  const format = formatOf(reader, FORMATS);
  const maxTokens = reader.value('max_tokens');
  const layout = reader.value('layout');
  if (format === 'json' && layout === 'unrolled') reader.reject('invalid_parameter', 'layout', LAYOUT_NOT_FOR_JSON);
  const isForReading = format === 'obsidian' || layout === 'unrolled';
  const replies = reader.value('replies') ?? (isForReading ? 'off' : 'top');
  const rest = { thread: reader.value('thread') ?? 'full', replies } as const;
  if (ref === undefined) return undefined;
  return {
    ref,
    ...rest,
    ...(format !== undefined && { format }),
    ...(layout !== undefined && { layout }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
};

const LIST_PARAMETERS = ['format', 'limit', 'cursor', 'max_tokens'] as const satisfies readonly ParameterName[];
const HANDLE_PARAMETERS = ['handle', ...LIST_PARAMETERS] as const;
const PROFILE_POSTS_PARAMETERS = ['handle', 'kind', 'since', 'until', ...LIST_PARAMETERS] as const;
const POST_LIST_PARAMETERS = ['id', ...LIST_PARAMETERS] as const;
const REPLIES_PARAMETERS = ['id', 'sort', ...LIST_PARAMETERS] as const;
const LOOKUP_PARAMETERS = ['ids', 'format', 'max_tokens'] as const satisfies readonly ParameterName[];
const SEARCH_PARAMETERS = ['q', 'feed', ...LIST_PARAMETERS] as const;

/** @param list undefined if an argument of the list is invalid; then the cursor cannot be checked */
const listInput = (
  reader: ParameterReader,
  list: ListKey | undefined,
  formats: readonly (typeof POST_LIST_FORMATS)[number][] = LIST_FORMATS,
): ListInput | undefined => {
  const format = formatOf(reader, formats);
  const limit = reader.value('limit') ?? DEFAULT_LIMIT;
  const cursor = reader.value('cursor');
  const position = list && cursor !== undefined ? reader.position(list) : undefined;
  const maxTokens = reader.value('max_tokens');
  return (
    list && {
      list,
      limit,
      ...(format !== undefined && { format }),
      ...(position !== undefined && { position }),
      ...(maxTokens !== undefined && { maxTokens }),
    }
  );
};

const requireHandle = (reader: ParameterReader): string | undefined => {
  const handle = reader.value('handle');
  if (!reader.has('handle')) reader.reject('missing_parameter', 'handle', 'is required');
  return handle;
};

/** @param name the first part of the list key */
const handleInput =
  (name: 'posts' | 'followers' | 'following', formats?: readonly (typeof LIST_FORMATS)[number][]) =>
  (reader: ParameterReader): HandleInput | undefined => {
    const handle = requireHandle(reader);
    const rest = listInput(reader, handle === undefined ? undefined : [name, handle.toLowerCase()], formats);
    return rest && handle !== undefined ? { ...rest, handle } : undefined;
  };

/** The path of a permalink has a handle too, which must be valid, but does not identify the post. */
const requireId = (reader: ParameterReader): string | undefined => {
  reader.value('handle');
  const id = reader.value('id');
  if (!reader.has('id')) reader.reject('missing_parameter', 'id', 'is required');
  return id;
};

/** @param name the first part of the list key */
const postListInput =
  (name: 'quotes' | 'reposts') =>
  (reader: ParameterReader): PostListInput | undefined => {
    const id = requireId(reader);
    const rest = listInput(reader, id === undefined ? undefined : [name, id]);
    return rest && id !== undefined ? { ...rest, id } : undefined;
  };

const repliesInput = (reader: ParameterReader): RepliesInput | undefined => {
  const id = requireId(reader);
  const order = reader.has('sort') ? reader.value('sort') : 'top';
  const isList = id !== undefined && order !== undefined;
  const rest = listInput(reader, isList ? ['replies', order, id] : undefined);
  return rest && isList ? { ...rest, id, order } : undefined;
};

const periodOf = (reader: ParameterReader): Period | undefined => {
  const since = reader.value('since');
  const until = reader.value('until');
  if ((reader.has('since') && since === undefined) || (reader.has('until') && until === undefined)) return undefined;
  if (since !== undefined && until !== undefined && since >= until)
    reader.reject('invalid_parameter', 'until', 'must be later than since');
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
};

const profilePostsInput = (reader: ParameterReader): ProfilePostsInput | undefined => {
  const handle = requireHandle(reader);
  const kind = reader.has('kind') ? reader.value('kind') : 'posts';
  const period = periodOf(reader);
  const isList = handle !== undefined && kind !== undefined && period !== undefined;
  const { since = '', until = '' } = period ?? {};
  const rest = listInput(
    reader,
    isList ? ['timeline', kind, handle.toLowerCase(), String(since), String(until)] : undefined,
    POST_LIST_FORMATS,
  );
  return rest && isList ? { ...rest, ...period, handle, kind } : undefined;
};

const lookupInput = (reader: ParameterReader): LookupInput | undefined => {
  const ids = reader.value('ids');
  if (!reader.has('ids')) reader.reject('missing_parameter', 'ids', 'is required');
  const format = formatOf(reader, DATA_FORMATS);
  const maxTokens = reader.value('max_tokens');
  return ids && { ids, ...(format !== undefined && { format }), ...(maxTokens !== undefined && { maxTokens }) };
};

const searchInput = (reader: ParameterReader): SearchInput | undefined => {
  const query = reader.value('q');
  if (!reader.has('q')) reader.reject('missing_query', 'q', 'is required');
  const hasFeed = reader.has('feed');
  const feed = hasFeed ? reader.value('feed') : 'latest';
  const isList = query !== undefined && feed !== undefined;
  // A feed has posts, not accounts.
  const formats = feed === 'users' ? LIST_FORMATS : POST_LIST_FORMATS;
  const rest = listInput(reader, isList ? ['search', feed, query] : undefined, formats);
  return rest && isList ? { ...rest, query, feed } : undefined;
};

const EMBED_PARAMETERS = ['url', 'maxwidth', 'maxheight', 'format'] as const satisfies readonly ParameterName[];

const embedInput = (reader: ParameterReader): OembedInput | undefined => {
  const ref = reader.value('url');
  if (!reader.has('url')) reader.reject('missing_parameter', 'url', 'is required');
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

/** The parameters are in the order in which they are checked. */
export const inputs = {
  post: { parameters: POST_PARAMETERS, formats: FORMATS, formatCode: INVALID_FORMAT, parse: postInput },
  profile: {
    parameters: HANDLE_PARAMETERS,
    formats: DATA_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: handleInput('posts', DATA_FORMATS),
  },
  followers: {
    parameters: HANDLE_PARAMETERS,
    formats: LIST_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: handleInput('followers'),
  },
  following: {
    parameters: HANDLE_PARAMETERS,
    formats: LIST_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: handleInput('following'),
  },
  profilePosts: {
    parameters: PROFILE_POSTS_PARAMETERS,
    formats: POST_LIST_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: profilePostsInput,
  },
  lookup: { parameters: LOOKUP_PARAMETERS, formats: DATA_FORMATS, formatCode: INVALID_FORMAT, parse: lookupInput },
  replies: { parameters: REPLIES_PARAMETERS, formats: LIST_FORMATS, formatCode: INVALID_FORMAT, parse: repliesInput },
  quotes: {
    parameters: POST_LIST_PARAMETERS,
    formats: LIST_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: postListInput('quotes'),
  },
  reposts: {
    parameters: POST_LIST_PARAMETERS,
    formats: LIST_FORMATS,
    formatCode: INVALID_FORMAT,
    parse: postListInput('reposts'),
  },
  search: { parameters: SEARCH_PARAMETERS, formats: POST_LIST_FORMATS, formatCode: INVALID_FORMAT, parse: searchInput },
  oembed: {
    parameters: EMBED_PARAMETERS,
    formats: EMBED_FORMATS,
    formatCode: FORMAT_NOT_IMPLEMENTED,
    parse: embedInput,
  },
} as const satisfies { readonly [Name in keyof InputTypes]: InputRow<InputTypes[Name]> };

export type InputName = keyof typeof inputs;

export const inputRow = (name: InputName): Omit<InputRow<unknown>, 'parse'> => inputs[name];

/** @returns the same text for all pages and formats of a list; empty if the use case has no list */
export const subjectOf = (input: object): string => ('list' in input ? JSON.stringify(input.list) : '');

/** The input type of each row. */
export interface InputTypes {
  readonly post: PostInput;
  readonly profile: HandleInput;
  readonly followers: HandleInput;
  readonly profilePosts: ProfilePostsInput;
  readonly lookup: LookupInput;
  readonly replies: RepliesInput;
  readonly quotes: PostListInput;
  readonly reposts: PostListInput;
  readonly following: HandleInput;
  readonly search: SearchInput;
  readonly oembed: OembedInput;
}
