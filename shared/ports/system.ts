// Declares the clock, the deadline and the log.

/** @returns milliseconds since the epoch */
export type Clock = () => number;

export interface LogFields {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly [name: string]: string | number | boolean | undefined;
}

/** @returns the id of the X-Ray trace that has the request; undefined: the request is not traced */
export type ReadTraceId = () => string | undefined;

/** Writes one structured line. Implementations shorten long strings and never throw. */
export type Log = (fields: LogFields) => void;

/** The instant by which a call must return, in milliseconds of the port's clock. */
export type Deadline = number;
