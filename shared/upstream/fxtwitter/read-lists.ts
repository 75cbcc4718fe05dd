// Lists: a profile's posts, follows, searches. Pages are short or empty as they please; what ends a list is its cursor.
import { queryString } from '../../contract/query-string.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { Outcome, PageRequest } from '../../ports.ts';
import type { Fetched } from '../exchange.ts';
import type { Provider, ProviderOptions, RawPage } from '../providers.ts';
import { list, type RawRecord, record, text } from '../wire.ts';
import { postMapper } from './map.ts';
import { mapUser } from './map-user.ts';
import { replyOf } from './reply.ts';

/** X's mark of the end in lists of accounts, as far as it is known: believed only of a page that is empty as well. */
const LAST_FOLLOWS = /^0\|/;

const nextOf = (body: RawRecord, isEmpty: boolean): string | undefined => {
  const cursor = record(body['cursor']);
  const bottom = text(cursor?.['bottom']);
  // Nothing between the two ends: this is all there is.
  const isEnd = isEmpty && bottom !== undefined && (bottom === cursor?.['top'] || LAST_FOLLOWS.test(bottom));
  return isEnd ? undefined : bottom;
};

/** undefined: there is no list, or one of something else. */
type Items<T> = (body: RawRecord) => readonly T[] | undefined;

interface Kind<T> {
  /** undefined: not to be shown. */
  map(entry: unknown): T | undefined;
  /** Whether it is one of the kind, or stands in the place of one. */
  is(raw: RawRecord): boolean;
}

const listIn =
  <T>(member: 'results' | 'users', { map, is }: Kind<T>): Items<T> =>
  (body) => {
    const entries = body[member];
    if (!Array.isArray(entries)) return undefined;
    const isOfKind = (entry: unknown): boolean => is(record(entry) ?? {});
    return entries.length > 0 && !entries.some(isOfKind)
      ? undefined
      : entries.flatMap((entry) => (isOfKind(entry) ? (map(entry) ?? []) : []));
  };

const users: Kind<User> = { map: mapUser, is: (raw) => 'screen_name' in raw };

/** X puts tombstones and modules that group a thread among posts. */
const POSTS: readonly unknown[] = ['status', 'tombstone', 'thread'];

const posts = (now: number): Kind<Post> => {
  const mapper = postMapper(now);
  return {
    is: ({ type }) => POSTS.includes(type),
    map: (entry) => {
      const raw = record(entry);
      return raw?.['type'] === 'status' ? mapper.post(raw) : undefined;
    },
  };
};

interface Meaning {
  /** Of a 404 and of a 400. */
  readonly notFound: Outcome<never>;
  readonly badRequest: Outcome<never>;
}

/** The same 404 says that the user does not exist, is suspended, or that X did not answer. */
const LIST: Meaning = { notFound: { kind: 'ambiguous' }, badRequest: { kind: 'failed', why: 'code 400' } };
/** A search without hits is 200: a 404 means that X did not answer. A 400 is about what was searched for. */
const SEARCH: Meaning = {
  notFound: { kind: 'down', why: 'code 404' },
  badRequest: { kind: 'refused', why: 'code 400' },
};

const interpret = <T>(
  fetched: Fetched,
  items: Items<T>,
  { notFound, badRequest }: Meaning,
  { source, clock }: ProviderOptions,
): Outcome<RawPage<T>> => {
  const reply = replyOf(fetched);
  if (reply.kind !== 'reply') return reply;
  const { code, body } = reply;
  if (code === 404) return notFound;
  if (code === 400) return badRequest;
  const found = code === 200 ? items(body) : undefined;
  if (found === undefined) return { kind: 'failed', why: `code ${code} without a list` };
  const next = nextOf(body, list(body['results']).length === 0);
  const value = { items: found, ...(next !== undefined && { next }) };
  return { kind: 'found', value, source, fetchedAt: clock(), warnings: [] };
};

const paging = ({ size, cursor }: Pick<PageRequest, 'size' | 'cursor'>) => ({ count: size, cursor });

/** A profile's own posts: the provider leaves out replies to others unless they are asked for. */
export const postsReader =
  (options: ProviderOptions): NonNullable<Provider['listPosts']> =>
  async ({ handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/statuses?${queryString(paging(page))}`;
    return interpret(await options.http.get(url, budget), listIn('results', posts(options.clock())), LIST, options);
  };

export const followsReader =
  (options: ProviderOptions): NonNullable<Provider['listFollows']> =>
  async ({ list: name, handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/${name}?${queryString(paging(page))}`;
    return interpret(await options.http.get(url, budget), listIn('results', users), LIST, options);
  };

export const postSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchPosts']> =>
  async ({ query, feed }, page, budget) => {
    const url = `${options.baseUrl}/2/search?${queryString({ q: query, feed, ...paging(page) })}`;
    return interpret(await options.http.get(url, budget), listIn('results', posts(options.clock())), SEARCH, options);
  };

/** What X suggests while one types: a handful of accounts, without pages. */
export const userSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchUsers']> =>
  async ({ query }, _page, budget) => {
    const url = `${options.baseUrl}/2/typeahead?${queryString({ q: query, result_type: 'users' })}`;
    return interpret(await options.http.get(url, budget), listIn('users', users), SEARCH, options);
  };
