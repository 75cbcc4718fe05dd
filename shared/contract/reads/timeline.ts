// Promises the posts of several profiles as one timeline.
import { HANDLE_LIST, MAX_HANDLES } from '../../model/handle.ts';
import { TIMELINE_FORMATS } from '../formats.ts';
import { OF_PROFILE, POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const mergeTimelines = {
  ...OF_PROFILE,
  path: '/api/v1/timeline',
  permalinks: {
    mergeTimelinesPermalink: { path: `/${HANDLE_LIST}`, fixed: { kind: 'posts' } },
    mergeRepliesTimelinesPermalink: { path: `/${HANDLE_LIST}/with_replies`, fixed: { kind: 'replies' } },
    mergeMediaTimelinesPermalink: { path: `/${HANDLE_LIST}/media`, fixed: { kind: 'media' } },
    mergeTimelinesFeed: { path: `/${HANDLE_LIST}/rss`, fixed: { kind: 'posts', format: 'rss' } },
    mergeRepliesTimelinesFeed: {
      path: `/${HANDLE_LIST}/with_replies/rss`,
      fixed: { kind: 'replies', format: 'rss' },
    },
    mergeMediaTimelinesFeed: { path: `/${HANDLE_LIST}/media/rss`, fixed: { kind: 'media', format: 'rss' } },
  },
  parameters: ['handles', 'kind', 'reposts', 'threads', 'since', 'until', ...POST_LIST_PARAMETERS],
  required: ['handles'],
  formats: TIMELINE_FORMATS,
  list: ['merged', 'kind', 'handles', 'since', 'until', 'reposts', 'threads'],
  resource: 'timeline',
  feedCache: 'timelineFeed',
  tool: 'x_list_posts',
  isForSeveralHandles: true,
  summary: 'List the posts of several public profiles as one timeline',
} as const satisfies Read;

export const mergeTimelinesWords: ReadWords = {
  description: `The posts of up to ${MAX_HANDLES} accounts, newest first by id over all of them, without reposts unless \`reposts=include\`. \`missing\` names the accounts that cannot be read. An account that failed goes on where it was: its posts come on the next page.`,
  example: { handles: 'X,ada_larsson', limit: '1' },
};
