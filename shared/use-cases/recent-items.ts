// Remembers fingerprints of the recently returned items of a list, because provider pages can overlap or repeat. The
// fingerprints are part of the cursor, so their number is bounded.
import { hash } from 'node:crypto';

/** Two pages of the default size. */
const MIN_REMEMBERED = 40;
/** A complete page of the largest size, 100 items, and 30 more. */
export const MAX_REMEMBERED = 130;

/** 32 bits: with 100 remembered items, about one new item in 40 million is wrongly taken for a remembered one. */
export const fingerprint = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE();

export interface RecentItems {
  has(id: string): boolean;
  /** @returns true if the item was not remembered */
  add(id: string): boolean;
  /** @param pageLength the length of the longest provider page @returns the newest fingerprints, oldest first */
  latest(pageLength: number): readonly number[];
}

/** Within one request all items are remembered. `latest` selects the items for the cursor. */
export const createRecentItems = (remembered: readonly number[]): RecentItems => {
  const seen = new Set(remembered);
  return {
    has: (id) => seen.has(fingerprint(id)),
    add(id) {
      const before = seen.size;
      return seen.add(fingerprint(id)).size > before;
    },
    latest(pageLength) {
      const count = Math.max(MIN_REMEMBERED, pageLength);
      return [...seen].slice(-Math.min(MAX_REMEMBERED, count));
    },
  };
};
