// Measures a tool call without its use case, against the pattern that the SDK documents for servers without sessions: a
// new server with its tools and a new transport for every request.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as z from 'zod';
import type { Registry, TextContent } from '../../functions/mcp/registry.ts';
import { context } from '../../test/support/event.ts';
import { META, mirrored, rpc } from '../../test/support/mcp-calls.ts';
import { createTestRegistry } from '../../test/support/mcp-registry.ts';
import { mcpEvent, mcpHandler } from '../../test/support/mcp-server.ts';
import { microseconds, microsecondsRow, type Row, ratioRow, requireText } from './measure.ts';

const STATELESS_BAR = 0.1;
/** The SDK builds a server for each message of a handshake revision. */
const HANDSHAKE_BAR = 0.35;

const content: [TextContent] = [{ type: 'text', text: 'x'.repeat(8_000) }];
const RESULT = { content, structuredContent: { posts: [] } };

/** Lists the real tools and returns a constant result, so that only the protocol is measured. */
const constantRegistry = (): Registry => ({ ...createTestRegistry().registry, callTool: async () => RESULT });

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

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
  const request = new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS, body });
  const answer = await (await transport.handleRequest(request)).text();
  await server.close();
  return answer;
};

const PARAMS = { name: 'x_get_post', arguments: { url: 'https://x.com/jack/status/20' } };
const MESSAGE = JSON.stringify(rpc('tools/call', PARAMS));
const STATELESS = JSON.stringify(rpc('tools/call', { ...PARAMS, _meta: META }));

export const mcpRows = async (): Promise<Row[]> => {
  const handler = mcpHandler(constantRegistry());
  const lambda = context();
  const tasks = {
    handshake: () => handler(mcpEvent({ headers: HEADERS, body: MESSAGE }), lambda),
    stateless: () =>
      handler(mcpEvent({ headers: { ...HEADERS, ...mirrored('tools/call', PARAMS) }, body: STATELESS }), lambda),
    documented: () => documented(MESSAGE),
  };
  requireText(RESULT.content[0]?.text ?? '', {
    handshake: await tasks.handshake(),
    stateless: await tasks.stateless(),
    documented: await tasks.documented(),
  });
  const us = await microseconds(tasks);
  return [
    microsecondsRow('tools/call with a handshake, without the read', us.handshake),
    microsecondsRow('tools/call, stateless, without the read', us.stateless),
    ratioRow('tools/call with a handshake / documented pattern', us.handshake / us.documented, HANDSHAKE_BAR),
    ratioRow('tools/call, stateless / documented pattern', us.stateless / us.documented, STATELESS_BAR),
  ];
};
