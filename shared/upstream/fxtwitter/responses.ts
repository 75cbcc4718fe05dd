// Interprets responses of FxTwitter: a JSON object with a code, and one page of a list, or a post with its conversation or
// the reason why it cannot be read.
import type { QueryKind } from '../../contract/providers.ts';
import { queryString } from '../../contract/query-string.ts';
import type { ReplyOrder } from '../../model/conversation.ts';
import { isTombstone } from '../../model/conversation.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { byAge } from '../../model/snowflake.ts';
import type { User } from '../../model/user.ts';
import type { FailedOutcome, Outcome, PageRequest } from '../../ports/upstream.ts';
import type { PartialExcerpt } from '../follow-thread.ts';
import type { FetchResult } from '../http-request.ts';
import { type CallBudget, countRepeat } from '../json-client.ts';
import { asArray, asText } from '../json-readers.ts';
import type { ProviderOptions, ProviderPage } from '../provider.ts';
import { failuresOf, UNKNOWN_CURSOR } from './failures.ts';
import { createFxTwitterPostMapper, mapReason, type PostMapper } from './map-post.ts';
import { mapUser } from './map-user.ts';
import { newestPostsPath, providerCode } from './requests.ts';

export interface FxTwitterResponse {
  readonly kind: 'response';
  readonly code: number;
  readonly body: JsonRecord;
}

/** With HTTP status 200 the code in the body counts. */
const codeOf = (status: number, body: JsonRecord): number =>
  status === 200 && typeof body['code'] === 'number' ? body['code'] : status;

export const parseFxTwitterResponse = (fetched: FetchResult): FxTwitterResponse | FailedOutcome => {
  if (fetched.kind !== 'response') return fetched;
  const body = asRecord(fetched.json);
  if (body === undefined) return { kind: 'failed', why: `no JSON object, status ${fetched.status}` };
  const code = codeOf(fetched.status, body);
  return code >= 500 || code === 429 ? { kind: 'down', why: `code ${code}` } : { kind: 'response', code, body };
};

// A page of a list can be short or empty; only the cursor ends a list.

/** The end of a list of accounts, as observed. It counts only if the page is also empty. */
const END_OF_FOLLOWS = /^0\|/;

const nextOf = (body: JsonRecord, isEmpty: boolean): string | undefined => {
  const cursor = asRecord(body['cursor']);
  const bottom = asText(cursor?.['bottom']);
  // Equal cursors for both directions on an empty page also mean the end.
  const isEnd = isEmpty && bottom !== undefined && (bottom === cursor?.['top'] || END_OF_FOLLOWS.test(bottom));
  return isEnd ? undefined : bottom;
};

/** @returns undefined if the body has no list of this kind */
type ReadItems<T> = (body: JsonRecord) => readonly T[] | undefined;

interface ItemKind<T> {
  /** @returns undefined if the entry cannot be shown */
  map(entry: unknown): T | undefined;
  /** @returns true if the entry is of the kind or a placeholder for one */
  is(raw: JsonRecord): boolean;
}

export const listIn =
  <T>(member: 'results' | 'users', { map, is }: ItemKind<T>): ReadItems<T> =>
  (body) => {
    const entries = body[member];
    if (!Array.isArray(entries)) return undefined;
    const isOfKind = (entry: unknown): boolean => is(asRecord(entry) ?? {});
    return entries.length > 0 && !entries.some(isOfKind)
      ? undefined
      : entries.flatMap((entry) => (isOfKind(entry) ? (map(entry) ?? []) : []));
  };

export const users: ItemKind<User> = { map: mapUser, is: (raw) => 'screen_name' in raw };

/** X suggests accounts without their counts. FxTwitter fills the gaps with zeros. */
export const suggestedUsers: ItemKind<User> = {
  ...users,
  map: (entry) =>
    mapUser({ ...asRecord(entry), followers: null, following: null, statuses: null, likes: null, media_count: null }),
};

/** Lists of posts also have tombstones and modules that group a thread. */
const POSTS: readonly unknown[] = ['status', 'tombstone', 'thread'];

const posts = (now: number): ItemKind<Post> => {
  const mapper = createFxTwitterPostMapper(now);
  return {
    is: ({ type }) => POSTS.includes(type),
    map: (entry) => {
      const raw = asRecord(entry);
      return raw?.['type'] === 'status' ? mapper.post(raw) : undefined;
    },
  };
};

const pageOutcome = <T>(
  fetched: FetchResult,
  readItems: ReadItems<T>,
  { kind, parameters: { cursor } }: ListQuery,
  { source, clock }: Pick<ProviderOptions, 'source' | 'clock'>,
): Outcome<ProviderPage<T>> => {
  const { notFound, badRequest } = failuresOf(kind);
  const response = parseFxTwitterResponse(fetched);
  if (response.kind !== 'response') return response;
  const { code, body } = response;
  if (code === 404) return notFound;
  if (code === 400) return cursor === undefined ? badRequest : UNKNOWN_CURSOR;
  const found = code === 200 ? readItems(body) : undefined;
  if (found === undefined) return { kind: 'failed', why: `code ${code} without a list` };
  const next = nextOf(body, asArray(body['results']).length === 0);
  const value = { items: found, ...(next !== undefined && { next }) };
  return { kind: 'found', value, source, fetchedAt: clock(), warnings: [] };
};

interface ListQuery {
  readonly kind: QueryKind<'fxtwitter'>;
  /** Below `/2/`. */
  readonly path: string;
  readonly parameters: Parameters<typeof queryString>[0];
}

/** Requests a page of a list. */
export const readProviderPage = async <T>(
  options: ProviderOptions<'fxtwitter'>,
  query: ListQuery,
  budget: CallBudget,
  readItems: ReadItems<T>,
): Promise<Outcome<ProviderPage<T>>> => {
  const { kind, path, parameters } = query;
  const url = `${options.baseUrl}/2/${path}?${queryString(parameters)}`;
  return pageOutcome(await options.http.get({ kind, url }, budget), readItems, query, options);
};

const readJudgedPage = async (
  options: ProviderOptions<'fxtwitter'>,
  query: ListQuery,
  budget: CallBudget,
): Promise<Outcome<ProviderPage<Post>>> => {
  const { baseUrl, http, clock, freshness } = options;
  const { kind, parameters } = query;
  const readItems = listIn('results', posts(clock()));
  const outcome = await readProviderPage(options, query, budget, readItems);
  const path = freshness && newestPostsPath(kind, freshness.profile);
  if (freshness === undefined || path === undefined) return outcome;
  const askNewest = async (): Promise<Outcome<ProviderPage<Post>>> => {
    const limits: CallBudget = { deadline: budget.deadline, calls: { retries: 0, record: budget.calls.record } };
    const fetched = await http.get({ kind, url: `${baseUrl}/2/${path}` }, limits);
    return pageOutcome(fetched, readItems, { kind, path, parameters: {} }, options);
  };
  const { cursor, feed = 'latest' } = parameters;
  return freshness.judge(kind, outcome, cursor === undefined && feed === 'latest' ? askNewest : undefined);
};

/**
 * Requests a page of posts, and finds out if its kind of query is frozen. With a language, FxTwitter adds the translations that
 * X sends with the posts, and asks no translator. A page that fails so is requested without it.
 *
 * @param lang a language of languages.ts; undefined: no translations
 */
export const readPostPage = async (
  options: ProviderOptions<'fxtwitter'>,
  query: ListQuery,
  budget: CallBudget,
  lang?: string,
): Promise<Outcome<ProviderPage<Post>>> => {
  if (lang === undefined) return readJudgedPage(options, query, budget);
  const translated = { ...query, parameters: { ...query.parameters, lang: providerCode(lang) } };
  const outcome = await readJudgedPage(options, translated, { ...budget, isLast: false });
  const mayBeOfLanguage = outcome.kind === 'failed' || outcome.kind === 'down' || outcome.kind === 'refused';
  if (!mayBeOfLanguage || budget.hasNextBaseUrl) return outcome;
  countRepeat(budget.calls);
  return readJudgedPage(options, query, budget);
};

export const pageParameters = ({ size, cursor }: Pick<PageRequest, 'size' | 'cursor'>) => ({ count: size, cursor });

/** Reads a page of a search for posts, latest first. @param q has nothing of the caller that can be invalid */
export const searchLatest = async (
  options: ProviderOptions<'fxtwitter'>,
  q: string,
  {
    size,
    token,
    lang,
  }: { readonly size: number; readonly token?: string | undefined; readonly lang?: string | undefined },
  budget: CallBudget,
): Promise<Outcome<ProviderPage<Post>>> => {
  const parameters = { q, feed: 'latest', ...pageParameters({ size, ...(token && { cursor: token }) }) };
  const page = await readPostPage(options, { kind: 'search', path: 'search', parameters }, budget, lang);
  return page.kind === 'refused' && token === undefined ? { kind: 'failed', why: page.why } : page;
};

/** FxTwitter does not accept ids with one digit. The next provider reads these posts. */
export const MIN_ID_DIGITS = 2;

/** The provider returns replies in no defined order. */
export const sortReplies = <T extends PostOrTombstone>(replies: readonly T[], by: ReplyOrder): T[] => {
  const rank = (entry: PostOrTombstone): number =>
    isTombstone(entry) || by === 'recent' ? 0 : (entry.metrics.likes ?? 0);
  return [...replies].sort((a, b) => rank(b) - rank(a) || byAge(b, a));
};

/** @param focal replaces its copy among the entries */
const entriesOf = (value: unknown, mapper: PostMapper, focal: Post): PostOrTombstone[] => {
  const entries: PostOrTombstone[] = [];
  for (const raw of asArray(value)) {
    const entry = asRecord(raw)?.['id'] === focal.id ? focal : mapper.entry(raw);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
};

export interface PostAnswer {
  readonly kind: 'answer';
  readonly post: Post;
  /** Undefined: the response has only the post. */
  readonly excerpt: PartialExcerpt | undefined;
  /** The cursor of the next page of replies; undefined: no more pages, or no response of `/2/conversation`. */
  readonly next: string | undefined;
  readonly readAt: number;
}

/** Only a response of `/2/conversation` has a cursor: null or the cursor of the next page. */
export const nextRepliesOf = ({ cursor }: JsonRecord): string | undefined => asText(asRecord(cursor)?.['bottom']);

const mayHaveMore = (body: JsonRecord): boolean => body['cursor'] === undefined || nextRepliesOf(body) !== undefined;

const excerptOf = (body: JsonRecord, mapper: PostMapper, focal: Post): PartialExcerpt | undefined =>
  Array.isArray(body['thread'])
    ? {
        chain: entriesOf(body['thread'], mapper, focal),
        others: entriesOf(body['replies'], mapper, focal),
        hasMore: mayHaveMore(body),
      }
    : undefined;

const found = (status: JsonRecord, body: JsonRecord, requestedId: string, now: number): PostAnswer | FailedOutcome => {
  const mapper = createFxTwitterPostMapper(now);
  const post = mapper.post(status);
  if (post === undefined) return { kind: 'failed', why: 'post without usable content' };
  // The response to the id of a repost is the original post. Any other id is a fault of the provider.
  if (post.id !== requestedId && post.reposted_by === undefined) return { kind: 'failed', why: 'wrong post' };
  return { kind: 'answer', post, excerpt: excerptOf(body, mapper, post), next: nextRepliesOf(body), readAt: now };
};

/** A tombstone counts only for the requested post. */
const gone = (status: JsonRecord, requestedId: string): FailedOutcome =>
  (asText(status['id']) ?? requestedId) === requestedId
    ? { kind: 'gone', reason: mapReason(status) }
    : { kind: 'failed', why: 'tombstone of another post' };

/** Converts a response to an answer. A 404 without a reason is ambiguous, because an outage also causes it. */
export const interpretConversation = (
  fetched: FetchResult,
  requestedId: string,
  now: number,
  kind: 'status' | 'conversation' | 'translation' = 'conversation',
): PostAnswer | FailedOutcome => {
  const { notFound, badRequest, empty } = failuresOf(kind);
  const response = parseFxTwitterResponse(fetched);
  if (response.kind !== 'response') return response;
  const { code, body } = response;
  const status = asRecord(body['status']);
  if (status?.['type'] === 'tombstone') return gone(status, requestedId);
  if (code === 200 && status !== undefined) return found(status, body, requestedId, now);
  if (code === 401 && body['status'] === null) return { kind: 'gone', reason: 'protected' };
  if (code === 404) return notFound;
  if (code === 400) return badRequest;
  return (code === 200 && empty) || { kind: 'failed', why: `code ${code} without a post` };
};
