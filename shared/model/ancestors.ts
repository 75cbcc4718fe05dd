// The chain before a post: which of its links are there.
import type { PostOrTombstone } from './post.ts';
import { isTombstone } from './tombstone.ts';

/** The id of the post that an entry answers, if it says so. A post that answers itself answers nothing. */
export const answeredBy = (entry: PostOrTombstone): string | undefined => {
  const id = isTombstone(entry) ? undefined : entry.in_reply_to?.id;
  return id === entry.id ? undefined : id;
};

export interface AncestorGap {
  /** The post that is missing. */
  readonly id: string;
  /** Its place among the ancestors: before the entry with this index, or at their end. */
  readonly index: number;
}

/**
 * The gap that is nearest to the post: an entry answers a post that is not among the ancestors. An entry after a
 * tombstone has none, because the tombstone stands in that place.
 */
export const ancestorGap = (post: PostOrTombstone, ancestors: readonly PostOrTombstone[]): AncestorGap | undefined => {
  const known = new Set([post.id, ...ancestors.map(({ id }) => id)]);
  for (let index = ancestors.length; index >= 0; index -= 1) {
    const id = answeredBy(ancestors[index] ?? post);
    const before = ancestors[index - 1];
    const isGap = id !== undefined && !known.has(id) && (before === undefined || !isTombstone(before));
    if (isGap) return { id, index };
  }
  return undefined;
};
