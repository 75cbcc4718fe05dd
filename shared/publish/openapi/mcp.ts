// Describes the MCP endpoint as an HTTP operation. The MCP specification describes its messages.
import { type HeaderName, headerDescriptions } from '../../contract/header-descriptions.ts';
import { MAX_BATCH_MESSAGES, MAX_MESSAGE_BYTES, TOOL_NAMES, TOOL_SETS, TOOLS_PARAMETER } from '../../contract/mcp.ts';
import { mediaTypes } from '../../contract/media-types.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { useCases } from '../../contract/use-cases.ts';
import { asRecord } from '../../model/json.ts';
import { groupByStatus, MCP_CODES, MCP_QUERY_CODES } from './problems.ts';
import { BASE_HEADER_NAMES, headers, type Json, problemResponse, ref } from './responses.ts';

const KEYED_HEADER_NAMES: readonly HeaderName[] = [...BASE_HEADER_NAMES, 'X-Api-Key-Status'];
const CALL_HEADER_NAMES: readonly HeaderName[] = [...KEYED_HEADER_NAMES, 'RateLimit-Policy', 'RateLimit'];

/** The key is checked later or, with 429, not at all. */
const UNKEYED_STATUSES: readonly number[] = [403, 413, 414, 415, 429];
const WAITING_STATUSES: readonly number[] = [429, 503];

/** A tool call that can be retried. Its result contains the same number of seconds. */
const { description, schema, example: seconds } = headerDescriptions['Retry-After'];
const retryAfter = { description, schema, example: seconds };

export const mcpSchemas = {
  // Without a type, it describes the members of an object and allows an array. Generators fail at an array in a union.
  JsonRpcMessage: {
    description:
      'A request, a notification or an answer of JSON-RPC 2.0, or a batch: an array of them. The MCP specification describes the members.',
    required: ['jsonrpc'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { description: 'Text or an integer; null if the request is not readable.' },
      method: { type: 'string' },
      params: {},
      result: {},
      error: ref('schemas', 'JsonRpcError'),
    },
  },
  JsonRpcError: {
    type: 'object',
    description: 'Why a request has no result.',
    required: ['code', 'message'],
    properties: { code: { type: 'integer', format: 'int32' }, message: { type: 'string' }, data: {} },
  },
};

const oneOrMany = ref('schemas', 'JsonRpcMessage');

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

const toolSetParameter = {
  name: TOOLS_PARAMETER,
  in: 'query',
  description: 'research: only the tools `search` and `fetch`, in the shape that connectors of ChatGPT require.',
  schema: { type: 'string', enum: TOOL_SETS },
  example: TOOL_SETS[0],
};

/** A wrong message has a JSON-RPC error, and a wrong query a problem document. */
const badRequest = (): Json => {
  const { description: problem, content, ...rest } = problemResponse(MCP_QUERY_CODES, KEYED_HEADER_NAMES);
  return {
    ...rest,
    description: `The message is not valid JSON-RPC or MCP: the body is a JSON-RPC error. Or the query is wrong. ${problem}`,
    content: { [mediaTypes.json]: { schema: oneOrMany }, ...asRecord(content) },
  };
};

export const mcpPaths = (): Json => ({
  [MCP_PATH]: {
    post: {
      operationId: 'callMcp',
      tags: ['MCP'],
      summary: 'Call the MCP server: the same operations as tools',
      description: `JSON-RPC 2.0, one message or a batch of up to ${MAX_BATCH_MESSAGES}, in at most ${MAX_MESSAGE_BYTES} bytes. The tools are ${TOOL_NAMES.map((name) => `\`${name}\``).join(', ')}. If a call exceeds the allowance or the upstream fails, the result has \`isError\`.`,
      security: [{}, { bearer: [] }],
      parameters: [toolSetParameter],
      requestBody: { required: true, content: { [mediaTypes.json]: { schema: oneOrMany, example } } },
      responses: {
        200: {
          ...messages('The answers to the requests of the body.'),
          headers: { ...headers(CALL_HEADER_NAMES), 'Retry-After': retryAfter },
        },
        202: {
          description: 'The body contained no request that needs an answer.',
          headers: headers(KEYED_HEADER_NAMES),
        },
        400: badRequest(),
        404: answers(
          'The stateless revision does not have the method. The body is a JSON-RPC error.',
          KEYED_HEADER_NAMES,
        ),
        ...Object.fromEntries(
          [...groupByStatus(MCP_CODES)].map(([status, codes]) => [
            status,
            problemResponse(codes, [
              ...(UNKEYED_STATUSES.includes(status) ? BASE_HEADER_NAMES : KEYED_HEADER_NAMES),
              ...(WAITING_STATUSES.includes(status) ? (['Retry-After'] as const) : []),
            ]),
          ]),
        ),
      },
    },
  },
});

export const mcpTag = { name: 'MCP', description: 'Model Context Protocol, Streamable HTTP without streams.' };
