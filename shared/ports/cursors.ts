// Declares the port that encodes and decodes cursors.
import type { ListKey, ListPosition } from '../model/list-position.ts';

/** Seals and opens cursors: opaque to callers, and only ours are accepted. */
export interface CursorCodec {
  encode(list: ListKey, position: ListPosition): string;
  /** undefined: not made by us for this list. */
  decode(list: ListKey, text: string): ListPosition | undefined;
}

export interface CursorPorts {
  readonly cursors: CursorCodec;
}
