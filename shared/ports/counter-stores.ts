// Declares the stores of counters. Every method rejects if the store does not answer.

/** The counter of one partition in one window, as a charge states it. */
export interface Counter {
  /** The allowance's name and the caller's identity, key id or `pool`. */
  readonly partition: string;
  /** Milliseconds since the epoch at which the window began. */
  readonly startsAt: number;
  readonly limit: number;
  /** The burst part with this number, from 0, and its limit. */
  readonly burst?: { readonly index: number; readonly limit: number };
  /** Epoch second after which the store may delete the counter. */
  readonly expiresAt: number;
  /** The day of use (YYYY-MM-DD); only for callers with an API key. */
  readonly usedOn?: string;
  /** Overwrite an earlier expiry with `expiresAt`. @default the first expiry stays */
  readonly extendsExpiry?: boolean;
}

export type CounterResult =
  | { readonly admitted: true; readonly count: number; readonly burstCount?: number }
  | { readonly admitted: false; readonly full: 'window' | 'burst' };

export interface CounterStore {
  /** Adds all units or none, depending on the limits, in one conditional write: exact under any concurrency. */
  charge(counter: Counter, units: number, signal?: AbortSignal): Promise<CounterResult>;
  /** Takes units back, or none if the counter has fewer. */
  refund(counter: Counter, units: number, signal?: AbortSignal): Promise<void>;
  /** Records the day of use without a charge. */
  touch(counter: Counter, signal?: AbortSignal): Promise<void>;
}

/** The units that a partition has spent in one window. */
export interface WindowUsage {
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
  readonly count: number;
  /** The day of the last use in the window; only for API keys. */
  readonly usedOn?: string;
}

export interface UsageReader {
  /** Windows that start at or after `since` (milliseconds since the epoch), oldest first. */
  spentSince(partition: string, since: number): Promise<readonly WindowUsage[]>;
  /** The window that started last. */
  latest(partition: string): Promise<WindowUsage | undefined>;
}
