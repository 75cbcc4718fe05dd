// Declares a provider, which can lack methods. Methods do not throw on purpose; the fallback catches exceptions of mappers.
import type { ProviderName, QueryKind } from '../contract/providers.ts';
import type { UserName } from '../model/handle.ts';
import type { Post, Translation } from '../model/post.ts';
import type { Conversation } from '../model/resources.ts';
import type { Instant } from '../model/time.ts';
import type { User } from '../model/user.ts';
import type { PaidRows } from '../ports/stores.ts';
import type {
  FailedOutcome,
  Outcome,
  PageRequest,
  PostListRequest,
  PostRequest,
  TranslationRequest,
  UpstreamPage,
  UserListRequest,
} from '../ports/upstream.ts';
import type { Freshness } from './freshness.ts';
import type { CallBudget, JsonClient } from './json-client.ts';

/** One page of a provider, without the name of the provider. `isFallback`: the provider read the list in a second way. */
export type ProviderPage<T> = Pick<UpstreamPage<T>, 'items' | 'others' | 'next' | 'isCut'> &
  Partial<Pick<UpstreamPage<T>, 'isFallback'>>;

export type ReadPage<T> = (
  page: Pick<PageRequest, 'cursor' | 'size'>,
  budget: CallBudget,
) => Promise<Outcome<ProviderPage<T>>>;

/** Reads a page of any list of one kind. */
export type ReadList<Request, T> = (
  request: Request,
  ...parameters: Parameters<ReadPage<T>>
) => ReturnType<ReadPage<T>>;

export interface ProviderOptions<Name extends ProviderName = ProviderName> {
  readonly baseUrl: string;
  /** The name of the source in bodies. */
  readonly source: string;
  readonly http: JsonClient<QueryKind<Name>>;
  /** The time of day, for the instants of answers. */
  readonly clock: () => Instant;
  /** Unset: the provider bills no rows, or there is no ceiling. */
  readonly paidRows?: PaidRows | undefined;
  /** Unset: nothing says how old the posts of the provider are. */
  readonly freshness?: Freshness | undefined;
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

export interface Provider {
  /** Rounds the number of requested items to a size of the provider. Few sizes make more requests equal for the cache. */
  pageSize?(requested: number): number;
  readPost?(request: PostRequest, budget: CallBudget): Promise<Outcome<Conversation>>;
  /** Asks a translator, which can be slow. */
  translatePost?(request: TranslationRequest, budget: CallBudget): Promise<Outcome<Translation>>;
  readProfile?(name: UserName, budget: CallBudget): Promise<Outcome<User>>;
  /**
   * Refuses a request that it cannot answer, such as a period that it does not reach.
   *
   * @returns the reader of the list; undefined: the provider has no such list
   */
  listPosts?(request: PostListRequest): ReadPage<Post> | undefined;
  listUsers?(request: UserListRequest): ReadPage<User> | undefined;
}
