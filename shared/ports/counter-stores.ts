// Declares the stores of counters. Every method rejects if the store does not answer.

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

/** One window of a counter. */
export interface WindowUsage {
  readonly startsAt: number;
  readonly count: number;
  /** The day of the last use in it; of keys alone. */
  readonly usedOn?: string;
}

export interface UsageReader {
  /** Windows that began at or after `since`, oldest first. */
  spentSince(partition: string, since: number): Promise<readonly WindowUsage[]>;
  latest(partition: string): Promise<WindowUsage | undefined>;
}
