// Declares the port to the upstream: its requests, its pages and its outcomes.
import type { ThreadChoice } from '../contract/parameters.ts';
import type { RepliesCount, ReplyOrder } from '../model/conversation.ts';
import type { UserName } from '../model/handle.ts';
import type { Period, SearchFeed, TimelineKind } from '../model/lists.ts';
import type { Post, TombstoneReason, Translation } from '../model/post.ts';
import type { Conversation, Warning } from '../model/resources.ts';
import type { User } from '../model/user.ts';
import type { WithheldReason } from '../model/withheld.ts';
import type { CallRecord, Deadline } from './system.ts';

/** The handle of a permalink, as the caller wrote it. It does not identify the post. */
interface NamedAuthor {
  readonly handle?: string | undefined;
}

/** The language of a reader. */
interface ReadIn {
  /** A language of languages.ts, into which the provider adds the translations that cost nothing. @default none are requested */
  readonly lang?: string;
}

export interface PostRequest extends NamedAuthor, ReadIn {
  readonly id: string;
  readonly thread: ThreadChoice;
  readonly replies: ReplyOrder | 'off';
  /**
   * All that one answer of the provider shows, without further calls: the ancestors, the parts of the thread and any number of
   * replies. @default false: the thread is followed, and the replies are bounded
   */
  readonly isExcerpt?: true;
}

/** Requests a translator. */
export interface TranslationRequest {
  readonly id: string;
  /** A language of languages.ts. */
  readonly lang: string;
}

/** Requests the posts of a profile in the order of X. A provider may also return posts outside of the period. */
export interface TimelineRequest extends Period, ReadIn {
  readonly list: 'posts';
  readonly handle: string;
  readonly kind: TimelineKind;
  /** A provider that can leave reposts out lists them. */
  readonly reposts?: true;
  /** A provider that can leave replies out lists those of the account to itself. */
  readonly threads?: true;
}

/** Requests the replies to a post. A provider returns no part of the author's own thread. */
export interface RepliesRequest extends NamedAuthor, ReadIn {
  readonly list: 'replies';
  readonly id: string;
  readonly order: ReplyOrder;
}

/** Requests a list of posts: of a profile, of a search, of a list of X, or the replies or quotes of a post. */
export type PostListRequest =
  | TimelineRequest
  | ({ readonly list: 'search'; readonly query: string; readonly feed: Exclude<SearchFeed, 'users'> } & ReadIn)
  | RepliesRequest
  /** `listId` of a list of X. `refused`: the provider has no such list, or does not show it. */
  | ({ readonly list: 'list of X'; readonly listId: string } & ReadIn)
  | ({ readonly list: 'quotes'; readonly id: string } & NamedAuthor & ReadIn);

/** Requests a list of accounts: `reposts` are the accounts that reposted a post. */
export type UserListRequest =
  | { readonly list: 'followers' | 'following'; readonly handle: string }
  | { readonly list: 'users'; readonly query: string }
  | ({ readonly list: 'reposts'; readonly id: string } & NamedAuthor);

/** Selects a page of a provider's list. */
export interface PageRequest {
  /** The provider whose list continues; unset: the first page of the first provider that answers. */
  readonly provider?: string;
  /** The provider's cursor from its previous page; unset: its first page. */
  readonly cursor?: string;
  /** The number of items that the caller requests. A provider can return more or fewer. */
  readonly size: number;
}

/** The index is that among all items of the page, with the withheld ones. */
export interface WithheldItem<T> {
  readonly item: T;
  readonly index: number;
}

/** One provider page. It can be short, empty, or repeat items of earlier pages. */
export interface UpstreamPage<T> {
  readonly items: readonly T[];
  /** Ids of posts that the provider found beside the items, and that do not belong to the list. @default none */
  readonly others?: readonly string[];
  /** Items of the list that the operator withholds. They are counted, and never shown. @default none */
  readonly withheld?: readonly WithheldItem<T>[];
  /** The provider's cursor of the next page; unset: the end of the list. */
  readonly next?: string;
  /** The list ends here because the provider did not show older items that it has. @default false */
  readonly isCut?: true;
  /** The number of items that was requested instead, if the response with the requested number was too large. */
  readonly size?: number;
  /** The name of the provider, for the request of the next page. */
  readonly provider: string;
  /** A preferred provider did not answer, so a later one did, or the preferred one in a second way. */
  readonly isFallback: boolean;
}

/** The parts that an answer can leave out if it is too large. */
export interface ResultParts<T> {
  /** The number of parts. */
  readonly count: number;
  /** The number of parts that must stay. */
  readonly minimum: number;
  /** @returns the result with the most important parts, and with a warning about the others */
  keep(count: number): UseCaseResult<T>;
}

/** A resource and its source. */
export interface SourcedResult<T> {
  readonly value: T;
  /** The provider that answered. */
  readonly source: string;
  /** The instant at which the provider was called, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
  /** The posts with which accounts of a list continue their own, and which its kind leaves out. @default none */
  readonly continuations?: readonly Post[];
  /** The replies to the post of a conversation, if X counts more than the whole conversation shows. */
  readonly missingReplies?: RepliesCount | undefined;
}

/** A result that may be too large for one answer. */
export interface UseCaseResult<T> extends SourcedResult<T> {
  /** Unset: the resource has no parts to leave out. */
  readonly parts?: ResultParts<T>;
}

/**
 * The result of a provider call. It is a value and not an exception, so the compiler checks that every case is handled.
 * - `found`: the resource
 * - `gone`: the resource cannot be read, and the reason is known
 * - `withheld`: the operator withholds the resource
 * - `ambiguous`: a "not found" without a reason, which an outage of the provider also causes
 * - `absent`: the provider reports that the resource does not exist; a canary must confirm the report
 * - `refused`: the provider rejected the request as invalid
 * - `failed`: the response cannot be used (502)
 * - `down`: no response, or the provider is overloaded (503); `isStarved`: other calls of the same caller took all slots;
 *   `isSkipped`: the provider was not asked, because the operator pays for no more rows today; `isUnsupported`: no
 *   configured provider can do this
 */
export type Outcome<T> =
  | ({ readonly kind: 'found' } & SourcedResult<T>)
  | { readonly kind: 'gone'; readonly reason: TombstoneReason }
  | { readonly kind: 'withheld'; readonly reason: WithheldReason }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string }
  | {
      readonly kind: 'failed';
      readonly why: string;
      /** A request with fewer items can succeed. */
      readonly isTooLarge?: true;
    }
  | {
      readonly kind: 'down';
      readonly why: string;
      readonly isStarved?: true;
      readonly isSkipped?: true;
      readonly isUnsupported?: true;
    };

/** Any outcome but `found`. */
export type FailedOutcome = Exclude<Outcome<never>, { readonly kind: 'found' }>;

/** How the request cache answered: with a kept result, with the result of a running call, or with a new call. */
export type CacheUse = 'hit' | 'joined' | 'miss';

/** The caller on whose behalf the upstream calls providers. */
export interface Requester {
  /** The client network of the caller: equal for all requests from it. */
  readonly caller: string;
  /**
   * Charges the caller before a provider call; a cached answer is not charged. Repeated calls charge the request only
   * once. Rejects with the Problem that the caller gets instead.
   */
  readonly admit: () => Promise<void>;
  /**
   * Charges one more unit for each of a number of reads, together or not at all, and in all at most the whole allowance of
   * the caller. Rejects as `admit`. Unset: `admit` charges for all reads.
   */
  readonly admitReads?: (count: number) => Promise<void>;
  /** Called for each result from the request cache. @default not recorded */
  readonly recordCacheUse?: (use: CacheUse) => void;
  /** The requester of the whole request, whose calls have common bounds. @default this one */
  readonly ofRequest?: Requester;
  /** Called for each completed call of a provider. @returns false if it came too late @default not recorded */
  readonly recordCall?: (call: CallRecord) => boolean;
  /** Returns the same caller with a charge of its own. Unset: a use case is one charge. */
  readonly forAnotherRead?: () => Requester;
}

/** All providers together, with fallback, confirmation by canaries, cache and circuit breakers. */
export interface Upstream {
  /** Returns by `deadline`. Rejects only with the Problem of `requester`. */
  readPost(request: PostRequest, deadline: Deadline, requester?: Requester): Promise<Outcome<Conversation>>;
  /**
   * As readPost. `ambiguous`: the post was not translated, or not found. Unset: no provider translates, or the operator does
   * not want it.
   */
  readonly translatePost?: (
    request: TranslationRequest,
    deadline: Deadline,
    requester?: Requester,
  ) => Promise<Outcome<Translation>>;
  /** As readPost. Returns `absent` only if the canary profile is found. */
  readProfile(name: UserName, deadline: Deadline, requester?: Requester): Promise<Outcome<User>>;
  /**
   * As readPost. `ambiguous`: the list was not found, for an unknown reason. `refused`: the query is invalid, or the page
   * belongs to another provider.
   */
  listPosts(
    request: PostListRequest,
    page: PageRequest,
    deadline: Deadline,
    requester?: Requester,
  ): Promise<Outcome<UpstreamPage<Post>>>;
  listUsers(
    request: UserListRequest,
    page: PageRequest,
    deadline: Deadline,
    requester?: Requester,
  ): Promise<Outcome<UpstreamPage<User>>>;
}

export interface PostPorts {
  readonly upstream: Pick<Upstream, 'readPost' | 'translatePost'>;
}

export interface UpstreamPorts {
  readonly upstream: Upstream;
}
