// Promises the posts that quote a post.
import { LIST_FORMATS } from '../formats.ts';
import { BELOW_POST, POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const listQuotes = {
  ...BELOW_POST,
  path: '/api/v1/posts/{id}/quotes',
  permalinks: { listQuotesPermalink: { path: '/{handle}/status/{id}/quotes' } },
  parameters: ['id', ...POST_LIST_PARAMETERS],
  required: ['id'],
  formats: LIST_FORMATS,
  list: ['quotes', 'id'],
  exportOption: 'quotes',
  resource: 'relatedPosts',
  toolChoice: 'quotes',
  summary: 'List the posts that quote a public post',
} as const satisfies Read;

export const listQuotesWords: ReadWords = {
  description: 'A page of the posts that quote the post, in the order of the source.',
  example: { id: '2028036267832246272', limit: '1' },
};
