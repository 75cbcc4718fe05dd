// What reads and the door need from outside; live/ and the tests provide it.

import type { ThreadChoice } from './contract/parameters.ts';
import type { Conversation, Warning } from './model/conversation.ts';
import type { TombstoneReason } from './model/post.ts';

/** Milliseconds since the epoch. */
export type Clock = () => number;

export interface LogFields {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly [name: string]: string | number | boolean | undefined;
}
/** Writes one structured line. Implementations cap strings and never throw. */
export type Log = (fields: LogFields) => void;

/** When a request must have its answer, on the port clock's scale. */
export type Deadline = number;

export interface PostRequest {
  readonly id: string;
  readonly thread: ThreadChoice;
  readonly replies: 'top' | 'recent' | 'off';
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

/** The public sources behind one door: ordered fallback, confirmation of misses, sharing. */
export interface Upstream {
  /** Never throws; answers by `deadline`. */
  readPost(request: PostRequest, deadline: Deadline): Promise<Outcome<Conversation>>;
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

export interface UpstreamPorts {
  readonly upstream: Upstream;
}
