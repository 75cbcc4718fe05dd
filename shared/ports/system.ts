// Declares the clocks, the deadline and the log.
import type { Instant, Monotonic } from '../model/time.ts';

/** Measures time that passes. It never jumps, so every duration and deadline uses it. */
export type Clock = () => Monotonic;

/** Tells the time of day. It can jump, so it is only for instants that others see. */
export interface WallClock {
  now(): Instant;
}

/**
 * A completed call of a provider.
 * - `answered`: a response below 500, with any content
 * - `throttled`: 429
 * - `inconclusive`: the call had less than its full time
 * - `failed`, `down`: as in FetchResult
 */
export interface CallRecord {
  readonly provider: string;
  /** The kind of query. */
  readonly kind: string;
  /** The host of the base URL. */
  readonly address: string;
  readonly outcome: 'answered' | 'throttled' | 'inconclusive' | 'failed' | 'down';
  readonly status: number | undefined;
  /** Unset for an answer. */
  readonly why: string | undefined;
  readonly milliseconds: number;
}

export interface LogFields {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly calls?: readonly CallRecord[] | undefined;
  readonly [name: string]: string | number | boolean | readonly CallRecord[] | undefined;
}

/** Writes one structured line. Implementations shorten long strings and never throw. */
export type Log = (fields: LogFields) => void;

/** The time by which a call must return, on the clock of the port that receives it. */
export type Deadline = Monotonic;
