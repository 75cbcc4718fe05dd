// The words of a conversation that Markdown and pages share.
import type { ConversationGap, ConversationTree, TreePost } from '../../model/resources.ts';
import { formatCount, formatNumber } from '../../render/content/format.ts';
import { tombstoneSentence } from '../../render/content/labels.ts';

/** @param handle of the author of the post, if it is known */
export const conversationTitle = (handle?: string): string =>
  handle === undefined ? 'Conversation' : `Conversation below a post of @${handle}`;

const countReplies = (count: number): string => formatCount(count, 'reply', 'replies');

/** @returns such as `12 of 15 replies` */
export const completenessWords = ({ found, said }: ConversationTree['completeness']): string =>
  found === said ? countReplies(found) : `${formatNumber(found)} of ${countReplies(said)}`;

/** @param subject of a sentence about one post @returns such as `3 more replies: not given by the source.` */
export const gapSentence = ({ id, reason, count }: ConversationGap, subject: string): string => {
  if (reason !== 'not_given') return tombstoneSentence(reason, subject);
  return id === undefined
    ? `${formatCount(count, 'more reply', 'more replies')}: not given by the source.`
    : `${subject} is not given by the source.`;
};

/** @returns the number of posts below the post with the index */
export const countBelow = (posts: readonly Pick<TreePost, 'depth'>[], index: number): number => {
  const depth = posts[index]?.depth ?? 0;
  let end = index + 1;
  while ((posts[end]?.depth ?? -1) > depth) end += 1;
  return end - index - 1;
};
