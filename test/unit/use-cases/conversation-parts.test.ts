// Tests which posts of a conversation stay if the whole conversation is too large for one answer.
import { expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import { withConversationParts } from '../../../shared/use-cases/conversation-parts.ts';
import { postOf } from '../../support/post-models.ts';

const conversation: Conversation = {
  post: postOf({ id: '50' }),
  ancestors: ['10', '20', '30'].map((id) => postOf({ id })),
  thread: ['60', '70'].map((id) => postOf({ id })),
  replies: ['80', '90'].map((id) => postOf({ id })),
};

const keptOf = (count: number): readonly string[] => {
  const whole = { value: conversation, source: 'fxtwitter', fetchedAt: 0, warnings: [] };
  const { value } = withConversationParts(whole).parts?.keep(count) ?? whole;
  return [...value.ancestors, ...value.thread, ...value.replies].map(({ id }) => id);
};

test.each([
  [0, []],
  [1, ['60']],
  [2, ['60', '70']],
  [3, ['30', '60', '70']],
  [4, ['20', '30', '60', '70']],
  [5, ['10', '20', '30', '60', '70']],
  [6, ['10', '20', '30', '60', '70', '80']],
])(
  'withConversationParts() keeps the thread, then the nearest ancestors, then replies: %i posts are %j',
  (count, ids) => {
    expect(keptOf(count)).toEqual(ids);
  },
);
