// Promises several posts at once.
import { MAX_LOOKUP_POSTS } from '../bounds.ts';
import { LOOKUP_FORMATS } from '../formats.ts';
import { OF_POSTS, type Read, type ReadWords } from './row.ts';

export const lookupPosts = {
  ...OF_POSTS,
  lambda: 'posts',
  path: '/api/v1/posts/lookup',
  permalinks: {},
  parameters: ['ids', 'format', 'max_tokens', 'metrics'],
  required: ['ids'],
  formats: LOOKUP_FORMATS,
  resource: 'postLookup',
  problems: [],
  tool: 'x_get_posts',
  summary: 'Read several public posts at once',
} as const satisfies Read;

export const lookupPostsWords: ReadWords = {
  description: `Up to ${MAX_LOOKUP_POSTS} posts, in the order of \`ids\`. A post that cannot be read is a tombstone in its place.`,
  example: { ids: '20,1990000000000000001' },
};
