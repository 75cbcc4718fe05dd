// Groups a conversation into the author's thread and its context, for documents that show a thread as one text.

import { isTombstone } from './entries.ts';
import { isSameHandle } from './handle.ts';
import type { Post, PostOrTombstone } from './post.ts';
import type { Conversation } from './resources.ts';

export interface OwnThread {
  /** The ancestors that do not belong to the thread, in reading order. */
  readonly context: readonly PostOrTombstone[];
  /** The whole thread in reading order: ancestors by the author, the post, and the author's continuation. */
  readonly parts: readonly PostOrTombstone[];
  /** The index of the post in `parts`. */
  readonly focalIndex: number;
  /** The first part that can be read. */
  readonly first: Post;
}

/**
 * Finds the author of the entry that `next` answers.
 *
 * @returns undefined if it is not known: then only an entry between two parts is a part
 */
const isOwnAnswer = (
  next: PostOrTombstone,
  before: PostOrTombstone,
  author: string | undefined,
): boolean | undefined => {
  if (isTombstone(next)) return undefined;
  const { in_reply_to: answered } = next;
  // The author may have another handle now than when they answered.
  if (!isTombstone(before) && answered?.id === before.id) return isSameHandle(before.author?.handle, author);
  return answered?.handle === undefined ? undefined : isSameHandle(answered.handle, author);
};

/**
 * Takes the ancestors from the nearest one backwards as long as the author answered themselves. A tombstone has no author:
 * it is a part if the next part says that it answers the author, or if it is between two parts.
 */
export const ownThread = ({
  post,
  ancestors,
  thread,
}: Pick<Conversation, 'post' | 'ancestors' | 'thread'>): OwnThread => {
  let start = ancestors.length;
  let next: PostOrTombstone = post;
  const author = post.author?.handle;
  for (let index = ancestors.length - 1; index >= 0; index -= 1) {
    const entry = ancestors[index];
    if (entry === undefined) break;
    const isOwn = isOwnAnswer(next, entry, author);
    if (isOwn === false || (!isTombstone(entry) && !isSameHandle(entry.author?.handle, author))) break;
    if (isOwn || !isTombstone(entry)) start = index;
    next = entry;
  }
  const before = ancestors.slice(start);
  return {
    context: ancestors.slice(0, start),
    parts: [...before, post, ...thread],
    focalIndex: before.length,
    first: before.find((part): part is Post => !isTombstone(part)) ?? post,
  };
};
