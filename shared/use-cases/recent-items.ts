// What a list has handed out lately, small enough to travel in a cursor: pages may overlap or come twice.
import { hash } from 'node:crypto';

/** Room for two ordinary pages. */
const MIN_REMEMBERED = 40;
/** A page of a hundred, or a few more, may be repeated whole. */
const MAX_REMEMBERED = 130;

/** 32 bits: one item in some forty million is taken for one of the last hundred, by mistake. */
export const fingerprint = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE();

export interface RecentItems {
  has(id: string): boolean;
  /** @returns whether it was new */
  add(id: string): boolean;
  /** The newest. @param pageLength of the provider's longest page */
  latest(pageLength: number): readonly number[];
}

/** Within one request nothing is forgotten; between requests what `latest` keeps. */
export const createRecentItems = (remembered: readonly number[]): RecentItems => {
  const seen = new Set(remembered);
  return {
    has: (id) => seen.has(fingerprint(id)),
    add(id) {
      const before = seen.size;
      return seen.add(fingerprint(id)).size > before;
    },
    latest(pageLength) {
      const wanted = Math.max(MIN_REMEMBERED, pageLength);
      return [...seen].slice(-Math.min(MAX_REMEMBERED, wanted));
    },
  };
};
