// The endpoint with the registry that the conformance suite asks for, on a free port of loopback. Prints its address.
import { fixtureRegistry } from '../support/mcp-fixtures.ts';
import { mcpHandler, serveMcp } from '../support/mcp-server.ts';

const { url } = await serveMcp(mcpHandler(fixtureRegistry));
console.log(url);
