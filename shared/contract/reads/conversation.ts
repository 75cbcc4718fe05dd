// Promises the tree of what answers a post.
import { CONVERSATION_FORMATS } from '../formats.ts';
import { BELOW_POST, type Read, type ReadWords } from './row.ts';

export const readConversation = {
  ...BELOW_POST,
  path: '/api/v1/posts/{id}/conversation',
  permalinks: { readConversationPermalink: { path: '/{handle}/status/{id}/conversation' } },
  parameters: ['id', 'format', 'cursor', 'max_tokens', 'metrics'],
  required: ['id'],
  formats: CONVERSATION_FORMATS,
  list: ['conversation', 'id'],
  exportOption: 'conversation',
  resource: 'conversation',
  toolFlag: { name: 'tree', description: 'All answers, nested.' },
  summary: 'Read all that answers a public post, as a tree',
} as const satisfies Read;

export const readConversationWords: ReadWords = {
  description:
    'The post, each reply with what answers it, and each gap with its reason. An answer takes up to 30 calls of the source, each of which charges a unit; `next_cursor` goes on where they did not suffice.',
  example: { id: '2034948061393847826' },
};
