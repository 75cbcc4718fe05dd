// Provides small valid models for tests of renderers.

import type { Post } from '../../shared/model/post.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import type { User } from '../../shared/model/user.ts';

export const userOf = (name = 'Ada', handle = 'ada'): User => ({ handle, name, url: `https://x.com/${handle}` });

export const postOf = (members: Partial<Post> = {}): Post => ({
  id: '20',
  url: 'https://x.com/ada/status/20',
  text: 'Hello',
  created_at: '2026-03-02T10:00:00Z',
  author: userOf(),
  metrics: { likes: 1, reposts: 0, replies: 2, quotes: null, bookmarks: null, views: 3000 },
  media: [],
  mentions: [],
  hashtags: [],
  cashtags: [],
  links: [],
  ...members,
});

export const conversationOf = (post: Post, around: Partial<Omit<Conversation, 'post'>> = {}): Conversation => ({
  post,
  ancestors: [],
  thread: [],
  replies: [],
  ...around,
});
