// Tells posts, tombstones and previews of articles apart, and finds the ancestors that a conversation lacks. Without schemas.
import type { Post, PostOrTombstone, Tombstone } from './post.ts';

export const isTombstone = (entry: PostOrTombstone): entry is Tombstone => 'unavailable' in entry;

/** A preview has the title and possibly the first words of an article. */
export const isArticlePreview = ({ article }: Post): boolean => article !== undefined && article.blocks.length === 0;

/** @returns the id of the post that an entry answers; undefined if the id is not known or is the id of the entry */
export const answeredBy = (entry: PostOrTombstone): string | undefined => {
  const id = isTombstone(entry) ? undefined : entry.in_reply_to?.id;
  return id === entry.id ? undefined : id;
};

export interface AncestorGap {
  /** Id of the missing post. */
  readonly id: string;
  /** The missing post belongs before the ancestor with this index. The number of ancestors: after the last one. */
  readonly index: number;
}

/**
 * Finds the gap that is nearest to the post: an entry answers a post that is not among the ancestors. There is no gap
 * before an entry that follows a tombstone, because the tombstone replaces the post that the entry answers.
 */
export const ancestorGap = (post: PostOrTombstone, ancestors: readonly PostOrTombstone[]): AncestorGap | undefined => {
  const ids = new Set([post.id, ...ancestors.map(({ id }) => id)]);
  for (let index = ancestors.length; index >= 0; index -= 1) {
    const id = answeredBy(ancestors[index] ?? post);
    const before = ancestors[index - 1];
    const isGap = id !== undefined && !ids.has(id) && (before === undefined || !isTombstone(before));
    if (isGap) return { id, index };
  }
  return undefined;
};
