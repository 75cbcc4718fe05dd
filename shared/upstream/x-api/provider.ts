// Creates the provider for the official X API v2, with the token of the operator. X bills every returned row, so only rows
// that are part of an answer are requested.
import { warning } from '../../contract/warnings.ts';
import type { Warning } from '../../model/conversation.ts';
import { isSameHandle, parseId } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { FailedOutcome, Outcome } from '../../ports/upstream.ts';
import type { CallBudget, QueryKinds } from '../json-client.ts';
import { withMediaWarnings } from '../media.ts';
import type { Canaries, Provider, ProviderOptions, ProviderPage } from '../provider.ts';
import { createXApiPostMapper } from './map-post.ts';
import { mapUser } from './map-user.ts';
import { POST_PARAMETERS, USER_PARAMETERS, type XApiParameters } from './parameters.ts';
import { createPostReader } from './read-post.ts';
import { outcomeWithoutData, parseXApiBody, parseXApiItems, type XApiBody } from './response.ts';

/** The maximum length of a query, including operators that the provider adds. */
const MAX_QUERY_CHARACTERS = 512;

const pageSize = (requested: number, min: number, max: number): string =>
  String(Math.min(Math.max(requested, min), max));

/** Lists are requested by user id. After the first page the cursor has the id: `{id}:{token}`. */
interface ListOwner {
  readonly kind: 'owner';
  readonly owner: string;
  /** The page token of X; unset: the first page. */
  readonly token?: string;
}

const readCursor = (cursor: string): ListOwner | FailedOutcome => {
  const colon = cursor.indexOf(':');
  const owner = parseId(cursor.slice(0, Math.max(colon, 0)));
  const token = cursor.slice(colon + 1);
  return owner === undefined || token === ''
    ? { kind: 'refused', why: 'not a cursor of this provider' }
    : { kind: 'owner', owner, token };
};

const userOf = (body: JsonRecord, handle: string): User | FailedOutcome => {
  const data = asRecord(body['data']);
  if (data === undefined) return outcomeWithoutData(body, handle);
  const user = mapUser(data);
  return user !== undefined && isSameHandle(user.handle, handle) ? user : { kind: 'failed', why: 'wrong profile' };
};

/** Each endpoint is a kind of query, because X limits it separately. Lists have no canary, because X bills every row. */
export const xApiQueryKinds = (baseUrl: string, { post, profile }: Canaries): QueryKinds => {
  const canaryPaths = new Map([
    ['/2/tweets/{id}', `/2/tweets/${post}`],
    ['/2/users/by/username/{username}', `/2/users/by/username/${profile}`],
    ['/2/tweets/search/recent', `/2/tweets/search/recent?query=from%3A${profile}&max_results=10`],
  ]);
  return {
    kindOf: (url) =>
      url
        .slice(baseUrl.length)
        .replace(/\?.*/s, '')
        .replace(/\/[0-9]+(?=\/|$)/g, '/{id}')
        .replace(/(?<=\/username\/).*/, '{username}'),
    canaryUrlOf(kind) {
      const path = canaryPaths.get(kind);
      return path === undefined ? undefined : `${baseUrl}${path}`;
    },
  };
};

/** @param options the client must send the token of the operator */
export const createXApi = ({ baseUrl, source, http, clock }: ProviderOptions): Provider => {
  const call = async (
    path: string,
    parameters: XApiParameters,
    budget: CallBudget,
    badRequest: 'refused' | 'failed' = 'failed',
  ): Promise<XApiBody | FailedOutcome> =>
    parseXApiBody(await http.get(`${baseUrl}${path}?${new URLSearchParams(parameters)}`, budget), badRequest);

  const found = <T>(value: T, fetchedAt: number, warnings: readonly Warning[] = []): Outcome<T> => ({
    kind: 'found',
    value,
    source,
    fetchedAt,
    warnings,
  });

  const readProfile = async (handle: string, budget: CallBudget): Promise<Outcome<User>> => {
    const answer = await call(`/2/users/by/username/${handle}`, USER_PARAMETERS, budget);
    if (answer.kind !== 'body') return answer;
    const user = userOf(answer.body, handle);
    return 'kind' in user ? user : found(user, clock());
  };

  const resolveOwner = async (
    handle: string,
    cursor: string | undefined,
    budget: CallBudget,
  ): Promise<ListOwner | FailedOutcome> => {
    if (cursor !== undefined) return readCursor(cursor);
    const profile = await readProfile(handle, budget);
    if (profile.kind !== 'found') return profile;
    const { id, protected: isProtected } = profile.value;
    if (isProtected === true) return { kind: 'gone', reason: 'protected' };
    return id === undefined ? { kind: 'failed', why: 'profile without id' } : { kind: 'owner', owner: id };
  };

  const listOf = async <T>(
    { handle, path, parameters }: { handle: string; path: string; parameters: XApiParameters },
    cursor: string | undefined,
    budget: CallBudget,
    mapItems: (items: readonly unknown[], body: JsonRecord, now: number) => T[],
  ): Promise<Outcome<ProviderPage<T>>> => {
    const listOwner = await resolveOwner(handle, cursor, budget);
    if (listOwner.kind !== 'owner') return listOwner;
    const { owner, token } = listOwner;
    const pageParameter = token === undefined ? {} : { pagination_token: token };
    const badRequest = token === undefined ? 'failed' : 'refused';
    const answer = await call(`/2/users/${owner}/${path}`, { ...parameters, ...pageParameter }, budget, badRequest);
    if (answer.kind !== 'body') return answer;
    const page = parseXApiItems(answer.body, owner);
    if (page.kind !== 'items') return page;
    const now = clock();
    const next = page.token === undefined ? {} : { next: `${owner}:${page.token}` };
    return found({ items: mapItems(page.items, answer.body, now), ...next }, now);
  };

  return withMediaWarnings<Provider>({
    readProfile,
    readPost: createPostReader({ get: call, found, clock }),
    listPosts({ handle }, { cursor, size }, budget) {
      const filters = { exclude: 'retweets,replies', max_results: pageSize(size, 5, 100) };
      return listOf(
        { handle, path: 'tweets', parameters: { ...POST_PARAMETERS, ...filters } },
        cursor,
        budget,
        mapPosts,
      );
    },
    listFollows({ list: path, handle }, { cursor, size }, budget) {
      const parameters = { ...USER_PARAMETERS, max_results: pageSize(size, 1, 1000) };
      return listOf({ handle, path, parameters }, cursor, budget, mapUsers);
    },
    async searchPosts({ query, feed }, { cursor, size }, budget) {
      const fullQuery = feed === 'media' ? `(${query}) has:media` : query;
      if (fullQuery.length > MAX_QUERY_CHARACTERS)
        return { kind: 'refused', why: `a search of more than ${MAX_QUERY_CHARACTERS} characters` };
      const parameters = {
        ...POST_PARAMETERS,
        query: fullQuery,
        sort_order: feed === 'top' ? 'relevancy' : 'recency',
        max_results: pageSize(size, 10, 100),
        ...(cursor === undefined ? {} : { next_token: cursor }),
      };
      const answer = await call('/2/tweets/search/recent', parameters, budget, 'refused');
      if (answer.kind !== 'body') return answer;
      const page = parseXApiItems(answer.body);
      if (page.kind !== 'items') return page;
      const now = clock();
      const next = page.token === undefined ? {} : { next: page.token };
      return found({ items: mapPosts(page.items, answer.body, now), ...next }, now, [warning('recent_only')]);
    },
  });
};

const mapPosts = (items: readonly unknown[], body: JsonRecord, now: number): Post[] => {
  const mapper = createXApiPostMapper(body['includes'], now);
  return items.flatMap((item) => mapper.post(item) ?? []);
};

const mapUsers = (items: readonly unknown[]): User[] => items.flatMap((item) => mapUser(item) ?? []);
