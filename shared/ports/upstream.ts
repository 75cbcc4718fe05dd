// Declares the port to all providers together, its requests and its outcomes.
import type { ThreadChoice } from '../contract/parameters.ts';
import type { Conversation, Warning } from '../model/conversation.ts';
import type { Feed } from '../model/feed.ts';
import type { Post, TombstoneReason } from '../model/post.ts';
import type { User } from '../model/user.ts';
import type { Deadline } from './system.ts';

export interface PostRequest {
  readonly id: string;
  readonly thread: ThreadChoice;
  readonly replies: 'top' | 'recent' | 'off';
}

/** A list of posts: what a profile posted, or what a search finds. */
export type PostListRequest =
  | { readonly list: 'posts'; readonly handle: string }
  | { readonly list: 'search'; readonly query: string; readonly feed: Exclude<Feed, 'users'> };

/** A list of accounts. */
export type UserListRequest =
  | { readonly list: 'followers' | 'following'; readonly handle: string }
  | { readonly list: 'users'; readonly query: string };

/** Which page of a provider's list. */
export interface PageRequest {
  /** Whose list is continued; unset: the first page, of whoever answers. */
  readonly provider?: string;
  /** The provider's own, as its previous page said; unset: its first page. */
  readonly cursor?: string;
  /** How many items the caller wants; a provider may send more or fewer. */
  readonly size: number;
}

/** One page as a provider has it: short, empty and repeating ones are ordinary. */
export interface UpstreamPage<T> {
  readonly items: readonly T[];
  /** The provider's cursor of the next page; unset: certainly the end. */
  readonly next?: string;
  /** How many items were asked for, where an answer with as many as were wanted was too large. */
  readonly size?: number;
  /** By which the provider is found again. */
  readonly provider: string;
  /** A source of a later choice answered, because an earlier one could not. */
  readonly isFallback: boolean;
}

/** What an answer leaves out where it would be too large. */
export interface ResultParts<T> {
  /** How many there are. */
  readonly count: number;
  /** How many there must be at least. */
  readonly minimum: number;
  /** The same result with the most important of its parts, and a warning that says so. */
  keep(count: number): UseCaseResult<T>;
}

/** A resource and where it came from. */
export interface SourcedResult<T> {
  readonly value: T;
  /** The provider that answered. */
  readonly source: string;
  /** When it was read, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
}

/** A result that may be too large for one answer. */
export interface UseCaseResult<T> extends SourcedResult<T> {
  /** Unset: there is nothing that could be left out as a whole. */
  readonly parts?: ResultParts<T>;
}

/**
 * What came of asking providers for one thing. Values, not exceptions, so that every branch is looked at.
 * - `found`: here it is
 * - `gone`: definitely not to be had, and why
 * - `ambiguous`: a bare "not found", which an outage looks like too
 * - `absent`: this source says there is no such thing; not enough alone
 * - `refused`: our request was not accepted
 * - `failed`: an unusable answer (502)
 * - `down`: no answer, or told to come back later (503); `isStarved`: other calls of the same caller were in the way
 */
export type Outcome<T> =
  | ({ readonly kind: 'found' } & SourcedResult<T>)
  | { readonly kind: 'gone'; readonly reason: TombstoneReason }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string }
  | {
      readonly kind: 'failed';
      readonly why: string /** With fewer items it may be usable. */;
      readonly isTooLarge?: true;
    }
  | { readonly kind: 'down'; readonly why: string; readonly isStarved?: true };

/** Whatever it is, it was not found. */
export type FailedOutcome = Exclude<Outcome<never>, { readonly kind: 'found' }>;

/** Leave to ask a provider on behalf of one caller. */
export interface Admission {
  /** Rejects with the Problem that the caller gets instead. */
  readonly granted: Promise<void>;
  /** The verdict is so likely that the provider may be asked meanwhile. */
  readonly isLikelyGranted: boolean;
}

/** On whose behalf providers are asked. */
export interface Requester {
  /** Equal for all requests of one caller. */
  readonly caller: string;
  /** Asked before a provider is, and not for what is remembered. However often it is asked, a request costs one. */
  readonly admit: () => Admission;
}

/** The public sources behind one door: ordered fallback, confirmation of misses, sharing. */
export interface Upstream {
  /** Answers by `deadline`; throws nothing but what `requester` rejects with. */
  readPost(request: PostRequest, deadline: Deadline, requester?: Requester): Promise<Outcome<Conversation>>;
  /** The same; `absent` only when a profile that is known to exist is still found. */
  readProfile(handle: string, deadline: Deadline, requester?: Requester): Promise<Outcome<User>>;
  /**
   * The same; `ambiguous` when all that is known is that the list was not found. `refused`: the search is not one, or
   * the page is not one of this provider's.
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
  readonly upstream: Pick<Upstream, 'readPost'>;
}

export interface UpstreamPorts {
  readonly upstream: Upstream;
}
