// Promises the posts of a profile by kind and date.
import { POST_LIST_FORMATS } from '../formats.ts';
import { OF_PROFILE, POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const listPosts = {
  ...OF_PROFILE,
  path: '/api/v1/profiles/{handle}/posts',
  permalinks: {
    listRepliesTimelinePermalink: { path: '/{handle}/with_replies', fixed: { kind: 'replies' } },
    listMediaPermalink: { path: '/{handle}/media', fixed: { kind: 'media' } },
    listArticlesPermalink: { path: '/{handle}/articles', fixed: { kind: 'articles' } },
    // The feeds of nitter, so that subscriptions only need another host.
    listPostsFeed: { path: '/{handle}/rss', fixed: { kind: 'posts', format: 'rss' } },
    listRepliesTimelineFeed: { path: '/{handle}/with_replies/rss', fixed: { kind: 'replies', format: 'rss' } },
    listMediaFeed: { path: '/{handle}/media/rss', fixed: { kind: 'media', format: 'rss' } },
  },
  parameters: ['handle', 'kind', 'reposts', 'threads', 'since', 'until', ...POST_LIST_PARAMETERS],
  required: ['handle'],
  formats: POST_LIST_FORMATS,
  list: ['timeline', 'kind', 'handle', 'since', 'until', 'reposts', 'threads'],
  resource: 'profilePosts',
  tool: 'x_list_posts',
  summary: 'List the posts of a public profile by kind and date',
} as const satisfies Read;

export const listPostsWords: ReadWords = {
  description:
    'A page of the posts of the account in the order of X, without reposts unless `reposts=include`. `kind` selects the posts, `since` and `until` a period.',
  example: { handle: 'ada_larsson', kind: 'media', limit: '1' },
};
