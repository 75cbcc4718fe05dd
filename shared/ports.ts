// What reads and the door need from outside; live/ and the tests provide it.

import type { Allowance, AllowanceName } from './contract/allowances.ts';
import type { KeyStatus } from './contract/headers.ts';
import type { ThreadChoice } from './contract/parameters.ts';
import type { RequestOutcome } from './contract/problems.ts';
import type { Conversation, Warning } from './model/conversation.ts';
import type { Feed } from './model/feed.ts';
import type { ListKey, ListPosition } from './model/list-position.ts';
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
export const errorText = (cause: unknown): string =>
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

export interface HttpSettings {
  /** Accepted values of x-origin-secret; none refuses everything. */
  readonly originSecrets: readonly string[];
  /** `{base_url}` without trailing slash; unset: the host that the edge saw. */
  readonly baseUrl: string | undefined;
  /** Seconds a shared cache keeps a post; 0 turns caching off. */
  readonly cacheTtlSeconds: number;
}

export interface HttpPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: HttpSettings;
}

/** Seals and opens cursors: opaque to callers, and only ours are accepted. */
export interface CursorCodec {
  encode(list: ListKey, position: ListPosition): string;
  /** undefined: not made by us for this list. */
  decode(list: ListKey, text: string): ListPosition | undefined;
}

export interface CursorPorts {
  readonly cursors: CursorCodec;
}

/** The bound of reads that spend no allowance. */
export interface FairUse {
  /**
   * Who asks, for the time of one read; `admit` rejects with the Problem `rate_limited` beyond the bound.
   *
   * @param address as the edge saw it
   */
  requesterAt(address: string | undefined): Requester;
}

export interface FairUsePorts {
  readonly fairUse: FairUse;
}

export interface PostPorts {
  readonly upstream: Pick<Upstream, 'readPost'>;
}

export interface UpstreamPorts {
  readonly upstream: Upstream;
}

export type ApiKeyState = 'enabled' | 'disabled';

/** What is stored of a key (spec 5.4), beside its hash. */
export interface ApiKeyRecord {
  /** By which the operator names it: no secret. */
  readonly id: string;
  readonly label: string;
  readonly state: ApiKeyState;
  /** Unset: what keys have by default. */
  readonly search?: Allowance;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** Rejects when the store does not answer, as the other stores do. */
export interface ApiKeyReader {
  /**
   * Strongly consistent: what the operator did last holds.
   *
   * @param hash SHA-256 of the key in lower-case hexadecimal
   * @returns undefined: there is no such key
   */
  read(hash: string, signal?: AbortSignal): Promise<ApiKeyRecord | undefined>;
}

/** One window of one caller's allowance. */
export interface Counter {
  /** Which allowance, and whose. */
  readonly partition: string;
  /** Milliseconds since the epoch at which the window began. */
  readonly startsAt: number;
  readonly limit: number;
  /** Of the sub-window with this number. */
  readonly burst?: { readonly index: number; readonly limit: number };
  /** Epoch second after which nobody asks for it. */
  readonly expiresAt: number;
  /** Of callers with a key: the day (RFC 3339) on which it was used. */
  readonly usedOn?: string;
  /** Keep it until `expiresAt`, though it was to go before. */
  readonly extendsExpiry?: boolean;
}

export type CounterResult =
  | { readonly admitted: true; readonly count: number; readonly burstCount?: number }
  | { readonly admitted: false; readonly full: 'window' | 'burst' };

export interface CounterStore {
  /** Adds units where there is room for all of them, in one write: exact under any concurrency. */
  charge(counter: Counter, units: number, signal?: AbortSignal): Promise<CounterResult>;
  /** Takes units back; of a counter that has fewer, none. */
  refund(counter: Counter, units: number, signal?: AbortSignal): Promise<void>;
  /** Notes the use without counting. */
  touch(counter: Counter, signal?: AbortSignal): Promise<void>;
}

/** Where a caller stands: only what is certain. */
export interface AllowanceState {
  /** The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly policy: string;
  readonly limit?: string;
}

/** Who asks, for the time of one request. */
export interface Caller {
  /** Equal for all requests from one client network; not readable as an address. */
  readonly identity: string;
  /** What the key step found out, or will; never rejects. */
  readonly status: KeyStatus | Promise<KeyStatus>;
  /**
   * Rejects with the Problem `invalid_key` or `rate_limited`. Further calls repeat the first answer.
   *
   * @param subject what is read: a charge for it is given back once a minute
   */
  chargeAllowance(name: AllowanceName, subject: string): Admission;
  allowanceState(name: AllowanceName): AllowanceState;
  /** Once the answer is known: gives back what was spent for nothing, and notes that a key was used. Never rejects. */
  settle(outcome: RequestOutcome): Promise<void>;
  /** The same caller for another read of the same request, with charges of its own: the key is not read again. */
  forAnotherRead(): Caller;
}

/** What is known of a caller from outside; the address is the one that the edge saw. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly address: string | undefined;
}

/** Keys and allowances (spec 5 and 8). */
export interface AccessControl {
  identify(presented: Credentials): Caller;
  /** What holds without a key. */
  anonymousPolicy(name: AllowanceName): string;
}

export interface AccessControlPorts {
  readonly accessControl: AccessControl;
}
