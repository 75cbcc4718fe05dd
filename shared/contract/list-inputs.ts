// Defines the inputs of lists: their parameters, the rules between them, and the key to which the cursors of a list are bound.
import type { ReplyOrder } from '../model/conversation.ts';
import { definedMembers } from '../model/json.ts';
import type { ListKey, ListPosition, Period, RepostChoice, SearchFeed, TimelineKind } from '../model/lists.ts';
import { FEED_FORMATS } from './media-types.ts';
import { defineInput, type FindFeed, formatOf, INVALID_FORMAT, type ParameterReader } from './parameter-reader.ts';
import {
  DATA_FORMATS,
  DEFAULT_LIMIT,
  FOLLOWING_FORMATS,
  LIST_FORMATS,
  type MetricsChoice,
  type ParameterName,
  POST_LIST_FORMATS,
  TIMELINE_FORMATS,
} from './parameters.ts';

/** The input of every list. */
export interface ListInput {
  readonly format?: (typeof TIMELINE_FORMATS)[number];
  readonly limit: number;
  readonly maxTokens?: number;
  /** Only lists of posts have it. */
  readonly metrics?: MetricsChoice;
  /** The position after the previous page; unset: the first page. */
  readonly position?: ListPosition;
  /** The key of the list, to which its cursors are bound. */
  readonly list: ListKey;
}

interface RepostsInput {
  /** @default 'exclude' */
  readonly reposts?: RepostChoice;
}

export interface HandleInput extends ListInput, RepostsInput {
  readonly handle: string;
}

interface ThreadsInput {
  /** @default 'single' */
  readonly threads?: 'single' | 'merged';
}

export interface ProfilePostsInput extends HandleInput, Period, ThreadsInput {
  readonly kind: TimelineKind;
}

export interface MergedTimelineInput extends ListInput, Period, RepostsInput, ThreadsInput {
  /** At least one, in lower case, sorted. */
  readonly handles: readonly string[];
  readonly kind: TimelineKind;
}

/** The input of a list that belongs to the post, the account or the list of X with the id. */
export interface IdInput extends ListInput, RepostsInput {
  readonly id: string;
  /** The handle in the path of a permalink. It does not identify the post. */
  readonly handle?: string;
}

export interface RepliesInput extends IdInput {
  readonly order: ReplyOrder;
}

export interface SearchInput extends ListInput {
  readonly query: string;
  readonly feed: SearchFeed;
}

type ListFormats = readonly (typeof TIMELINE_FORMATS)[number][];

const LIST_PARAMETERS = ['format', 'limit', 'cursor', 'max_tokens'] as const satisfies readonly ParameterName[];
const POST_LIST_PARAMETERS = [...LIST_PARAMETERS, 'metrics'] as const;

const listInput = (
  reader: ParameterReader,
  list: ListKey | undefined,
  formats: ListFormats,
  findFeed?: FindFeed,
): ListInput | undefined => {
  const format = formatOf(reader, formats, INVALID_FORMAT, findFeed);
  const limit = reader.value('limit') ?? DEFAULT_LIMIT;
  const position = reader.position(list);
  const maxTokens = reader.value('max_tokens');
  return list && definedMembers({ list, limit, format, position, maxTokens });
};

/** A list of accounts ignores `metrics`, also on the alias, whose other lists have it. */
const postListInput: typeof listInput = (reader, ...rest) => {
  const metrics = reader.value('metrics');
  const input = listInput(reader, ...rest);
  return input && definedMembers({ ...input, metrics });
};

const requireHandle = (reader: ParameterReader): string | undefined => {
  const handle = reader.value('handle');
  if (!reader.has('handle')) reader.reject('missing_parameter', 'handle', 'is required');
  return handle;
};

/** @returns the input, and the key of a list with reposts if it is one */
const repostsOf = (reader: ParameterReader): { readonly input: RepostsInput; readonly key: ListKey } => {
  const reposts = reader.value('reposts');
  return { input: definedMembers({ reposts }), key: reposts === 'include' ? ['reposts'] : [] };
};

/** As repostsOf. Only a feed has items that several posts can share. */
const threadsOf = (reader: ParameterReader): { readonly input: ThreadsInput; readonly key: ListKey } => {
  const threads = reader.value('threads');
  const isMerged = threads === 'merged';
  if (isMerged && !FEED_FORMATS.some((format) => format === reader.value('format')))
    reader.reject('invalid_parameter', 'threads', 'is merged, which only feeds are: ask for rss, atom or jsonfeed');
  return { input: definedMembers({ threads }), key: isMerged ? ['threads'] : [] };
};

/** @param name the first part of the list key */
const handleInput =
  (name: 'posts' | 'followers' | 'following') =>
  (reader: ParameterReader, formats: ListFormats): HandleInput | undefined => {
    const handle = requireHandle(reader);
    const read = name === 'posts' ? postListInput : listInput;
    const { input, key } = name === 'posts' ? repostsOf(reader) : { input: {}, key: [] };
    const rest = read(reader, handle === undefined ? undefined : [name, handle.toLowerCase(), ...key], formats);
    return rest && handle !== undefined ? { ...rest, ...input, handle } : undefined;
  };

const requireId = (reader: ParameterReader): Partial<Pick<IdInput, 'id' | 'handle'>> => {
  const handle = reader.value('handle');
  const id = reader.value('id');
  if (!reader.has('id')) reader.reject('missing_parameter', 'id', 'is required');
  return definedMembers({ id, handle });
};

/** @param name the first part of the list key */
const idInput =
  (name: 'quotes' | 'reposts' | 'posts by id' | 'list of X') =>
  (reader: ParameterReader, formats: ListFormats): IdInput | undefined => {
    const { id, ...author } = requireId(reader);
    const read = name === 'reposts' ? listInput : postListInput;
    const { input, key } = name === 'posts by id' ? repostsOf(reader) : { input: {}, key: [] };
    const rest = read(reader, id === undefined ? undefined : [name, id, ...key], formats);
    return rest && id !== undefined ? { ...rest, ...input, ...author, id } : undefined;
  };

const repliesInput = (reader: ParameterReader, formats: ListFormats): RepliesInput | undefined => {
  const { id, ...author } = requireId(reader);
  const order = reader.has('sort') ? reader.value('sort') : 'top';
  const isList = id !== undefined && order !== undefined;
  const rest = postListInput(reader, isList ? ['replies', order, id] : undefined, formats);
  return rest && isList ? { ...rest, ...author, id, order } : undefined;
};

const periodOf = (reader: ParameterReader): Period | undefined => {
  const since = reader.value('since');
  const until = reader.value('until');
  if ((reader.has('since') && since === undefined) || (reader.has('until') && until === undefined)) return undefined;
  if (since !== undefined && until !== undefined && since >= until)
    reader.reject('invalid_parameter', 'until', 'must be later than since');
  return definedMembers({ since, until });
};

/** @param name the first part of the list key @param owner a further part and the member; undefined: invalid */
const timelineOf = <Owner extends object>(
  reader: ParameterReader,
  formats: ListFormats,
  name: 'timeline' | 'merged',
  owner: readonly [key: string, member: Owner] | undefined,
): (Omit<ProfilePostsInput, 'handle'> & Owner) | undefined => {
  const kind = reader.has('kind') ? reader.value('kind') : 'posts';
  const period = periodOf(reader);
  const isList = owner !== undefined && kind !== undefined && period !== undefined;
  const { since = '', until = '' } = period ?? {};
  const { input, key } = repostsOf(reader);
  const { input: threads, key: threadsKey } = threadsOf(reader);
  const list = isList ? [name, kind, owner[0], String(since), String(until), ...key, ...threadsKey] : undefined;
  const rest = postListInput(reader, list, formats);
  return rest && isList ? { ...rest, ...input, ...threads, ...period, ...owner[1], kind } : undefined;
};

const profilePostsInput = (reader: ParameterReader, formats: ListFormats): ProfilePostsInput | undefined => {
  const handle = requireHandle(reader);
  const owner = handle === undefined ? undefined : ([handle.toLowerCase(), { handle }] as const);
  return timelineOf(reader, formats, 'timeline', owner);
};

const mergedTimelineInput = (reader: ParameterReader, formats: ListFormats): MergedTimelineInput | undefined => {
  const handles = reader.value('handles');
  if (!reader.has('handles')) reader.reject('missing_parameter', 'handles', 'is required');
  return timelineOf(reader, formats, 'merged', handles && [handles.join(','), { handles }]);
};

/** A search for accounts has no feed. The search for posts has one. */
const feedOfSearch: FindFeed = (format) => (format === 'rss' ? '/search/rss?q=' : `/search?q=&format=${format}`);

const searchInput = (reader: ParameterReader, formats: ListFormats): SearchInput | undefined => {
  const query = reader.value('q');
  if (!reader.has('q')) reader.reject('missing_query', 'q', 'is required');
  const hasFeed = reader.has('feed');
  const feed = hasFeed ? reader.value('feed') : 'latest';
  const isList = query !== undefined && feed !== undefined;
  // A feed has posts, not accounts.
  const offered = feed === 'users' ? LIST_FORMATS : formats;
  const rest = postListInput(reader, isList ? ['search', feed, query] : undefined, offered, feedOfSearch);
  return rest && isList ? { ...rest, query, feed } : undefined;
};

export const listInputs = {
  profile: defineInput(['handle', 'reposts', ...POST_LIST_PARAMETERS], DATA_FORMATS, handleInput('posts')),
  profileById: defineInput(['id', 'reposts', ...POST_LIST_PARAMETERS], DATA_FORMATS, idInput('posts by id')),
  followers: defineInput(['handle', ...LIST_PARAMETERS], LIST_FORMATS, handleInput('followers')),
  following: defineInput(['handle', ...LIST_PARAMETERS], FOLLOWING_FORMATS, handleInput('following')),
  profilePosts: defineInput(
    ['handle', 'kind', 'reposts', 'threads', 'since', 'until', ...POST_LIST_PARAMETERS],
    POST_LIST_FORMATS,
    profilePostsInput,
  ),
  timeline: defineInput(
    ['handles', 'kind', 'reposts', 'threads', 'since', 'until', ...POST_LIST_PARAMETERS],
    TIMELINE_FORMATS,
    mergedTimelineInput,
  ),
  xList: defineInput(['id', ...POST_LIST_PARAMETERS], POST_LIST_FORMATS, idInput('list of X')),
  replies: defineInput(['id', 'sort', ...POST_LIST_PARAMETERS], LIST_FORMATS, repliesInput),
  quotes: defineInput(['id', ...POST_LIST_PARAMETERS], LIST_FORMATS, idInput('quotes')),
  reposts: defineInput(['id', ...LIST_PARAMETERS], LIST_FORMATS, idInput('reposts')),
  search: defineInput(['q', 'feed', ...POST_LIST_PARAMETERS], POST_LIST_FORMATS, searchInput),
} as const;
