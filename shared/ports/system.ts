// Declares the clock, the deadline and the log.

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
