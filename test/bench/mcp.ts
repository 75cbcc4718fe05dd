// Measures a tool call without its use case, against the pattern that the SDK documents for servers without sessions: a
// new server with its tools and a new transport for every request.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as z from 'zod';
import type { Registry, TextContent } from '../../functions/mcp/registry.ts';
import { context } from '../support/event.ts';
import { createTestRegistry } from '../support/mcp-registry.ts';
import { mcpEvent, mcpHandler } from '../support/mcp-server.ts';
import { microseconds, type Row, requireText } from './measure.ts';

const STATELESS_BAR = 0.1;
/** The SDK builds a server for each message of a handshake revision. */
const HANDSHAKE_BAR = 0.35;

const content: [TextContent] = [{ type: 'text', text: 'x'.repeat(8_000) }];
const RESULT = { content, structuredContent: { posts: [] } };

/** Lists the real tools and returns a constant result, so that only the protocol is measured. */
const constantRegistry = (): Registry => ({ ...createTestRegistry().registry, callTool: async () => RESULT });

const TOOLS = ['x_get_post', 'x_get_profile', 'x_list_followers', 'x_list_following', 'x_search_posts'];

const documented = async (body: string): Promise<string> => {
  const server = new McpServer({ name: 'peer', version: '1' });
  for (const name of TOOLS) {
    const inputSchema = { url: z.string().optional(), handle: z.string().optional(), limit: z.number().optional() };
    server.registerTool(
      name,
      { title: name, description: 'A tool.', inputSchema, outputSchema: { posts: z.array(z.object({})) } },
      async () => RESULT,
    );
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body,
  });
  const answer = await (await transport.handleRequest(request)).text();
  await server.close();
  return answer;
};

const message = (meta?: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'x_get_post', arguments: { url: 'https://x.com/jack/status/20' }, ...(meta && { _meta: meta }) },
  });

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MIRRORED = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x_get_post' };

export const mcpRows = async (): Promise<Row[]> => {
  const handler = mcpHandler(constantRegistry());
  const lambda = context();
  const tasks = {
    handshake: () => handler(mcpEvent({ headers: HEADERS, body: message() }), lambda),
    stateless: () => handler(mcpEvent({ headers: { ...HEADERS, ...MIRRORED }, body: message(META) }), lambda),
    documented: () => documented(message()),
  };
  requireText(RESULT.content[0]?.text ?? '', {
    handshake: await tasks.handshake(),
    stateless: await tasks.stateless(),
    documented: await tasks.documented(),
  });
  const us = await microseconds(tasks);
  return [
    { name: 'tools/call with a handshake, without the read', value: us.handshake, unit: 'us' },
    { name: 'tools/call, stateless, without the read', value: us.stateless, unit: 'us' },
    {
      name: 'tools/call with a handshake / documented pattern',
      value: us.handshake / us.documented,
      unit: 'ratio',
      bar: HANDSHAKE_BAR,
    },
    {
      name: 'tools/call, stateless / documented pattern',
      value: us.stateless / us.documented,
      unit: 'ratio',
      bar: STATELESS_BAR,
    },
  ];
};
