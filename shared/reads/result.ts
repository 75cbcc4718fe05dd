// What a read hands to the door: the resource and where it came from.
import type { Warning } from '../model/conversation.ts';

export interface ReadResult<T> {
  readonly value: T;
  /** The provider that answered. */
  readonly source: string;
  /** When it was read, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
}
