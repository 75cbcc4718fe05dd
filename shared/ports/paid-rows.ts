// Declares what counts the rows that a provider bills.
import type { Deadline } from './system.ts';

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
