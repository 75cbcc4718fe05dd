// The MCP endpoint as an operation: what HTTP sees of it. What its messages hold is for the protocol to say.

import { type HeaderName, headerDescriptions } from '../../contract/header-descriptions.ts';
import { MAX_BATCH_MESSAGES, MAX_BODY_BYTES } from '../../contract/mcp.ts';
import { mediaTypes } from '../../contract/media-types.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { TOOL_NAMES, useCases } from '../../contract/use-cases.ts';
import { byStatus, MCP_CODES } from './problems.ts';
import { EVERYWHERE, headers, type Json, problemResponse } from './responses.ts';

const AFTER_KEYS: readonly HeaderName[] = [...EVERYWHERE, 'X-Api-Key-Status'];
const OF_CALLS: readonly HeaderName[] = [...AFTER_KEYS, 'RateLimit-Policy', 'RateLimit'];

const BEFORE_KEYS: readonly number[] = [403, 413, 414, 415];

/** Of a call that failed for now: its result says the same. */
const { description, schema, example: seconds } = headerDescriptions['Retry-After'];
const retryAfter = { description, schema, example: seconds };

const message = { type: 'object', required: ['jsonrpc'], properties: { jsonrpc: { type: 'string', const: '2.0' } } };

const oneOrMany = { anyOf: [message, { type: 'array', items: message }] };

const messages = (description: string): Json => ({
  description,
  content: { [mediaTypes.json]: { schema: oneOrMany } },
});

const answers = (description: string, names: readonly HeaderName[]): Json => ({
  ...messages(description),
  headers: headers(names),
});

const example = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: useCases.readPost.tool, arguments: { url: 'https://x.com/jack/status/20' } },
};

export const mcpPaths = (): Json => ({
  [MCP_PATH]: {
    post: {
      operationId: 'callMcp',
      tags: ['MCP'],
      summary: 'Speak MCP: the same reads as tools',
      description: `JSON-RPC 2.0, one message or a batch of up to ${MAX_BATCH_MESSAGES}, in at most ${MAX_BODY_BYTES} bytes. The tools are ${TOOL_NAMES.map((name) => `\`${name}\``).join(', ')}. A spent allowance or a failure of the source inside of a call is a result with \`isError\`.`,
      security: [{}, { bearer: [] }],
      requestBody: {
        required: true,
        content: { [mediaTypes.json]: { schema: oneOrMany, example } },
      },
      responses: {
        200: {
          ...messages('The answer to each request.'),
          headers: { ...headers(OF_CALLS), 'Retry-After': retryAfter },
        },
        202: { description: 'Nothing in the body wanted an answer.', headers: headers(AFTER_KEYS) },
        400: answers('What JSON-RPC or MCP refuses as a whole, as a JSON-RPC error.', AFTER_KEYS),
        404: answers('A method that the stateless revision does not have, as a JSON-RPC error.', AFTER_KEYS),
        ...Object.fromEntries(
          [...byStatus(MCP_CODES)].map(([status, codes]) => [
            status,
            problemResponse(codes, [
              ...(BEFORE_KEYS.includes(status) ? EVERYWHERE : AFTER_KEYS),
              ...(status === 503 ? (['Retry-After'] as const) : []),
            ]),
          ]),
        ),
      },
    },
  },
});

export const mcpTag = { name: 'MCP', description: 'Model Context Protocol, Streamable HTTP without streams.' };
