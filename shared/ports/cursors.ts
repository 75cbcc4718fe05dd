// Declares the port that encodes and decodes cursors.
import type { ListKey, ListPosition } from '../model/lists.ts';

/** Encodes positions as opaque, signed cursors. Decodes only cursors that this service signed. */
export interface CursorCodec {
  encode(list: ListKey, position: ListPosition): string;
  /** @returns undefined if this service did not sign the cursor for this list */
  decode(list: ListKey, text: string): ListPosition | undefined;
}

export interface CursorPorts {
  readonly cursors: CursorCodec;
}
