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

test('[threads 3] the thread is the same from each of its parts', () => {
  const parts = [by('ada', '1'), by('ada', '2', toAda('1')), by('ada', '3', toAda('2')), by('ada', '4', toAda('3'))];
  const found = parts.map((post, index) => group(post, parts.slice(0, index), parts.slice(index + 1)));
  expect(found).toEqual([0, 1, 2, 3].map((index) => ['', '1 2 3 4', index]));
});

test('the posts of other authors before the thread are its context', () => {
  const ancestors = [by('ada', '1'), by('bob', '2', toAda('1')), by('ada', '3', { handle: 'bob', id: '2' })];
  expect(group(by('ada', '4', toAda('3')), ancestors)).toEqual(['1 2', '3 4', 1]);
});

test('a post that answers another author begins the thread', () => {
  expect(group(by('ada', '2', { handle: 'bob', id: '1' }), [by('bob', '1')], [by('ada', '3')])).toEqual([
    '1',
    '2 3',
    0,
  ]);
});

test('a post by the author is context if the thread answers another author between them', () => {
  expect(group(by('ada', '3', { handle: 'bob', id: '2' }), [by('ada', '1')])).toEqual(['1', '3', 0]);
});

test('handles are compared without regard to letter case, and an answer is recognized by its id', () => {
  const renamed = by('ada', '2', { handle: 'old_name', id: '1' });
  expect(group(renamed, [by('ADA', '1')])).toEqual(['', '1 2', 1]);
});

test('a tombstone that a part answers is a part only if its author wrote that part', () => {
  expect(group(by('ada', '2', toAda('1')), [missing('1')])).toEqual(['', '1 2', 1]);
  expect(group(by('ada', '2', { handle: 'bob', id: '1' }), [missing('1')])).toEqual(['1', '2', 0]);
});

test('a tombstone of unknown authorship is a part only between two parts', () => {
  expect(group(by('ada', '3'), [by('ada', '1'), missing('2')])).toEqual(['', '1 2 3', 2]);
  expect(group(by('ada', '3'), [by('bob', '1'), missing('2')])).toEqual(['1 2', '3', 0]);
  expect(group(by('ada', '4', toAda('3')), [missing('2'), missing('3')])).toEqual(['2', '3 4', 1]);
  expect(group(by('ada', '4', toAda('3')), [by('ada', '1'), missing('2'), missing('3')])).toEqual(['', '1 2 3 4', 3]);
});

test('without a known author no ancestor is a part', () => {
  const { author: _author, ...post } = postOf({ id: '2', in_reply_to: toAda('1') });
  const { author: _other, ...ancestor } = postOf({ id: '1' });
  expect(group(post, [ancestor], [by('ada', '3')])).toEqual(['1', '2 3', 0]);
});
