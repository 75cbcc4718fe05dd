// Declares the stores: of API keys, of counters, of billed rows, of sessions and of the audit. Every method rejects if the
// store does not answer.
import type { Allowance } from '../contract/allowances.ts';
import type { Deadline } from './system.ts';

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
  /** The dashboard shows the use of the partition. */
  readonly isReported?: boolean;
}

export type CounterResult =
  | { readonly admitted: true; readonly count: number; readonly burstCount?: number }
  | { readonly admitted: false; readonly full: 'window' | 'burst' };

export interface CounterStore {
  /**
   * Counts in this process: no call can fail or take time. A charge does not record the day of use; `touch` does.
   *
   * @default another process counts, and a charge records the day of use
   */
  readonly isInProcess?: boolean;
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

/** Counts in the memory of a process. */
export type ProcessCounters = Pick<CounterStore, 'charge' | 'refund'> & Pick<UsageReader, 'spentSince'> & DaysOfUse;

export interface DaysOfUse {
  /** @returns whether it is the first call of the partition and the day */
  recordDay(partition: string, day: string): boolean;
  /** The record of the day failed, so that the next call for it is the first again. */
  forgetDay(partition: string): void;
}

export interface UsageReader {
  /** Windows that start at or after `since` (milliseconds since the epoch), oldest first. */
  spentSince(partition: string, since: number): Promise<readonly WindowUsage[]>;
  /** The window that started last. */
  latest(partition: string): Promise<WindowUsage | undefined>;
}

/** The rows that one call may return at most. */
export interface RowReservation {
  /** Gives back the rows that were not billed. Without this call all rows stay counted. Never rejects. */
  settle(billed: number): Promise<void>;
}

/** The ceiling of rows per day (UTC). */
export interface PaidRows {
  /** @returns true if it is known without a write that a call with so many rows is not admitted */
  isSpent(rows: number): boolean;
  /** Never rejects. @returns undefined: the call would exceed the ceiling */
  reserve(rows: number, deadline: Deadline): Promise<RowReservation | undefined>;
}

/** The rows of one day. Every method rejects if the store does not answer. */
export interface PaidRowStore {
  /**
   * Adds the rows to those that are used or reserved, or none if these would exceed the ceiling: exact under any
   * concurrency.
   *
   * @param dayStart milliseconds since the epoch
   * @param known how many of the rows count as billed at once
   * @returns undefined: added; otherwise the rows that are billed for certain
   */
  reserve(
    dayStart: number,
    rows: number,
    known: number,
    ceiling: number,
    signal?: AbortSignal,
  ): Promise<{ readonly billed: number } | undefined>;
  /** Adds to the rows that are used or reserved, and to those that are billed for certain. Both may be negative. */
  correct(dayStart: number, used: number, billed: number, signal?: AbortSignal): Promise<void>;
}

/** Times are milliseconds since the epoch. */
export interface Session {
  readonly operator: string;
  /** Identifies the token that opened the session; a session ends when its token is removed. */
  readonly credential: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** Sessions by the SHA-256 of the cookie value. */
export interface SessionStore {
  open(hash: string, session: Session, expiresAt: number): Promise<void>;
  find(hash: string): Promise<Session | undefined>;
  touch(hash: string, seenAt: number): Promise<void>;
  close(hash: string): Promise<void>;
}

export type AuditAction = 'create_key' | 'change_key' | 'delete_key' | 'sign_in' | 'sign_out';

export interface AuditEntry {
  /** Milliseconds since the epoch; unique, so it may be a few milliseconds late. */
  readonly at: number;
  readonly operator: string;
  readonly action: AuditAction;
  readonly keyId?: string;
  readonly label?: string;
  /** The changed members before and after the change, as text. */
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The operator's IPv4 address or IPv6 /64. */
  readonly network: string;
}

export interface AuditStore {
  /** Adds an entry and changes no other. */
  append(entry: AuditEntry): Promise<void>;
  /** Newest first. @param before only older entries, in milliseconds since the epoch @default all */
  latest(count: number, before?: number): Promise<readonly AuditEntry[]>;
}

export interface Operator {
  readonly name: string;
  /** SHA-256 of the token in lower-case hexadecimal. */
  readonly tokenHash: string;
}

export type ApiKeyState = 'enabled' | 'disabled';

/** The stored facts of an API key (requirements: keys), without its hash. */
export interface ApiKeyRecord {
  /** The operator's name for the key; not secret. */
  readonly id: string;
  readonly label: string;
  readonly state: ApiKeyState;
  /** Search allowance; unset: the default for keys. */
  readonly search?: Allowance;
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface ApiKeyReader {
  /**
   * Strongly consistent: the last change by the operator holds.
   *
   * @param hash SHA-256 of the key in lower-case hexadecimal
   * @returns undefined: the key is unknown
   */
  read(hash: string, signal?: AbortSignal): Promise<ApiKeyRecord | undefined>;
}

export interface ApiKeyChange {
  readonly label?: string;
  /** null: back to the default for keys. */
  readonly search?: Allowance | null;
  readonly state?: ApiKeyState;
}

export interface ApiKeyStore {
  /** Strongly consistent, oldest first. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** @param hash SHA-256 of the key in lower-case hexadecimal */
  create(hash: string, key: ApiKeyRecord): Promise<void>;
  /** Writes only the members of `change`. @returns undefined: the key is unknown */
  change(id: string, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>;
  /** @returns false: the key was unknown */
  delete(id: string): Promise<boolean>;
}
