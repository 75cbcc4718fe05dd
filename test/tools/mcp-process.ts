// Calls the tools of an MCP server that is a process, with the official client. Prints one line.
//
//   node test/tools/mcp-process.ts COMMAND [ARGUMENT…]
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [command = '', ...args] = process.argv.slice(2);
const { PATH = '' } = process.env;
const client = new Client({ name: 'test', version: '1' });
const transport = new StdioClientTransport({
  command,
  args,
  env: { PATH, UPSTREAM: 'sample', DATA_DIR: 'memory' },
  stderr: 'ignore',
});
await client.connect(transport as never); // the type allows no undefined in optional members
const { tools } = await client.listTools();
const results = await Promise.all(
  ['jack/status/20', 'ada_larsson/status/2028036267832246272'].map((path) =>
    client.callTool({ name: 'x_get_post', arguments: { url: `https://x.com/${path}`, format: 'json' } }),
  ),
);
await client.close();
if (tools.length < 8 || results.some(({ isError, structuredContent }) => isError || structuredContent === undefined)) {
  console.error(JSON.stringify({ tools: tools.length, results }, null, 2));
  process.exit(1);
}
console.log(`the process lists ${tools.length} tools and answers ${results.length} calls`);
