// Serves the registry that the conformance suite requires on a free loopback port, and prints the URL.
import { fixtureRegistry } from '../support/mcp-fixtures.ts';
import { mcpHandler, serveMcp } from '../support/mcp-server.ts';

const { url } = await serveMcp(mcpHandler(fixtureRegistry));
console.log(url);
