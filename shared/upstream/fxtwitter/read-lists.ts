// Lists: a profile's posts, follows, searches. Pages are short or empty as they please; what ends a list is its cursor.
import { queryString } from '../../contract/query-string.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { Outcome, PageRequest } from '../../ports/upstream.ts';
import type { FetchResult } from '../http-request.ts';
import { asArray, asText } from '../json-readers.ts';
import type { Provider, ProviderOptions, ProviderPage } from '../provider.ts';
import { createFxTwitterPostMapper } from './map-post.ts';
import { mapUser } from './map-user.ts';
import { parseFxTwitterResponse } from './response.ts';

/** X's mark of the end in lists of accounts, as far as it is known: believed only of a page that is empty as well. */
const LAST_FOLLOWS = /^0\|/;

const nextOf = (body: JsonRecord, isEmpty: boolean): string | undefined => {
  const cursor = asRecord(body['cursor']);
  const bottom = asText(cursor?.['bottom']);
  // Nothing between the two ends: this is all there is.
  const isEnd = isEmpty && bottom !== undefined && (bottom === cursor?.['top'] || LAST_FOLLOWS.test(bottom));
  return isEnd ? undefined : bottom;
};

/** undefined: there is no list, or one of something else. */
type Items<T> = (body: JsonRecord) => readonly T[] | undefined;

interface Kind<T> {
  /** undefined: not to be shown. */
  map(entry: unknown): T | undefined;
  /** Whether it is one of the kind, or stands in the place of one. */
  is(raw: JsonRecord): boolean;
}

const listIn =
  <T>(member: 'results' | 'users', { map, is }: Kind<T>): Items<T> =>
  (body) => {
    const entries = body[member];
    if (!Array.isArray(entries)) return undefined;
    const isOfKind = (entry: unknown): boolean => is(asRecord(entry) ?? {});
    return entries.length > 0 && !entries.some(isOfKind)
      ? undefined
      : entries.flatMap((entry) => (isOfKind(entry) ? (map(entry) ?? []) : []));
  };

const users: Kind<User> = { map: mapUser, is: (raw) => 'screen_name' in raw };

/** X puts tombstones and modules that group a thread among posts. */
const POSTS: readonly unknown[] = ['status', 'tombstone', 'thread'];

const posts = (now: number): Kind<Post> => {
  const mapper = createFxTwitterPostMapper(now);
  return {
    is: ({ type }) => POSTS.includes(type),
    map: (entry) => {
      const raw = asRecord(entry);
      return raw?.['type'] === 'status' ? mapper.post(raw) : undefined;
    },
  };
};

interface StatusMeaning {
  /** Of a 404 and of a 400. */
  readonly notFound: Outcome<never>;
  readonly badRequest: Outcome<never>;
}

/** The same 404 says that the user does not exist, is suspended, or that X did not answer. */
const LIST: StatusMeaning = { notFound: { kind: 'ambiguous' }, badRequest: { kind: 'failed', why: 'code 400' } };
/** A search without hits is 200: a 404 means that X did not answer. A 400 is about what was searched for. */
const SEARCH: StatusMeaning = {
  notFound: { kind: 'down', why: 'code 404' },
  badRequest: { kind: 'refused', why: 'code 400' },
};

const outcomeOf = <T>(
  fetched: FetchResult,
  items: Items<T>,
  { notFound, badRequest }: StatusMeaning,
  { source, clock }: ProviderOptions,
): Outcome<ProviderPage<T>> => {
  const reply = parseFxTwitterResponse(fetched);
  if (reply.kind !== 'response') return reply;
  const { code, body } = reply;
  if (code === 404) return notFound;
  if (code === 400) return badRequest;
  const found = code === 200 ? items(body) : undefined;
  if (found === undefined) return { kind: 'failed', why: `code ${code} without a list` };
  const next = nextOf(body, asArray(body['results']).length === 0);
  const value = { items: found, ...(next !== undefined && { next }) };
  return { kind: 'found', value, source, fetchedAt: clock(), warnings: [] };
};

const paging = ({ size, cursor }: Pick<PageRequest, 'size' | 'cursor'>) => ({ count: size, cursor });

/** A profile's own posts: the provider leaves out replies to others unless they are asked for. */
export const createPostsReader =
  (options: ProviderOptions): NonNullable<Provider['listPosts']> =>
  async ({ handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/statuses?${queryString(paging(page))}`;
    return outcomeOf(await options.http.get(url, budget), listIn('results', posts(options.clock())), LIST, options);
  };

export const createFollowsReader =
  (options: ProviderOptions): NonNullable<Provider['listFollows']> =>
  async ({ list: name, handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/${name}?${queryString(paging(page))}`;
    return outcomeOf(await options.http.get(url, budget), listIn('results', users), LIST, options);
  };

export const createPostSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchPosts']> =>
  async ({ query, feed }, page, budget) => {
    const url = `${options.baseUrl}/2/search?${queryString({ q: query, feed, ...paging(page) })}`;
    return outcomeOf(await options.http.get(url, budget), listIn('results', posts(options.clock())), SEARCH, options);
  };

/** What X suggests while one types: a handful of accounts, without pages. */
export const createUserSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchUsers']> =>
  async ({ query }, _page, budget) => {
    const url = `${options.baseUrl}/2/typeahead?${queryString({ q: query, result_type: 'users' })}`;
    return outcomeOf(await options.http.get(url, budget), listIn('users', users), SEARCH, options);
  };
