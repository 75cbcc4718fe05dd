// Reads lists from the official API.
//
// X requests the lists of a profile by user id, so the first page costs one more call; the cursor of a later page has the
// id. X selects reposts, replies and the period, but neither media nor articles: the page has all posts, of which the use
// case takes those, and X bills the other rows too.
//
// X has no list of replies. A search finds the posts of the conversation, but only those of the last seven days. The
// conversation of a reply has the id of its first post, so the first page reads the post; later pages have that id and
// the author's handle in their cursor. Of the posts found, the answers to the post are kept; X bills the others too.
// A post that the author wrote in answer to themselves is a part of their thread.
import { warning } from '../../contract/warnings.ts';
import { isSameHandle, parseId } from '../../model/handle.ts';
import type { JsonRecord } from '../../model/json.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import type {
  FailedOutcome,
  Outcome,
  PageRequest,
  PostListRequest,
  TimelineRequest,
  UserListRequest,
} from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import { NOT_A_CURSOR, type ProviderPage, type ReadPage } from '../provider.ts';
import {
  POST_PARAMETERS,
  parseXApiItems,
  USER_PARAMETERS,
  type XApiClient,
  type XApiParameters,
  type XApiQuery,
} from './client.ts';
import { createXApiPostMapper, mapUser } from './map-post.ts';
import type { XApi } from './provider.ts';
import { readPostBody } from './read-post.ts';

export interface ListCall<T> {
  readonly query: XApiQuery;
  readonly parameters: XApiParameters;
  /** The parameter that has the token of the page. @default `pagination_token` */
  readonly tokenParameter?: 'pagination_token' | 'next_token';
  /** Unset: the first page. */
  readonly token?: string | undefined;
  /** The id of the profile or post whose list it is; unset: a search, which is never gone. */
  readonly owner?: string;
  /** The statuses of the first page that are about a value of the caller. @default none */
  readonly refusals?: readonly number[];
  mapItems(items: readonly unknown[], body: JsonRecord, now: number): readonly T[];
  /** Selects the items that belong to the list. @default all */
  readonly select?: (items: readonly T[]) => Pick<ProviderPage<T>, 'items' | 'others'>;
  /** Turns the token of the next page into the cursor of this provider. @default the token */
  readonly cursorOf?: (token: string) => string;
  readonly warnings?: readonly Warning[];
}

/** X accepts a number of rows only within these bounds. */
export const rowCount = (requested: number, min: number, max: number): string =>
  String(Math.min(Math.max(requested, min), max));

export const readListPage = async <T>(
  { get, found, clock }: XApiClient,
  {
    query,
    parameters,
    tokenParameter = 'pagination_token',
    token,
    owner,
    refusals = [],
    mapItems,
    select,
    cursorOf,
    warnings,
  }: ListCall<T>,
  budget: CallBudget,
): Promise<Outcome<ProviderPage<T>>> => {
  const pageParameters = token === undefined ? {} : { [tokenParameter]: token };
  // A page with a token has a value of the caller.
  const answer = await get(query, { ...parameters, ...pageParameters }, budget, token === undefined ? refusals : [400]);
  if (answer.kind !== 'body') return answer;
  const page = parseXApiItems(answer.body, owner);
  if (page.kind !== 'items') return page;
  const now = clock();
  const next = page.token === undefined ? {} : { next: cursorOf?.(page.token) ?? page.token };
  const items = mapItems(page.items, answer.body, now);
  return found({ ...(select?.(items) ?? { items }), ...next }, now, warnings);
};

export const mapPosts = (items: readonly unknown[], body: JsonRecord, now: number): Post[] => {
  const mapper = createXApiPostMapper(body['includes'], now);
  return items.flatMap((item) => mapper.post(item) ?? []);
};

export const mapUsers = (items: readonly unknown[]): User[] => items.flatMap((item) => mapUser(item) ?? []);

/** The maximum length of a query, including operators that the provider adds. */
const MAX_QUERY_CHARACTERS = 512;

/** The parameter `exclude` of X. */
const excludedBy: Readonly<Record<TimelineKind, readonly string[]>> = {
  posts: ['replies'],
  replies: [],
  media: [],
  articles: ['replies'],
};

/** X rejects earlier times. */
const FIRST_TIME = Date.parse('2010-11-06T00:00:01Z');
/** X rejects later times: a bound has to be at least 10 s in the past. */
const MIN_AGE_MILLISECONDS = 10_000;

/** X knows whole seconds. @param round widens the period: the caller selects by the exact time */
const formatTime = (milliseconds: number, round: (seconds: number) => number): string =>
  `${new Date(round(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** X takes `start_time` as inclusive and `end_time` as exclusive. Without them the caller selects by time alone. */
const periodParameters = ({ since, until }: TimelineRequest, now: number): XApiParameters => {
  const isAccepted = (time: number | undefined): time is number =>
    time !== undefined && time >= FIRST_TIME && time <= now - MIN_AGE_MILLISECONDS;
  return {
    ...(isAccepted(since) && { start_time: formatTime(since, Math.floor) }),
    ...(isAccepted(until) && { end_time: formatTime(until, Math.ceil) }),
  };
};

/** A page of the list of a profile. Its cursor is `{id}:{token}`. */
interface OwnedPage {
  readonly kind: 'owned';
  readonly owner: string;
  /** The page token of X; unset: the first page. */
  readonly token?: string;
}

const readOwnedCursor = (cursor: string): OwnedPage | FailedOutcome => {
  const colon = cursor.indexOf(':');
  const owner = parseId(cursor.slice(0, Math.max(colon, 0)));
  const token = cursor.slice(colon + 1);
  return owner === undefined || token === '' ? NOT_A_CURSOR : { kind: 'owned', owner, token };
};

/** A page of replies. Its cursor is `{conversation id}:{handle}:{token}`. */
interface ConversationPage {
  readonly kind: 'conversation';
  readonly id: string;
  /** The handle of the post's author; empty: not known. */
  readonly author: string;
  /** The page token of X; unset: the first page. */
  readonly token?: string;
}

const CONVERSATION_CURSOR = /^([0-9]+):([A-Za-z0-9_]{0,30}):(.+)$/s;

const readConversationCursor = (cursor: string): ConversationPage | FailedOutcome => {
  const [, conversation = '', author, token] = CONVERSATION_CURSOR.exec(cursor) ?? [];
  const id = parseId(conversation);
  return id === undefined || author === undefined || token === undefined
    ? NOT_A_CURSOR
    : { kind: 'conversation', id, author, token };
};

export const createListReaders = (
  client: XApiClient,
  readProfile: (handle: string, budget: CallBudget) => Promise<Outcome<User>>,
): Pick<XApi, 'readPosts' | 'readUsers'> => {
  const resolveOwner = async (
    handle: string,
    cursor: string | undefined,
    budget: CallBudget,
  ): Promise<OwnedPage | FailedOutcome> => {
    if (cursor !== undefined) return readOwnedCursor(cursor);
    const profile = await readProfile(handle, budget);
    if (profile.kind !== 'found') return profile;
    const { id, protected: isProtected } = profile.value;
    if (isProtected === true) return { kind: 'gone', reason: 'protected' };
    return id === undefined ? { kind: 'failed', why: 'profile without id' } : { kind: 'owned', owner: id };
  };

  const ofId = <T>(
    owner: string,
    kind: XApiQuery['kind'],
    call: Pick<ListCall<T>, 'parameters' | 'mapItems' | 'refusals'>,
    token: string | undefined,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<T>>> =>
    readListPage(client, { ...call, query: { kind, id: owner }, token, owner }, budget);

  const ofProfile = async <T>(
    handle: string,
    kind: XApiQuery['kind'],
    call: Pick<ListCall<T>, 'parameters' | 'mapItems'>,
    cursor: string | undefined,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<T>>> => {
    const page = await resolveOwner(handle, cursor, budget);
    if (page.kind !== 'owned') return page;
    const { owner, token } = page;
    const query = { kind, id: owner };
    const cursorOf = (next: string) => `${owner}:${next}`;
    return readListPage(client, { ...call, query, token, owner, cursorOf }, budget);
  };

  const readTimeline = async (
    request: TimelineRequest,
    { cursor, size }: Pick<PageRequest, 'cursor' | 'size'>,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> => {
    const { kind, until, handle, reposts, threads } = request;
    const exclude = [...(reposts ? [] : ['retweets']), ...(threads ? [] : excludedBy[kind])].join(',');
    if (until !== undefined && until <= FIRST_TIME)
      return { kind: 'refused', why: 'X has no timelines before November 2010' };
    const parameters = {
      ...POST_PARAMETERS,
      ...(exclude !== '' && { exclude }),
      max_results: rowCount(size, 5, 100),
      ...periodParameters(request, client.clock()),
    };
    return ofProfile(handle, '/2/users/{id}/tweets', { parameters, mapItems: mapPosts }, cursor, budget);
  };

  const search = (
    query: string,
    order: 'top' | 'latest',
    { size, token }: { readonly size: number; readonly token: string | undefined },
    more: Pick<ListCall<Post>, 'refusals' | 'select' | 'cursorOf'>,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> =>
    readListPage(
      client,
      {
        query: { kind: '/2/tweets/search/recent' },
        parameters: {
          ...POST_PARAMETERS,
          query,
          sort_order: order === 'top' ? 'relevancy' : 'recency',
          max_results: rowCount(size, 10, 100),
        },
        tokenParameter: 'next_token',
        token,
        mapItems: mapPosts,
        warnings: [warning('recent_only')],
        ...more,
      },
      budget,
    );

  const findConversation = async (id: string, budget: CallBudget): Promise<ConversationPage | FailedOutcome> => {
    const answer = await client.get({ kind: '/2/tweets/{id}', id }, POST_PARAMETERS, budget);
    const read = answer.kind === 'body' ? readPostBody(answer.body, id, client.clock()) : answer;
    if (read.kind !== 'read') return read;
    const { conversation_id: conversation = id, author } = read.post;
    return { kind: 'conversation', id: conversation, author: author?.handle ?? '' };
  };

  const readReplies = async (
    { id, order }: Extract<PostListRequest, { list: 'replies' }>,
    { cursor, size }: Pick<PageRequest, 'cursor' | 'size'>,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> => {
    const page = cursor === undefined ? await findConversation(id, budget) : readConversationCursor(cursor);
    if (page.kind !== 'conversation') return page;
    const { id: conversationId, author, token } = page;
    const isReply = ({ author: writer, in_reply_to: answered }: Post): boolean =>
      answered?.id === id && !isSameHandle(writer?.handle, author);
    const select = (posts: readonly Post[]) => ({
      items: posts.filter(isReply),
      others: posts.filter((post) => !isReply(post)).map((post) => post.id),
    });
    const cursorOf = (next: string) => `${conversationId}:${author}:${next}`;
    return search(
      `conversation_id:${conversationId}`,
      order === 'top' ? 'top' : 'latest',
      { size, token },
      { select, cursorOf },
      budget,
    );
  };

  return {
    readPosts(request): ReadPage<Post> {
      switch (request.list) {
        case 'posts':
          return (page, budget) => readTimeline(request, page, budget);
        case 'replies':
          return (page, budget) => readReplies(request, page, budget);
        case 'search':
          return async ({ cursor: token, size }, budget) => {
            const { feed } = request;
            const query = feed === 'media' ? `(${request.query}) has:media` : request.query;
            if (query.length > MAX_QUERY_CHARACTERS)
              return { kind: 'refused', why: `a search of more than ${MAX_QUERY_CHARACTERS} characters` };
            return search(query, feed === 'top' ? 'top' : 'latest', { size, token }, { refusals: [400] }, budget);
          };
        case 'list of X':
          return ({ cursor, size }, budget) => {
            const parameters = { ...POST_PARAMETERS, max_results: rowCount(size, 1, 100) };
            // 403: the plan of the operator has no lists.
            const call = { parameters, mapItems: mapPosts, refusals: [400, 403, 404] };
            return ofId(request.listId, '/2/lists/{id}/tweets', call, cursor, budget);
          };
        case 'quotes':
          return ({ cursor, size }, budget) => {
            const parameters = { ...POST_PARAMETERS, max_results: rowCount(size, 10, 100) };
            const call = { parameters, mapItems: mapPosts };
            return ofId(request.id, '/2/tweets/{id}/quote_tweets', call, cursor, budget);
          };
        default:
          return request satisfies never;
      }
    },
    readUsers(request: UserListRequest): ReadPage<User> | undefined {
      switch (request.list) {
        case 'followers':
        case 'following':
          return ({ cursor, size }, budget) => {
            const parameters = { ...USER_PARAMETERS, max_results: rowCount(size, 1, 1000) };
            const call = { parameters, mapItems: mapUsers };
            return ofProfile(request.handle, `/2/users/{id}/${request.list}`, call, cursor, budget);
          };
        case 'reposts':
          return ({ cursor, size }, budget) => {
            const parameters = { ...USER_PARAMETERS, max_results: rowCount(size, 1, 100) };
            const call = { parameters, mapItems: mapUsers };
            return ofId(request.id, '/2/tweets/{id}/retweeted_by', call, cursor, budget);
          };
        case 'users': // X has no search for accounts
          return undefined;
        default:
          return request satisfies never;
      }
    },
  };
};
