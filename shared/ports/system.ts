// Declares the clock, the deadline and the log.

/** Measures time that passes: milliseconds since an unknown start. It never jumps, so every duration and deadline uses it. */
export type Clock = () => number;

/**
 * Tells the time of day, in milliseconds since the epoch. It can jump, so it is only for instants that others see. Ports that
 * have only a clock use it for both: a test with one time.
 */
export interface WallClock {
  now(): number;
}

export interface LogFields {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly [name: string]: string | number | boolean | undefined;
}

/** Writes one structured line. Implementations shorten long strings and never throw. */
export type Log = (fields: LogFields) => void;

/** The time by which a call must return, in milliseconds of the clock of the port that receives it. */
export type Deadline = number;
