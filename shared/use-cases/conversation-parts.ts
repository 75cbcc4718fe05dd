// Reduces a conversation to the posts nearest to the focal post, if the whole conversation is too large for one answer.
import { warning } from '../contract/warnings.ts';
import type { Conversation } from '../model/conversation.ts';
import type { ResultParts, SourcedResult, UseCaseResult } from '../ports/upstream.ts';

const countParts = ({ ancestors, thread, replies }: Conversation): number =>
  ancestors.length + thread.length + replies.length;

/** Keeps the thread first, then the nearest ancestors, then the replies. */
const keepNearest = ({ post, ancestors, thread, replies }: Conversation, count: number): Conversation => {
  const after = thread.slice(0, count);
  const before = Math.min(ancestors.length, count - after.length);
  return {
    post,
    ancestors: ancestors.slice(ancestors.length - before),
    thread: after,
    replies: replies.slice(0, count - after.length - before),
  };
};

const truncationMessage = (count: number): string =>
  `The answer would be too large: ${count === 1 ? '1 post' : `${count} posts`} of the conversation left out. Read them one by one, or pass replies=off.`;

const partsOf = (whole: SourcedResult<Conversation>, count: number): ResultParts<Conversation> => ({
  count,
  minimum: 0,
  keep: (keptCount) => ({
    ...whole,
    value: keepNearest(whole.value, keptCount),
    warnings: [...whole.warnings, warning('truncated', truncationMessage(countParts(whole.value) - keptCount))],
    parts: partsOf(whole, keptCount),
  }),
});

export const withConversationParts = (whole: SourcedResult<Conversation>): UseCaseResult<Conversation> => ({
  ...whole,
  parts: partsOf(whole, countParts(whole.value)),
});
