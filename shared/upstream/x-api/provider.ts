// Creates the provider for the official X API v2, with the token of the operator. X bills every returned row, so only rows
// that are part of an answer are requested.
//
// X requests the lists of a profile by user id, so the first page costs one more call; the cursor of a later page has the
// id. X selects reposts, replies and the period, but neither media nor articles: the page has all posts, of which the use
// case takes those, and X bills the other rows too.
//
// X has no list of replies. A search finds the posts of the conversation, but only those of the last seven days. The
// conversation of a reply has the id of its first post, so the first page reads the post; later pages have that id and
// the author's handle in their cursor. Of the posts found, the answers to the post are kept; X bills the others too.
// A post that the author wrote in answer to themselves is a part of their thread.
import { idOfName, isNamed, isSameHandle, parseId, type UserName } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { FailedOutcome, RepliesRequest, TimelineRequest, UserListRequest } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import { withPartWarnings } from '../part-warnings.ts';
import { NOT_A_CURSOR, type Provider, type ProviderOptions, type ReadList, type ReadPage } from '../provider.ts';
import {
  createXApiClient,
  outcomeWithoutData,
  POSTS,
  readListPage,
  searchOf,
  USERS,
  type XApiClient,
  type XApiList,
  type XApiParameters,
  type XApiQuery,
} from './client.ts';
import { mapUser } from './map-post.ts';
import { createPostReader, readPost } from './read-post.ts';

const userOf = (body: JsonRecord, name: UserName): User | FailedOutcome => {
  const data = asRecord(body['data']);
  if (data === undefined) return outcomeWithoutData(body, idOfName(name) ?? name);
  const user = mapUser(data);
  return user !== undefined && isNamed(user, name) ? user : { kind: 'failed', why: 'wrong profile' };
};

type ReadProfile = NonNullable<Provider['readProfile']>;

const createProfileReader =
  (client: XApiClient): ReadProfile =>
  async (name, budget) => {
    const id = idOfName(name);
    const query: XApiQuery =
      id === undefined ? { kind: '/2/users/by/username/{username}', id: name } : { kind: '/2/users/{id}', id };
    const answer = await client.get(query, USERS, {}, budget);
    if (answer.kind !== 'body') return answer;
    const user = userOf(answer.body, name);
    return 'kind' in user ? user : client.found(user, client.clock());
  };

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

/** A list of a profile, whose id is not known before the first page. */
type ProfileList<T> = Omit<XApiList<T>, 'query'> & { readonly kind: XApiQuery['kind'] };

const createProfileLists = (client: XApiClient, readProfile: ReadProfile) => {
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
  return <T>(handle: string, { kind, ...list }: ProfileList<T>): ReadPage<T> =>
    async ({ cursor, size }, budget) => {
      const page = await resolveOwner(handle, cursor, budget);
      if (page.kind !== 'owned') return page;
      const { owner, token } = page;
      const cursorOf = (next: string) => `${owner}:${next}`;
      return readListPage(client, { ...list, query: { kind, id: owner }, cursorOf }, { size, token }, budget);
    };
};

const createRepliesReader = (client: XApiClient): ReadList<RepliesRequest, Post> => {
  const findConversation = async (id: string, budget: CallBudget): Promise<ConversationPage | FailedOutcome> => {
    const read = await readPost(client, id, budget);
    if (read.kind !== 'read') return read;
    const { conversation_id: conversation = id, author } = read.post;
    return { kind: 'conversation', id: conversation, author: author?.handle ?? '' };
  };
  return async ({ id, order }, { cursor, size }, budget) => {
    const page = cursor === undefined ? await findConversation(id, budget) : readConversationCursor(cursor);
    if (page.kind !== 'conversation') return page;
    const { id: conversationId, author, token } = page;
    const isReply = ({ author: writer, in_reply_to: answered }: Post): boolean =>
      answered?.id === id && !isSameHandle(writer?.handle, author);
    const search = searchOf(`conversation_id:${conversationId}`, order === 'top' ? 'relevancy' : 'recency', {
      select: (posts) => ({
        items: posts.filter(isReply),
        others: posts.filter((post) => !isReply(post)).map((post) => post.id),
      }),
      cursorOf: (next) => `${conversationId}:${author}:${next}`,
    });
    return readListPage(client, search, { size, token }, budget);
  };
};

export type XApi = Required<Omit<Provider, 'pageSize' | 'translatePost'>>;

/** @param options the client must send the token of the operator */
export const createXApi = (options: ProviderOptions<'x_api'>): XApi => {
  const client = createXApiClient(options);
  const readProfile = createProfileReader(client);
  const ofProfile = createProfileLists(client, readProfile);
  const readReplies = createRepliesReader(client);
  const read =
    <T>(list: XApiList<T>): ReadPage<T> =>
    ({ cursor: token, size }, budget) =>
      readListPage(client, list, { size, token }, budget);
  const refuse =
    (why: string): ReadPage<Post> =>
    async () => ({ kind: 'refused', why });

  const readTimeline = (request: TimelineRequest): ReadPage<Post> => {
    const { kind, until, handle, reposts, threads } = request;
    if (until !== undefined && until <= FIRST_TIME) return refuse('X has no timelines before November 2010');
    const exclude = [...(reposts ? [] : ['retweets']), ...(threads ? [] : excludedBy[kind])].join(',');
    return ofProfile(handle, {
      items: POSTS,
      kind: '/2/users/{id}/tweets',
      rows: [5, 100],
      parameters: exclude === '' ? {} : { exclude },
      period: periodParameters(request, client.clock()),
    });
  };

  return withPartWarnings<XApi>({
    readProfile,
    readPost: createPostReader(client),
    listPosts(request) {
      switch (request.list) {
        case 'posts':
          return readTimeline(request);
        case 'replies':
          return (page, budget) => readReplies(request, page, budget);
        case 'search': {
          const query = request.feed === 'media' ? `(${request.query}) has:media` : request.query;
          if (query.length > MAX_QUERY_CHARACTERS)
            return refuse(`a search of more than ${MAX_QUERY_CHARACTERS} characters`);
          return read(searchOf(query, request.feed === 'top' ? 'relevancy' : 'recency', { refusals: [400] }));
        }
        case 'list of X': {
          const query = { kind: '/2/lists/{id}/tweets', id: request.listId } as const;
          // 403: the plan of the operator has no lists.
          return read({ items: POSTS, query, rows: [1, 100], refusals: [400, 403, 404] });
        }
        case 'quotes':
          return read({
            items: POSTS,
            query: { kind: '/2/tweets/{id}/quote_tweets', id: request.id },
            rows: [10, 100],
          });
        default:
          return undefined;
      }
    },
    listUsers(request: UserListRequest) {
      switch (request.list) {
        case 'followers':
        case 'following':
          return ofProfile(request.handle, { items: USERS, kind: `/2/users/{id}/${request.list}`, rows: [1, 1000] });
        case 'reposts':
          return read({ items: USERS, query: { kind: '/2/tweets/{id}/retweeted_by', id: request.id }, rows: [1, 100] });
        default: // X has no search for accounts
          return undefined;
      }
    },
  });
};
