// A conversation with fewer posts around the one that was asked for, where all of them would be too large for one answer.
import { warning } from '../contract/warnings.ts';
import type { Conversation } from '../model/conversation.ts';
import type { ResultParts, SourcedResult, UseCaseResult } from '../ports/upstream.ts';

const countOf = ({ ancestors, thread, replies }: Conversation): number =>
  ancestors.length + thread.length + replies.length;

/** The thread first, then the nearest ancestors, then replies: what reads on from the post is worth most. */
const nearest = ({ post, ancestors, thread, replies }: Conversation, count: number): Conversation => {
  const after = thread.slice(0, count);
  const before = Math.min(ancestors.length, count - after.length);
  return {
    post,
    ancestors: ancestors.slice(ancestors.length - before),
    thread: after,
    replies: replies.slice(0, count - after.length - before),
  };
};

const leftOut = (count: number): string =>
  `The answer would be too large: ${count === 1 ? '1 post' : `${count} posts`} of the conversation left out. Read them one by one, or pass replies=off.`;

const partsOf = (whole: SourcedResult<Conversation>, count: number): ResultParts<Conversation> => ({
  count,
  minimum: 0,
  keep: (kept) => ({
    ...whole,
    value: nearest(whole.value, kept),
    warnings: [...whole.warnings, warning('truncated', leftOut(countOf(whole.value) - kept))],
    parts: partsOf(whole, kept),
  }),
});

export const withConversationParts = (whole: SourcedResult<Conversation>): UseCaseResult<Conversation> => ({
  ...whole,
  parts: partsOf(whole, countOf(whole.value)),
});
