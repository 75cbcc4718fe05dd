// What tells MCP clients and registries of the server: its card (SEP-2127) and the registry's entry.
import { BASE_URL_PLACEHOLDER as B, REVERSE_DOMAIN_PLACEHOLDER } from '../contract/addresses.ts';
import { documents } from '../contract/documents.ts';
import { jsonText } from './json-text.ts';
import type { Release } from './release.ts';

/** At most 100 characters, both documents say. */
const DESCRIPTION = 'Read public posts, profiles, followers and searches of X as Markdown or JSON. Read-only.';

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
  });

export const serverJson = (release: Release): string =>
  jsonText({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...commonMembers(release),
  });
