// Checks which posts of a conversation form the author's thread.
import { expect, test } from 'vitest';
import { ownThread } from '../../../shared/model/conversation.ts';
import type { Post, PostOrTombstone, Tombstone } from '../../../shared/model/post.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';

const by = (handle: string, id: string, parent?: Post['in_reply_to']): Post =>
  postOf({ id, author: userOf(handle, handle), ...(parent && { in_reply_to: parent }) });

const missing = (id: string): Tombstone => ({ id, unavailable: true, reason: 'deleted' });

const group = (
  post: Post,
  ancestors: readonly PostOrTombstone[],
  thread: readonly PostOrTombstone[] = [],
): readonly [context: string, parts: string, focalIndex: number] => {
  const { context, parts, focalIndex } = ownThread(
    conversationOf(post, { ancestors: [...ancestors], thread: [...thread] }),
  );
  const ids = (entries: readonly PostOrTombstone[]): string => entries.map(({ id }) => id).join(' ');
  return [ids(context), ids(parts), focalIndex];
};

const toAda = (id: string): Post['in_reply_to'] => ({ handle: 'ada', id });

test('a post by the author is context if the thread answers another author between them', () => {
  expect(group(by('ada', '3', { handle: 'bob', id: '2' }), [by('ada', '1')])).toEqual(['1', '3', 0]);
});

test('a tombstone of unknown authorship is a part only between two parts', () => {
  expect(group(by('ada', '3'), [by('ada', '1'), missing('2')])).toEqual(['', '1 2 3', 2]);
  expect(group(by('ada', '3'), [by('bob', '1'), missing('2')])).toEqual(['1 2', '3', 0]);
  expect(group(by('ada', '4', toAda('3')), [missing('2'), missing('3')])).toEqual(['2', '3 4', 1]);
  expect(group(by('ada', '4', toAda('3')), [by('ada', '1'), missing('2'), missing('3')])).toEqual(['', '1 2 3 4', 3]);
});
