// Interprets responses of FxTwitter with one page of a list. A page can be short or empty; only the cursor ends a list.
import type { QueryKind } from '../../contract/query-kinds.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { Outcome, PageRequest } from '../../ports/upstream.ts';
import { getInterpreted } from '../base-urls.ts';
import type { FetchResult } from '../http-request.ts';
import type { CallBudget, Query } from '../json-client.ts';
import { asArray, asText } from '../json-readers.ts';
import type { ProviderOptions, ProviderPage } from '../provider.ts';
import { createFxTwitterPostMapper } from './map-post.ts';
import { mapUser } from './map-user.ts';
import { parseFxTwitterResponse } from './response.ts';

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

export const posts = (now: number): ItemKind<Post> => {
  const mapper = createFxTwitterPostMapper(now);
  return {
    is: ({ type }) => POSTS.includes(type),
    map: (entry) => {
      const raw = asRecord(entry);
      return raw?.['type'] === 'status' ? mapper.post(raw) : undefined;
    },
  };
};

export interface StatusMeaning {
  /** The outcomes of a 404 and of a 400. */
  readonly notFound: Outcome<never>;
  readonly badRequest: Outcome<never>;
}

/** The 404 of an unknown user, of a suspended user and of an outage are equal. */
export const LIST: StatusMeaning = { notFound: { kind: 'ambiguous' }, badRequest: { kind: 'failed', why: 'code 400' } };
/** A search without results is a 200, so a 404 is an outage. A 400 means that the query is invalid. */
export const SEARCH: StatusMeaning = {
  notFound: { kind: 'down', why: 'code 404' },
  badRequest: { kind: 'refused', why: 'code 400' },
};

const pageOutcome = <T>(
  fetched: FetchResult,
  readItems: ReadItems<T>,
  { notFound, badRequest }: StatusMeaning,
  { source, clock }: Pick<ProviderOptions, 'source' | 'clock'>,
): Outcome<ProviderPage<T>> => {
  const response = parseFxTwitterResponse(fetched);
  if (response.kind !== 'response') return response;
  const { code, body } = response;
  if (code === 404) return notFound;
  if (code === 400) return badRequest;
  const found = code === 200 ? readItems(body) : undefined;
  if (found === undefined) return { kind: 'failed', why: `code ${code} without a list` };
  const next = nextOf(body, asArray(body['results']).length === 0);
  const value = { items: found, ...(next !== undefined && { next }) };
  return { kind: 'found', value, source, fetchedAt: clock(), warnings: [] };
};

/** Requests a page of a list. */
export const readPage = <T>(
  options: ProviderOptions<'fxtwitter'>,
  query: Query<QueryKind<'fxtwitter'>>,
  budget: CallBudget,
  readItems: ReadItems<T>,
  meaning: StatusMeaning,
): Promise<Outcome<ProviderPage<T>>> =>
  getInterpreted(options.http, query, budget, (fetched) => pageOutcome(fetched, readItems, meaning, options));

export const pageParameters = ({ size, cursor }: Pick<PageRequest, 'size' | 'cursor'>) => ({ count: size, cursor });
