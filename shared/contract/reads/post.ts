// Promises a post with the conversation around it.
import { MAX_CONVERSATION_REPLIES } from '../../model/lists.ts';
import { POST_FORMATS } from '../formats.ts';
import { ANY_HANDLE, OF_POSTS, type Read, type ReadWords } from './row.ts';

export const readPost = {
  ...OF_POSTS,
  lambda: 'posts',
  path: '/api/v1/posts',
  permalinks: {
    readPostPermalink: {
      path: '/{handle}/status/{id}',
      alsoAt: [
        '/{handle}/status/{id}/photo/{number}',
        '/{handle}/status/{id}/video/{number}',
        '/{handle}/statuses/{id}',
        '/{handle}/article/{id}',
        // The address of FxTwitter.
        '/{handle}/status/{id}/{lang}',
      ],
    },
    readPostWebPermalink: { path: '/i/web/status/{id}', fixed: { handle: ANY_HANDLE } },
  },
  parameters: [
    'url',
    'handle',
    'id',
    'format',
    'thread',
    'replies',
    'layout',
    'max_tokens',
    'part',
    'metrics',
    'lang',
    'translation',
    'download',
  ],
  required: [],
  formats: POST_FORMATS,
  resource: 'post',
  problems: ['post_protected', 'post_not_found', 'withheld_by_operator'],
  tool: 'x_get_post',
  summary: 'Read a public post with the conversation around it',
} as const satisfies Read;

export const readPostWords: ReadWords = {
  description: `Pass \`url\`, or \`handle\` and \`id\`. The answer has the post, the posts before it, the rest of its thread, and up to ${MAX_CONVERSATION_REPLIES} replies.`,
  example: { url: 'https://x.com/jack/status/20' },
};
