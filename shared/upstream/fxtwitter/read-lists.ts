// Lists: a profile's posts, follows, searches. Pages are short or empty as they please; what ends a list is its cursor.
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { Outcome, PageRequest } from '../../ports.ts';
import type { Fetched } from '../exchange.ts';
import type { Provider, ProviderOptions, RawPage } from '../providers.ts';
import { list, type RawRecord, record, text } from '../wire.ts';
import { codeOf } from './code.ts';
import { postMapper } from './map.ts';
import { mapUser } from './map-user.ts';

/** X's mark of the end in lists of accounts, as far as it is known: believed only of a page that is empty as well. */
const LAST_FOLLOWS = /^0\|/;

const nextOf = (body: RawRecord, isEmpty: boolean): string | undefined => {
  const cursor = record(body['cursor']);
  const bottom = text(cursor?.['bottom']);
  // Nothing between the two ends: this is all there is.
  const isEnd = isEmpty && bottom !== undefined && (bottom === cursor?.['top'] || LAST_FOLLOWS.test(bottom));
  return isEnd ? undefined : bottom;
};

type Items<T> = (body: RawRecord) => readonly T[] | undefined;

const results =
  <T>(mapAll: (entries: readonly unknown[]) => readonly T[]): Items<T> =>
  (body) =>
    Array.isArray(body['results']) ? mapAll(body['results']) : undefined;

const users = (entries: readonly unknown[]): User[] =>
  entries.flatMap((entry) => {
    const user = mapUser(entry);
    return user === undefined ? [] : [user];
  });

/** Posts, and those of modules that group a thread. What cannot be read has no place in a list. */
const posts =
  (now: number) =>
  (entries: readonly unknown[]): Post[] => {
    const mapper = postMapper(now);
    return entries.flatMap((entry): Post[] => {
      const raw = record(entry);
      if (raw === undefined || raw['type'] === 'tombstone') return [];
      const post = mapper.post(raw);
      return post === undefined ? [] : [post];
    });
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
  if (fetched.kind !== 'answer') return fetched;
  const body = record(fetched.json);
  if (body === undefined) return { kind: 'failed', why: `no JSON object, status ${fetched.status}` };
  const code = codeOf(fetched.status, body);
  if (code === 404) return notFound;
  if (code === 400) return badRequest;
  if (code >= 500 || code === 429) return { kind: 'down', why: `code ${code}` };
  const found = code === 200 ? items(body) : undefined;
  if (found === undefined) return { kind: 'failed', why: `code ${code} without a list` };
  const isEmpty = list(body['results']).length === 0;
  const next = nextOf(body, isEmpty);
  const value = { items: found, ...(next !== undefined && { next }) };
  return { kind: 'found', value, source, fetchedAt: clock(), warnings: [] };
};

const queryOf = (facts: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');

const paging = ({ size, cursor }: Pick<PageRequest, 'size' | 'cursor'>) => ({ count: size, cursor });

/** A profile's own posts: the provider leaves out replies to others unless they are asked for. */
export const postsReader =
  (options: ProviderOptions): NonNullable<Provider['listPosts']> =>
  async ({ handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/statuses?${queryOf(paging(page))}`;
    return interpret(await options.http.get(url, budget), results(posts(options.clock())), LIST, options);
  };

export const followsReader =
  (options: ProviderOptions): NonNullable<Provider['listFollows']> =>
  async ({ list: name, handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/${name}?${queryOf(paging(page))}`;
    return interpret(await options.http.get(url, budget), results(users), LIST, options);
  };

export const postSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchPosts']> =>
  async ({ query, feed }, page, budget) => {
    const url = `${options.baseUrl}/2/search?${queryOf({ q: query, feed, ...paging(page) })}`;
    return interpret(await options.http.get(url, budget), results(posts(options.clock())), SEARCH, options);
  };

/** What X suggests while one types: a handful of accounts, without pages. */
export const userSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchUsers']> =>
  async ({ query }, _page, budget) => {
    const url = `${options.baseUrl}/2/typeahead?${queryOf({ q: query, result_type: 'users' })}`;
    const suggested: Items<User> = (body) => (Array.isArray(body['users']) ? users(body['users']) : undefined);
    return interpret(await options.http.get(url, budget), suggested, SEARCH, options);
  };
