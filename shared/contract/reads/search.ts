// Promises a search for posts, or for accounts.
import { POST_LIST_FORMATS } from '../formats.ts';
import { POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

/** Searches have a Lambda of their own, because they have an allowance of their own. */
export const searchPosts = {
  lambda: 'search',
  path: '/api/v1/search',
  permalinks: {
    searchPostsPermalink: { path: '/search', formFor: 'q' },
    searchPostsFeed: { path: '/search/rss', fixed: { format: 'rss' } },
  },
  parameters: ['q', 'feed', ...POST_LIST_PARAMETERS],
  required: ['q'],
  formats: POST_LIST_FORMATS,
  list: ['search', 'feed', 'q'],
  exportOption: 'search',
  resource: 'search',
  cache: 'list',
  representation: 'negotiated',
  apiKey: 'honoured',
  allowance: 'search',
  problems: ['invalid_query'],
  tool: 'x_search_posts',
  summary: 'Search public posts, or accounts',
} as const satisfies Read;

export const searchPostsWords: ReadWords = {
  description: 'A page of posts, or with `feed=users` of accounts, that match the words and operators of `q`.',
  example: { q: '#ferries', limit: '1' },
};
