// Tests which posts of a conversation stay if the whole conversation is too large for one answer.
import { expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import { withConversationParts } from '../../../shared/use-cases/read-post.ts';
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

test('a reduced conversation says how many posts are left out, and can be reduced again', () => {
  const warnings = [{ code: 'text_incomplete', message: 'cut' }];
  const { parts } = withConversationParts({ value: conversation, source: 'fxtwitter', fetchedAt: 5, warnings });
  expect(parts).toMatchObject({ count: 7, minimum: 0 });
  const told = (posts: string) => ({
    code: 'truncated',
    message: `The answer would be too large: ${posts} of the conversation left out. Read them one by one, or pass replies=off.`,
  });
  const six = parts?.keep(6);
  expect(six).toMatchObject({ source: 'fxtwitter', fetchedAt: 5, warnings: [...warnings, told('1 post')] });
  expect(parts?.keep(5).warnings).toEqual([...warnings, told('2 posts')]);
  expect(six?.parts).toMatchObject({ count: 6, minimum: 0 });
  expect(six?.parts?.keep(0).value).toEqual({ post: conversation.post, ancestors: [], thread: [], replies: [] });
  expect(parts?.keep(7).value).toEqual(conversation);
});
