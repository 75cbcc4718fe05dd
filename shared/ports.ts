// What reads and the door need from outside; live/ and the tests provide it.

import type { ThreadChoice } from './contract/parameters.ts';
import type { Conversation, Warning } from './model/conversation.ts';
import type { Feed } from './model/feed.ts';
import type { ListKey, Position } from './model/position.ts';
import type { Post, TombstoneReason } from './model/post.ts';
import type { User } from './model/user.ts';

/** Milliseconds since the epoch. */
export type Clock = () => number;

export interface LogFields {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly [name: string]: string | number | boolean | undefined;
}
/** What a log says of something that was thrown. */
export const causeText = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

/** Writes one structured line. Implementations cap strings and never throw. */
export type Log = (fields: LogFields) => void;

/** When a request must have its answer, on the port clock's scale. */
export type Deadline = number;

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
export interface Page<T> {
  readonly items: readonly T[];
  /** The provider's cursor of the next page; unset: certainly the end. */
  readonly next?: string;
  /** By which the provider is found again. */
  readonly provider: string;
  /** A source of a later choice answered, because an earlier one could not. */
  readonly isFallback: boolean;
}

/** A resource and where it came from. */
export interface ReadResult<T> {
  readonly value: T;
  /** The provider that answered. */
  readonly source: string;
  /** When it was read, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
}

/**
 * What came of asking providers for one thing. Values, not exceptions, so that every branch is looked at.
 * - `found`: here it is
 * - `gone`: definitely not to be had, and why
 * - `ambiguous`: a bare "not found", which an outage looks like too
 * - `absent`: this source says there is no such thing; not enough alone
 * - `refused`: our request was not accepted
 * - `failed`: an unusable answer (502)
 * - `down`: no answer, or told to come back later (503)
 */
export type Outcome<T> =
  | ({ readonly kind: 'found' } & ReadResult<T>)
  | { readonly kind: 'gone'; readonly reason: TombstoneReason }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'down'; readonly why: string };

/** Whatever it is, it was not found. */
export type Miss = Exclude<Outcome<never>, { readonly kind: 'found' }>;

/** The public sources behind one door: ordered fallback, confirmation of misses, sharing. */
export interface Upstream {
  /** Never throws; answers by `deadline`. */
  readPost(request: PostRequest, deadline: Deadline): Promise<Outcome<Conversation>>;
  /** The same; `absent` only when a profile that is known to exist is still found. */
  readProfile(handle: string, deadline: Deadline): Promise<Outcome<User>>;
  /**
   * The same; `ambiguous` when all that is known is that the list was not found. `refused`: the search is not one, or
   * the page is not one of this provider's.
   */
  listPosts(request: PostListRequest, page: PageRequest, deadline: Deadline): Promise<Outcome<Page<Post>>>;
  listUsers(request: UserListRequest, page: PageRequest, deadline: Deadline): Promise<Outcome<Page<User>>>;
}

export interface DoorSettings {
  /** Accepted values of x-origin-secret; none refuses everything. */
  readonly originSecrets: readonly string[];
  /** `{base_url}` without trailing slash; unset: the host that the edge saw. */
  readonly baseUrl: string | undefined;
  /** Seconds a shared cache keeps a post; 0 turns caching off. */
  readonly cacheTtlSeconds: number;
}

export interface DoorPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: DoorSettings;
}

/** Seals and opens cursors: opaque to callers, and only ours are accepted. */
export interface Cursors {
  seal(list: ListKey, position: Position): string;
  /** undefined: not made by us for this list. */
  open(list: ListKey, text: string): Position | undefined;
}

export interface ListPorts {
  readonly cursors: Cursors;
}

export interface PostPorts {
  readonly upstream: Pick<Upstream, 'readPost'>;
}

export interface UpstreamPorts {
  readonly upstream: Upstream;
}
