// What a provider is to the fallback: what it can do is what it has. All of them never throw.
import type { Conversation } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { User } from '../model/user.ts';
import type { Clock } from '../ports/system.ts';
import type { Outcome, PageRequest, PostListRequest, PostRequest, UserListRequest } from '../ports/upstream.ts';
import type { CallBudget, JsonClient } from './json-client.ts';

/** A page as it came: which provider it is of, its reader knows. */
export interface ProviderPage<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

export type ReadListPage<Request, T> = (
  request: Request,
  page: Pick<PageRequest, 'cursor' | 'size'>,
  budget: CallBudget,
) => Promise<Outcome<ProviderPage<T>>>;

export interface ProviderOptions {
  readonly baseUrl: string;
  /** What bodies name as their source. */
  readonly source: string;
  readonly http: JsonClient;
  readonly clock: Clock;
}

/** What is known to exist, and to be public. */
export interface Canaries {
  /** Id of a post. */
  readonly post: string;
  /** Handle of a profile. */
  readonly profile: string;
}

/** A provider of which more is known than what every provider has. */
export type ProviderWith<Capability extends keyof Provider> = Provider & Required<Pick<Provider, Capability>>;

export interface Provider {
  /** How many items it is asked for where so many are wanted: fewer sizes are fewer different pages. */
  pageSize?(wanted: number): number;
  readPost?(request: PostRequest, budget: CallBudget): Promise<Outcome<Conversation>>;
  readProfile?(handle: string, budget: CallBudget): Promise<Outcome<User>>;
  listPosts?: ReadListPage<Extract<PostListRequest, { list: 'posts' }>, Post>;
  searchPosts?: ReadListPage<Extract<PostListRequest, { list: 'search' }>, Post>;
  listFollows?: ReadListPage<Extract<UserListRequest, { list: 'followers' | 'following' }>, User>;
  searchUsers?: ReadListPage<Extract<UserListRequest, { list: 'users' }>, User>;
}
