// Builds the catalogs for programs: /api, /.well-known/api-catalog, the descriptions of the MCP server, and
// /.well-known/ard.json (ARD 0.91) with the AI Catalog, which has the same bytes.
import { type DocumentName, type DocumentRow, documentRows, documents } from '../contract/documents.ts';
import { READ_METHODS } from '../contract/headers.ts';
import { MCP_VERSIONS, TOOL_NAMES } from '../contract/mcp.ts';
import { mediaTypes } from '../contract/media-types.ts';
import { operationRows, operations, queryNames } from '../contract/operations.ts';
import { MCP_PATH } from '../contract/paths.ts';
import {
  BASE_URL_PLACEHOLDER as B,
  DOMAIN_PLACEHOLDER,
  REVERSE_DOMAIN_PLACEHOLDER,
  SKILL_DIGEST_PLACEHOLDER,
} from '../contract/placeholders.ts';
import { SKILL_DESCRIPTION, SKILL_NAME } from '../contract/skill.ts';
import { keysOf } from '../model/json.ts';
import type { Release } from './document.ts';
import { deprecatedOperations, operationSummary, versions } from './operations.ts';

/** With indentation, because people read the documents, too. */
const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

// Builds /.well-known/api-catalog (RFC 9727): the APIs of this service as a link set (RFC 9264 section 4.2).

const target = ({ path, title, type = mediaTypes.html }: DocumentRow) => [{ href: `${B}${path}`, type, title }];

/** The anchors are the path prefix of the versioned routes, the MCP server, and the catalog itself. */
export const apiCatalog = (): string =>
  jsonText({
    linkset: [
      {
        anchor: `${B}/api/v1`,
        'service-desc': target(documents.openapi),
        'service-doc': target(documents.docs),
        'service-meta': target(documents.apiIndex),
      },
      { anchor: `${B}${MCP_PATH}`, 'service-desc': target(documents.serverCard), 'service-doc': target(documents.mcp) },
      {
        anchor: `${B}${documents.apiCatalog.path}`,
        item: target(documents.apiIndex),
        'service-meta': target(documents.ard),
      },
    ],
  });

// Builds the descriptions of the MCP server: the server card (SEP-2127) and the entry of the MCP registry.

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

/** Builds /.well-known/agent-skills/index.json (Agent Skills Discovery 0.2.0). */
export const skillIndex = (): string =>
  jsonText({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: SKILL_NAME,
        type: 'skill-md',
        description: SKILL_DESCRIPTION,
        url: documents.skill.path,
        digest: `sha256:${SKILL_DIGEST_PLACEHOLDER}`,
      },
    ],
  });

const routes = operationRows.map(([id, operation]) => ({
  operation_id: id,
  methods: READ_METHODS,
  path: operation.path,
  ...(operation.alsoAt && { also_at: operation.alsoAt }),
  surface: operation.surface,
  summary: operationSummary(operation),
  query_parameters: queryNames(operation),
  deprecated: operation.lifecycle !== undefined,
}));

export const apiIndex = ({ version }: Release): string =>
  jsonText({
    name: 'Postern',
    description: 'Read-only access to public content on X, as Markdown or JSON.',
    version,
    base_url: B,
    authentication: { required: false },
    routes,
    documents: documentRows.map(([, { path, title, type = mediaTypes.html, rel }]) => ({
      href: `${B}${path}`,
      title,
      type,
      ...(rel !== undefined && { rel }),
    })),
    versioning: { ...versions, deprecated_aliases: deprecatedOperations },
  });

interface CatalogEntry {
  /** Last part of the identifier. It never changes. */
  readonly name: string;
  readonly description: string;
  /** 2 to 5 example queries that the entry should match. */
  readonly queries: readonly string[];
  readonly capabilities?: readonly string[];
}

const entries = {
  serverCard: {
    name: 'mcp:posts',
    description:
      'MCP server with read-only tools for posts, profiles, followers and searches of X. No API key and no sign-in.',
    queries: [
      'read this X post as Markdown',
      'search recent public posts about a topic',
      'who follows this account on X',
    ],
    capabilities: TOOL_NAMES,
  },
  openapi: {
    name: 'rest:v1',
    description:
      'REST API, version 1: posts, profiles, followers, searches and embeds, as Markdown or JSON. No API key required.',
    queries: [
      'convert the URL of an X post to JSON',
      'list the followers of a public profile',
      'get the thread of a tweet without logging in',
    ],
  },
  apiIndex: {
    name: 'rest:index',
    description: 'Routes, parameters, versions and deprecations of the REST API.',
    queries: ['which routes does this service have', 'which routes of this service are deprecated'],
  },
  apiCatalog: {
    name: 'rest:catalog',
    description: 'Link set of the APIs of this host (RFC 9727).',
    queries: ['which APIs does this host publish', 'where is the OpenAPI description'],
  },
  llms: {
    name: 'docs:llms',
    description: 'Summary of the documentation for language models, with links to all pages.',
    queries: ['how do I read X posts as Markdown', 'what are the limits of this service'],
  },
  skill: {
    name: 'docs:skill',
    description: 'Skill that teaches an agent to read X with this service.',
    queries: ['teach my agent to read X posts', 'which skills does this host publish'],
  },
  llmsFull: {
    name: 'docs:llms-full',
    description: 'All that a caller needs of the documentation, in one text for language models.',
    queries: ['full documentation of this service in one file', 'every parameter of the API for my agent'],
  },
  serverJson: {
    name: 'mcp:registry-entry',
    description: 'Entry of the MCP server for the MCP registry.',
    queries: ['add this MCP server to a registry', 'server.json of this host'],
  },
  skills: {
    name: 'docs:skills',
    description: 'Index of the skills for agents that this host publishes.',
    queries: ['which skills does this host publish', 'install the skills of this host'],
  },
  feeds: {
    name: 'docs:feeds',
    description: 'RSS, Atom and JSON feeds of profiles, searches, lists and timelines of several accounts.',
    queries: ['RSS feed of an X account', 'follow a search on X in a feed reader'],
  },
  openSearch: {
    name: 'docs:search',
    description: 'OpenSearch description: a browser searches X with this service.',
    queries: ['search X from the address bar', 'OpenSearch description of this host'],
  },
} as const satisfies Partial<Readonly<Record<DocumentName, CatalogEntry>>>;

const entryOf = (name: keyof typeof entries, { version, date }: Release): object => {
  const { type = mediaTypes.html, path, title }: DocumentRow = documents[name];
  const { name: urn, description, queries, capabilities }: CatalogEntry = entries[name];
  return {
    identifier: `urn:air:${DOMAIN_PLACEHOLDER}:${urn}`,
    displayName: `Postern: ${title}`,
    // Tools for catalogs know the types without it.
    type: type.replace('; charset=utf-8', ''),
    url: `${B}${path}`,
    description,
    representativeQueries: queries,
    ...(capabilities && { capabilities }),
    version,
    updatedAt: `${date}T00:00:00Z`,
  };
};

/** oEmbed is an endpoint and not a document, so its entry contains the provider data of oEmbed section 2. */
const oembedEntry = ({ version, date }: Release): object => ({
  identifier: `urn:air:${DOMAIN_PLACEHOLDER}:rest:oembed`,
  displayName: 'Postern: oEmbed',
  type: 'application/json',
  data: {
    provider_name: 'Postern',
    provider_url: `${B}/`,
    endpoints: [
      {
        schemes: ['https://x.com/*/status/*', 'https://twitter.com/*/status/*', `${B}/*/status/*`],
        url: `${B}${operations.readOembed.path}`,
        discovery: true,
        formats: ['json'],
      },
    ],
  },
  description: 'oEmbed 1.0: embed a public post without scripts.',
  representativeQueries: ['embed an X post without JavaScript', 'oEmbed endpoint for tweets'],
  version,
  updatedAt: `${date}T00:00:00Z`,
});

/** The root has only the members that both schemas allow. */
export const agentCatalog = (release: Release): string =>
  jsonText({
    specVersion: '1.0',
    host: { displayName: 'Postern', documentationUrl: `${B}${documents.docs.path}` },
    entries: [...keysOf(entries).map((name) => entryOf(name, release)), oembedEntry(release)],
  });
