// Promises the tree of what answers a post.
import { MAX_CONVERSATION_CALLS } from '../bounds.ts';
import { CONVERSATION_FORMATS } from '../formats.ts';
import { BELOW_POST, type Read, type ReadWords } from './row.ts';

export const readConversation = {
  ...BELOW_POST,
  path: '/api/v1/posts/{id}/conversation',
  permalinks: { readConversationPermalink: { path: '/{handle}/status/{id}/conversation' } },
  parameters: ['id', 'format', 'cursor', 'max_tokens', 'metrics', 'lang', 'translation'],
  required: ['id'],
  formats: CONVERSATION_FORMATS,
  list: ['conversation', 'id'],
  mostUnits: MAX_CONVERSATION_CALLS,
  exportOption: 'conversation',
  resource: 'conversation',
  toolFlag: { name: 'tree', description: 'All answers, nested.' },
  summary: 'Read all that answers a public post, as a tree',
} as const satisfies Read;

export const readConversationWords: ReadWords = {
  description: `The post, each reply with what answers it, and each gap with its reason. An answer takes up to ${MAX_CONVERSATION_CALLS} calls of the source, each of which charges a unit; \`next_cursor\` goes on where they did not suffice, and until the last page depths are the fewest possible.`,
  example: { id: '2034948061393847826' },
};
