// Builds the descriptions of the MCP server: the server card (SEP-2127) and the entry of the MCP registry.
import { documents } from '../contract/documents.ts';
import { MCP_VERSIONS } from '../contract/mcp.ts';
import { MCP_PATH } from '../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B, REVERSE_DOMAIN_PLACEHOLDER } from '../contract/placeholders.ts';
import { jsonText } from './json-text.ts';
import type { Release } from './release.ts';

/** Both schemas allow at most 100 characters. */
const DESCRIPTION = 'Read public posts, profiles, followers and searches of X as Markdown or JSON. Read-only.';

const KEY_HEADER = {
  name: 'Authorization',
  description: 'Bearer and an API key of the operator. Optional: it raises the search allowance.',
  isRequired: false,
  isSecret: true,
};

const remote = { type: 'streamable-http', url: `${B}${MCP_PATH}`, headers: [KEY_HEADER] };

const commonMembers = ({ version }: Release) => ({
  name: `${REVERSE_DOMAIN_PLACEHOLDER}/postern`,
  title: 'Postern',
  description: DESCRIPTION,
  version,
  websiteUrl: `${B}${documents.mcp.path}`,
});

export const serverCard = (release: Release): string =>
  jsonText({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...commonMembers(release),
    remotes: [{ ...remote, supportedProtocolVersions: MCP_VERSIONS }],
  });

export const serverJson = (release: Release): string =>
  jsonText({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...commonMembers(release),
    remotes: [remote],
  });
