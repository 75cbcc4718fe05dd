// Promises the accounts that reposted a post.
import { LIST_FORMATS } from '../formats.ts';
import { BELOW_POST, LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const listReposts = {
  ...BELOW_POST,
  path: '/api/v1/posts/{id}/reposts',
  permalinks: { listRepostsPermalink: { path: '/{handle}/status/{id}/retweets' } },
  parameters: ['id', ...LIST_PARAMETERS],
  required: ['id'],
  formats: LIST_FORMATS,
  list: ['reposts', 'id'],
  exportOption: 'reposts',
  resource: 'reposters',
  toolChoice: 'reposts',
  summary: 'List the accounts that reposted a public post',
} as const satisfies Read;

export const listRepostsWords: ReadWords = {
  description: 'A page of the accounts that reposted the post, in the order of the source.',
  example: { id: '2028036267832246272', limit: '1' },
};
