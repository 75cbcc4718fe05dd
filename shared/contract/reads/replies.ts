// Promises the replies to a post.
import { LIST_FORMATS } from '../formats.ts';
import { BELOW_POST, POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const listReplies = {
  ...BELOW_POST,
  path: '/api/v1/posts/{id}/replies',
  permalinks: { listRepliesPermalink: { path: '/{handle}/status/{id}/replies' } },
  parameters: ['id', 'sort', ...POST_LIST_PARAMETERS],
  required: ['id'],
  formats: LIST_FORMATS,
  list: ['replies', 'sort', 'id'],
  exportOption: 'replies',
  resource: 'relatedPosts',
  toolChoice: 'replies',
  summary: 'List the replies to a public post',
} as const satisfies Read;

export const listRepliesWords: ReadWords = {
  description:
    'A page of the replies to the post, as X orders the most liked or the newest. The continuation of the thread by its author is not among them.',
  example: { id: '2034932961899447678', limit: '1' },
};
