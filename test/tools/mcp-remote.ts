// Calls the tools of an MCP server through mcp-remote, as clients do that only start programs. Prints one line.
//
//   node test/tools/mcp-remote.ts PATH_OF_MCP_REMOTE URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [program = '', url = ''] = process.argv.slice(2);

const connect = async (...args: readonly string[]): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, url, ...args],
    stderr: 'ignore',
  });
  await client.connect(transport as never); // the type allows no undefined in optional members
  return client;
};

const client = await connect();
const { tools } = await client.listTools();
const result = await client.callTool({
  name: 'x_get_post',
  arguments: { url: 'https://x.com/jack/status/20', format: 'json' },
});
const pictured = await client.callTool({
  name: 'x_get_post',
  arguments: { id: '2032048958469046864', images: 1 },
});
const hasImage = Array.isArray(pictured.content) && pictured.content[1]?.type === 'image';
const failed = await client.callTool({ name: 'x_get_post', arguments: { url: 'https://x.com/jack' } });
await client.close();
const isKeyRefused = await connect('--header', 'Authorization:Bearer pstn_nonsense').then(
  () => false,
  () => true,
);
if (
  tools.length < 8 ||
  result.isError ||
  result.structuredContent === undefined ||
  !failed.isError ||
  !isKeyRefused ||
  !hasImage
) {
  console.error(JSON.stringify({ tools: tools.length, result, failed, isKeyRefused, hasImage }, null, 2));
  process.exit(1);
}
console.log(`mcp-remote lists ${tools.length} tools and calls them`);
