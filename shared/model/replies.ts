// Names the orders of replies, and bounds and counts the replies of a conversation.
import { answeredBy } from './entries.ts';
import type { PostOrTombstone } from './post.ts';
import type { Conversation } from './resources.ts';

export const REPLY_ORDERS = ['top', 'recent'] as const;
export type ReplyOrder = (typeof REPLY_ORDERS)[number];

/** A conversation has at most this many replies. The list of replies has all. */
export const MAX_CONVERSATION_REPLIES = 20;

export interface RepliesCount {
  readonly shown: number;
  readonly total: number;
}

/**
 * Counts the replies to the post. X counts the first part of the author's thread as a reply; the answers to a reply, which a
 * conversation may show too, do not count.
 *
 * @returns undefined if the conversation has as many as the post, or if the post does not count them
 */
export const missingReplies = ({ post, thread, replies }: Conversation): RepliesCount | undefined => {
  const isAnswer = (entry: PostOrTombstone): boolean => (answeredBy(entry) ?? post.id) === post.id;
  const ownAnswers = thread.filter((part) => answeredBy(part) === post.id);
  const shown = replies.filter(isAnswer).length;
  const total = (post.metrics.replies ?? 0) - ownAnswers.length;
  return shown < total ? { shown, total } : undefined;
};

/** The start of the message of the warning `more_replies`. */
export const missingSentence = ({ shown, total }: RepliesCount): string => `${shown} of ${total} replies are shown.`;

const MISSING = /^([0-9]+) of ([0-9]+) replies are shown\./;

/** @returns the counts in the message of the warning `more_replies`; undefined if it has none */
export const parseMissing = (message: string): RepliesCount | undefined => {
  const [match, shown, total] = MISSING.exec(message) ?? [];
  return match === undefined ? undefined : { shown: Number(shown), total: Number(total) };
};
