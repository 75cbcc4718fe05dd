// Declares the clocks, the deadline and the log.
import type { Instant, Monotonic } from '../model/time.ts';

/** Measures time that passes. It never jumps, so every duration and deadline uses it. */
export type Clock = () => Monotonic;

/** Tells the time of day. It can jump, so it is only for instants that others see. */
export interface WallClock {
  now(): Instant;
}

export interface LogFields {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly [name: string]: string | number | boolean | undefined;
}

/** Writes one structured line. Implementations shorten long strings and never throw. */
export type Log = (fields: LogFields) => void;

/** The time by which a call must return, on the clock of the port that receives it. */
export type Deadline = Monotonic;
