// Declares a provider. A provider has a method for each of its capabilities. Methods do not throw on purpose; the fallback
// catches exceptions of mappers.
import type { Conversation } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { User } from '../model/user.ts';
import type { UserName } from '../model/user-name.ts';
import type { PaidRows } from '../ports/paid-rows.ts';
import type {
  FailedOutcome,
  Outcome,
  PageRequest,
  PostListRequest,
  PostRequest,
  UpstreamPage,
  UserListRequest,
} from '../ports/upstream.ts';
import type { CallBudget, JsonClient } from './json-client.ts';

/** One page of a provider, without the name of the provider. */
export type ProviderPage<T> = Pick<UpstreamPage<T>, 'items' | 'others' | 'next'>;

export type ReadListPage<Request, T> = (
  request: Request,
  page: Pick<PageRequest, 'cursor' | 'size'>,
  budget: CallBudget,
) => Promise<Outcome<ProviderPage<T>>>;

export interface ProviderOptions {
  readonly baseUrl: string;
  /** The name of the source in bodies. */
  readonly source: string;
  readonly http: JsonClient;
  /** Milliseconds since the epoch, for the instants of answers. */
  readonly clock: () => number;
  /** Unset: the provider bills no rows, or there is no ceiling. */
  readonly paidRows?: PaidRows | undefined;
}

/** A post and a profile that are known to exist and to be public. */
export interface Canaries {
  /** Id of a post. */
  readonly post: string;
  /** Handle of a profile. */
  readonly profile: string;
}

/** A cursor that the provider did not make. */
export const NOT_A_CURSOR: FailedOutcome = { kind: 'refused', why: 'not a cursor of this provider' };

/** A provider with known capabilities. */
export type ProviderWith<Capability extends keyof Provider> = Provider & Required<Pick<Provider, Capability>>;

export interface Provider {
  /** Rounds the number of requested items to a size of the provider. Few sizes make more requests equal for the cache. */
  pageSize?(requested: number): number;
  readPost?(request: PostRequest, budget: CallBudget): Promise<Outcome<Conversation>>;
  readProfile?(name: UserName, budget: CallBudget): Promise<Outcome<User>>;
  /** Refuses a request that the provider cannot answer, such as a period that it does not reach. */
  listPosts?: ReadListPage<Extract<PostListRequest, { list: 'posts' }>, Post>;
  searchPosts?: ReadListPage<Extract<PostListRequest, { list: 'search' }>, Post>;
  listReplies?: ReadListPage<Extract<PostListRequest, { list: 'replies' }>, Post>;
  listQuotes?: ReadListPage<Extract<PostListRequest, { list: 'quotes' }>, Post>;
  listFollows?: ReadListPage<Extract<UserListRequest, { list: 'followers' | 'following' }>, User>;
  searchUsers?: ReadListPage<Extract<UserListRequest, { list: 'users' }>, User>;
  listReposts?: ReadListPage<Extract<UserListRequest, { list: 'reposts' }>, User>;
}
