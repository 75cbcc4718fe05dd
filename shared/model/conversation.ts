// Tells the entries of a conversation apart, finds what it lacks, counts its replies, and groups it into the author's thread
// and its context. Without schemas.
import { isSameHandle } from './handle.ts';
import type { Post, PostOrTombstone, Tombstone } from './post.ts';
import type { Conversation } from './resources.ts';

/** For documents that show a thread as one text. */
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

/**
 * Finds where a thread goes on in another branch: parts that answer an earlier part than the one before them.
 *
 * @returns the index of the answered part by the id of the part
 */
export const branchesIn = (parts: readonly PostOrTombstone[]): ReadonlyMap<string, number> => {
  const indexes = new Map(parts.map(({ id }, index) => [id, index]));
  const branches = new Map<string, number>();
  for (const [index, part] of parts.entries()) {
    const answered = indexes.get(answeredBy(part) ?? '');
    if (answered !== undefined && answered < index - 1) branches.set(part.id, answered);
  }
  return branches;
};

export const REPLY_ORDERS = ['top', 'recent'] as const;
export type ReplyOrder = (typeof REPLY_ORDERS)[number];

/** The answers to the post itself. A conversation may also show the answers to a reply, which do not count. */
export interface RepliesCount {
  readonly shown: number;
  /** Those that are parts of the author's thread: X counts them as replies. */
  readonly inThread: number;
  /** The number of X, as among the figures of the post. It includes replies that X does not show. */
  readonly total: number;
}

export const countReplies = ({ post, thread, replies }: Conversation): RepliesCount => ({
  shown: replies.filter((entry) => (answeredBy(entry) ?? post.id) === post.id).length,
  inThread: thread.filter((part) => answeredBy(part) === post.id).length,
  total: post.metrics.replies ?? 0,
});

/** @returns `, 1 more in the thread`, so that the numbers add up; empty if none is there */
export const inThreadText = ({ inThread }: RepliesCount): string =>
  inThread === 0 ? '' : `, ${inThread} more in the thread`;

/** @returns undefined if the conversation has as many as the post, or if the post does not count them */
export const countMissingReplies = (conversation: Conversation): RepliesCount | undefined => {
  const count = countReplies(conversation);
  return count.shown + count.inThread < count.total ? count : undefined;
};

export const isTombstone = (entry: PostOrTombstone): entry is Tombstone => 'unavailable' in entry;

/** A quote or an entry of a lookup can also be a tombstone, or a link to a post. */
export const isPost = (entry: object | undefined): entry is Post => entry !== undefined && 'metrics' in entry;

/** The post, and the entries around it. */
export const entriesOf = ({ post, ancestors, thread, replies }: Conversation): readonly PostOrTombstone[] => [
  post,
  ...ancestors,
  ...thread,
  ...replies,
];

/** Changes the entries around the post. */
export const mapAround = (
  { post, ancestors, thread, replies }: Conversation,
  change: (entry: PostOrTombstone) => PostOrTombstone,
): Conversation => ({
  post,
  ancestors: ancestors.map(change),
  thread: thread.map(change),
  replies: replies.map(change),
});

/** A preview has the title and possibly the first words of an article. */
export const isArticlePreview = ({ article }: Post): boolean => article !== undefined && article.blocks.length === 0;

/** @returns undefined: nothing is quoted, or the provider does not name what is */
export const idOfQuote = (quote: Post['quote']): string | undefined =>
  quote !== undefined && 'id' in quote ? quote.id : undefined;

/** The article of the post, or of a post that it quotes. */
export const hasArticlePreview = (post: Post): boolean => {
  for (let entry: Post['quote'] = post; isPost(entry); entry = entry.quote) if (isArticlePreview(entry)) return true;
  return false;
};

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
