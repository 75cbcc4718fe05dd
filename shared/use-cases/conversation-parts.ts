// Reduces a conversation to the posts nearest to the focal post, if the whole conversation is too large for one answer.
import { warning } from '../contract/warnings.ts';
import type { Conversation, Warning } from '../model/resources.ts';
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

/** @returns the warnings that depend on the posts of a conversation */
type WarningsOf = (conversation: Conversation) => readonly Warning[];

const partsOf = (
  whole: SourcedResult<Conversation>,
  warningsOf: WarningsOf,
  count: number,
): ResultParts<Conversation> => ({
  count,
  minimum: 0,
  keep(keptCount) {
    const value = keepNearest(whole.value, keptCount);
    const truncated = warning('truncated', truncationMessage(countParts(whole.value) - keptCount));
    return {
      ...whole,
      value,
      warnings: [...whole.warnings, ...warningsOf(value), truncated],
      parts: partsOf(whole, warningsOf, keptCount),
    };
  },
});

/** @param warningsOf @default none */
export const withConversationParts = (
  whole: SourcedResult<Conversation>,
  warningsOf: WarningsOf = () => [],
): UseCaseResult<Conversation> => ({
  ...whole,
  warnings: [...whole.warnings, ...warningsOf(whole.value)],
  parts: partsOf(whole, warningsOf, countParts(whole.value)),
});
