// Builds /.well-known/ard.json (ARD 0.91) and the AI Catalog, which has the same bytes: every interface for programs.
import { type DocumentName, type DocumentRow, documents } from '../contract/documents.ts';
import { operations } from '../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B, DOMAIN_PLACEHOLDER } from '../contract/placeholders.ts';
import { TOOL_NAMES } from '../contract/use-cases.ts';
import { keysOf } from '../model/json.ts';
import { jsonText } from './json-text.ts';
import type { Release } from './release.ts';

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
} as const satisfies Partial<Readonly<Record<DocumentName, CatalogEntry>>>;

const entryOf = (name: keyof typeof entries, { version, date }: Release): object => {
  const { type, path, title }: DocumentRow = documents[name];
  const { name: urn, description, queries, capabilities }: CatalogEntry = entries[name];
  return {
    identifier: `urn:air:${DOMAIN_PLACEHOLDER}:${urn}`,
    displayName: `Postern: ${title}`,
    type,
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
