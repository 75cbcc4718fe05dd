// The two kinds of time: the compiler refuses their difference, because they count from different moments.

declare const sinceEpoch: unique symbol;
declare const sinceStart: unique symbol;

/** The time of day in milliseconds since 1970. Others see it, and it can jump. */
export type Instant = number & { readonly [sinceEpoch]?: never };

/**
 * A reading of a clock that never jumps and counts from a moment that nobody knows, such as the start of the process. For the
 * compiler it is no number, so that only the functions of this file calculate with it. Two readings can be compared.
 */
export interface Monotonic {
  readonly [sinceStart]: never;
}

// The casts of this file are the only ones: a reading is a number of milliseconds.
const numberOf = (reading: Monotonic): number => reading as unknown as number;

export const monotonic = (milliseconds: number): Monotonic => milliseconds as unknown as Monotonic;

export const NEVER_BEFORE = monotonic(Number.NEGATIVE_INFINITY);
export const NEVER = monotonic(Number.POSITIVE_INFINITY);

/** @returns milliseconds; negative if `end` is before `start` */
export const elapsed = (start: Monotonic, end: Monotonic): number => numberOf(end) - numberOf(start);

export const later = (start: Monotonic, milliseconds: number): Monotonic => monotonic(numberOf(start) + milliseconds);

export const earlierOf = (...readings: readonly Monotonic[]): Monotonic =>
  monotonic(Math.min(...readings.map(numberOf)));

export const laterOf = (...readings: readonly Monotonic[]): Monotonic => monotonic(Math.max(...readings.map(numberOf)));
