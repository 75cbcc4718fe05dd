// Provides constructed conversations for golden files, with all kinds of posts around a post.

import type { Post, Tombstone } from '../../shared/model/post.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import { conversationOf, postOf, userOf } from './post-models.ts';
import { BLOCKS } from './rich-articles.ts';
import { ada, at, bo, photo } from './rich-media.ts';
import { RICH_POSTS } from './rich-posts.ts';

const likes = (count: number): Post['metrics'] => ({
  likes: count,
  reposts: 0,
  replies: 1,
  quotes: 2,
  bookmarks: 3,
  views: 1_234_567,
});

const gone = (id: string, reason: Tombstone['reason']): Tombstone => ({ id, unavailable: true, reason });

const part = (id: number, members: Partial<Post> = {}): Post =>
  postOf({
    id: String(id),
    url: `https://x.com/ada/status/${id}`,
    text: `Part ${id}`,
    author: ada,
    created_at: at(2),
    ...(id > 20 && { in_reply_to: { handle: 'ada', id: String(id - 1) } }),
    ...members,
  });

const reply = (id: number, count: number, members: Partial<Post> = {}): Post =>
  postOf({
    id: String(id),
    text: `Reply ${id}`,
    author: bo,
    created_at: at(3),
    metrics: likes(count),
    in_reply_to: { handle: 'ada', id: '20' },
    ...members,
  });

const TO_29 = { in_reply_to: { handle: 'ada', id: '29' } };

/** Conversations with all kinds of neighbors, by name. */
export const RICH_CONVERSATIONS: ReadonlyMap<string, Conversation> = new Map([
  [
    'thread',
    conversationOf(part(20, { metrics: { ...likes(5), replies: 9 } }), {
      thread: [
        part(21, { media: [photo({ alt_text: 'The first picture' })] }),
        gone('22', 'deleted'),
        part(23, { created_at: at(3), media: [photo()], poll: { choices: [], total_votes: 3, closed: true } }),
        part(24, { created_at: undefined }),
        part(25, { created_at: at(4), article: { title: 'In a thread', blocks: BLOCKS } }),
      ],
      replies: [
        reply(30, 9),
        gone('31', 'protected'),
        reply(32, 5),
        part(33, { in_reply_to: { handle: 'bo', id: '32' } }),
      ],
    }),
  ],
  [
    'thread-from-its-middle',
    conversationOf(part(22, { community: { id: '7', name: 'Tides' } }), {
      ancestors: [reply(18, 1), part(20, { community: { id: '7' } }), part(21)],
      thread: [part(23, { created_at: at(3), community: { id: '7' } })],
    }),
  ],
  [
    'reply',
    conversationOf(postOf({ id: '29', in_reply_to: { handle: 'cy', id: '28' } }), {
      ancestors: [
        gone('24', 'suspended'),
        reply(25, 1),
        postOf({ id: '26', author: userOf('Cy', 'cy'), text: 'Long. '.repeat(120) }),
        reply(27, 1),
        postOf({ id: '28', author: userOf('Cy', 'cy'), text: 'Nearest. '.repeat(120) }),
      ],
      replies: [reply(31, 2, { created_at: at(6), ...TO_29 }), reply(32, 2, { created_at: at(5), ...TO_29 })],
    }),
  ],
  [
    'reply-with-one-ancestor',
    conversationOf(postOf({ id: '29', in_reply_to: { handle: 'bo', id: '28' } }), {
      ancestors: [reply(28, 1)],
      replies: [reply(31, 2, { created_at: at(5), ...TO_29 }), reply(32, 2, { created_at: at(6), ...TO_29 })],
    }),
  ],
  ['reply-with-unread-ancestors', conversationOf(postOf({ in_reply_to: { handle: 'bo', id: '28' } }), {})],
  ['post-without-counts', conversationOf(RICH_POSTS.get('nothing') ?? postOf(), { replies: [reply(31, 0)] })],
]);
