// Promises the posts of a list of X.
import { POST_LIST_FORMATS } from '../formats.ts';
import { OF_PROFILE, POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const readXList = {
  ...OF_PROFILE,
  path: '/api/v1/lists/{id}/posts',
  permalinks: {
    readXListPermalink: { path: '/i/lists/{id}' },
    readXListFeed: { path: '/i/lists/{id}/rss', fixed: { format: 'rss' } },
  },
  parameters: ['id', ...POST_LIST_PARAMETERS],
  required: ['id'],
  formats: POST_LIST_FORMATS,
  list: ['list of X', 'id'],
  exportOption: 'list',
  resource: 'xList',
  problems: ['not_available_here'],
  tool: 'x_list_posts',
  summary: 'List the posts of a public list of X',
} as const satisfies Read;

export const readXListWords: ReadWords = {
  description: 'A page of the posts of a list of X, the newest first as its source has them.',
  example: { id: '2026', limit: '1' },
};
