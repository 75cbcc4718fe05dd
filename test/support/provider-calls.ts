// Creates providers without a network, and reads lists from them.
import type { Post } from '../../shared/model/post.ts';
import type { User } from '../../shared/model/user.ts';
import type { Outcome, PostListRequest, UserListRequest } from '../../shared/ports/upstream.ts';
import type { FetchResult } from '../../shared/upstream/http-request.ts';
import type { CallBudget, Query } from '../../shared/upstream/json-client.ts';
import type { Provider, ProviderOptions, ProviderPage, ReadPage } from '../../shared/upstream/provider.ts';
import { withIntruders } from './intruders.ts';

export const BASE_URL = 'https://provider.example';

/** A response in JSON. */
export const json = (value: unknown, status = 200): FetchResult => ({
  kind: 'response',
  status,
  json: value,
  isHtml: false,
});

const withIntrudersIn = (fetched: FetchResult): FetchResult =>
  fetched.kind === 'response' ? { ...fetched, json: withIntruders(fetched.json) } : fetched;

/** @param answer called for each request of the provider; each conversation gets posts that do not belong to it */
export const providerCalling = <P>(
  create: (options: ProviderOptions) => P,
  answer: (url: URL, query: Query) => FetchResult,
  now: number,
  source = 'test',
): P =>
  create({
    baseUrl: BASE_URL,
    source,
    clock: () => now,
    http: { get: async (query) => withIntrudersIn(answer(new URL(query.url), query)) },
  });

export type ListRequest = PostListRequest | UserListRequest;

const listsOfUsers: readonly ListRequest['list'][] = ['followers', 'following', 'users', 'reposts'];

const isOfUsers = (request: ListRequest): request is UserListRequest => listsOfUsers.includes(request.list);

/** @returns undefined if the provider has no such list */
export const readList = (
  { listPosts, listUsers }: Provider,
  request: ListRequest,
  page: Parameters<ReadPage<unknown>>[0],
  budget: CallBudget,
): Promise<Outcome<ProviderPage<Post | User>>> | undefined =>
  isOfUsers(request) ? listUsers?.(request)?.(page, budget) : listPosts?.(request)?.(page, budget);
