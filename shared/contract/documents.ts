// Lists the documents that the discovery Lambda serves from memory. The build generates them from the contract.
import { keysOf } from '../model/json.ts';
import { mediaTypes } from './media-types.ts';
import { ERRORS_PATH, PREVIEW_PATH, VERSIONING_PATH } from './paths.ts';
import { SKILL_NAME } from './skill.ts';

export interface DocumentRow {
  readonly path: string;
  /** A page has the formats HTML and Markdown. A file has one format. */
  readonly kind: 'page' | 'file';
  readonly title: string;
  /** Content-Type of a file. */
  readonly type?: string;
  /** The file is bytes. Its published text is these bytes in base64. */
  readonly isBinary?: boolean;
  /** Link relation (IANA). The 404 of an unknown route links the documents that have a relation. */
  readonly rel?: string;
  readonly query?: readonly string[];
}

const JSON_TYPE = mediaTypes.json;
const PNG_TYPE = 'image/png';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** RFC 9727 section 4.2. */
const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const documents = {
  home: { path: '/', kind: 'page', title: 'Postern', query: ['q', 'to', 'lang', 'translation'] },
  apiIndex: { path: '/api', kind: 'file', type: JSON_TYPE, title: 'Routes and versions', rel: 'service-meta' },
  openapi: { path: '/openapi.json', kind: 'file', type: JSON_TYPE, title: 'OpenAPI description', rel: 'service-desc' },
  apiCatalog: {
    path: '/.well-known/api-catalog',
    kind: 'file',
    type: API_CATALOG_TYPE,
    title: 'API catalog',
    rel: 'api-catalog',
  },
  ard: { path: '/.well-known/ard.json', kind: 'file', type: JSON_TYPE, title: 'Machine surfaces (ARD)', rel: 'ard' },
  aiCatalog: {
    path: '/.well-known/ai-catalog.json',
    kind: 'file',
    type: 'application/ai-catalog+json',
    title: 'Machine surfaces (AI Catalog)',
  },
  serverCard: {
    path: '/mcp/server-card',
    kind: 'file',
    type: 'application/mcp-server-card+json',
    title: 'MCP server card',
  },
  serverJson: { path: '/server.json', kind: 'file', type: JSON_TYPE, title: 'MCP registry entry' },
  llms: { path: '/llms.txt', kind: 'file', type: TEXT_TYPE, title: 'Overview for language models', rel: 'help' },
  llmsFull: { path: '/llms-full.txt', kind: 'file', type: TEXT_TYPE, title: 'Documentation for agents in one text' },
  skills: { path: '/.well-known/agent-skills/index.json', kind: 'file', type: JSON_TYPE, title: 'Skills for agents' },
  skill: {
    path: `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`,
    kind: 'file',
    type: `${mediaTypes.markdown}; profile="urn:air:agent-skills"; charset=utf-8`,
    title: 'Skill for agents: read X',
  },
  securityTxt: { path: '/.well-known/security.txt', kind: 'file', type: TEXT_TYPE, title: 'Security contact' },
  robots: { path: '/robots.txt', kind: 'file', type: TEXT_TYPE, title: 'Rules for crawlers' },
  sitemap: { path: '/sitemap.xml', kind: 'file', type: 'application/xml', title: 'Pages for crawlers' },
  docs: { path: '/docs', kind: 'page', title: 'Documentation', rel: 'service-doc' },
  quickstart: { path: '/docs/quickstart', kind: 'page', title: 'Quickstart' },
  posts: { path: '/docs/posts', kind: 'page', title: 'Posts' },
  profiles: { path: '/docs/profiles', kind: 'page', title: 'Profiles and lists' },
  search: { path: '/docs/search', kind: 'page', title: 'Search' },
  feeds: { path: '/docs/feeds', kind: 'page', title: 'Feeds' },
  redirect: { path: '/docs/redirect', kind: 'page', title: 'Open links here' },
  embeds: { path: '/docs/embeds', kind: 'page', title: 'Embeds and previews' },
  exports: { path: '/docs/exports', kind: 'page', title: 'Export lists' },
  client: { path: '/docs/client', kind: 'page', title: 'A typed client' },
  mcp: { path: '/docs/mcp', kind: 'page', title: 'MCP' },
  formats: { path: '/docs/formats', kind: 'page', title: 'Formats and caching' },
  compare: { path: '/docs/compare', kind: 'page', title: 'Formats compared' },
  errors: { path: ERRORS_PATH, kind: 'page', title: 'Errors' },
  limits: { path: '/docs/limits', kind: 'page', title: 'Limits and keys' },
  versioning: { path: VERSIONING_PATH, kind: 'page', title: 'Versioning and deprecation' },
  removal: { path: '/docs/removal', kind: 'page', title: 'Removal and complaints' },
  privacy: { path: '/docs/privacy', kind: 'page', title: 'Privacy' },
  selfHosting: { path: '/docs/self-hosting', kind: 'page', title: 'Self-hosting' },
  scaling: { path: '/docs/scaling', kind: 'page', title: 'Costs and scaling' },
  benchmarks: { path: '/docs/benchmarks', kind: 'page', title: 'Benchmarks' },
  reliability: { path: '/docs/reliability', kind: 'page', title: 'Reliability' },
  style: { path: '/assets/style.css', kind: 'file', type: 'text/css; charset=utf-8', title: 'Style sheet' },
  docsStyle: { path: '/assets/docs.css', kind: 'file', type: 'text/css; charset=utf-8', title: 'Documentation style' },
  loadScript: { path: '/assets/load.js', kind: 'file', type: SCRIPT_TYPE, title: 'Loader of the scripts' },
  homeScript: { path: '/assets/home.js', kind: 'file', type: SCRIPT_TYPE, title: 'Front page script' },
  docsScript: { path: '/assets/docs.js', kind: 'file', type: SCRIPT_TYPE, title: 'Documentation script' },
  docsSearchScript: { path: '/assets/docs-search.js', kind: 'file', type: SCRIPT_TYPE, title: 'Search script' },
  licenses: { path: '/assets/licenses.txt', kind: 'file', type: TEXT_TYPE, title: 'Licences' },
  docsSearch: { path: '/assets/docs-search.json', kind: 'file', type: JSON_TYPE, title: 'Search index' },
  manifest: {
    path: '/assets/app.webmanifest',
    kind: 'file',
    type: 'application/manifest+json',
    title: 'Web application manifest',
  },
  openSearch: {
    path: '/assets/opensearch.xml',
    kind: 'file',
    type: 'application/opensearchdescription+xml',
    title: 'Search description for browsers',
  },
  icon: { path: '/assets/icon.svg', kind: 'file', type: 'image/svg+xml', title: 'Icon' },
  // Browsers and link previews request this path without a link to it, and not all of them read SVG.
  favicon: {
    path: '/favicon.ico',
    kind: 'file',
    type: 'image/vnd.microsoft.icon',
    isBinary: true,
    title: 'Small icons',
  },
  touchIcon: {
    path: '/assets/apple-touch-icon.png',
    kind: 'file',
    type: PNG_TYPE,
    isBinary: true,
    title: 'Large icon',
  },
  preview: { path: PREVIEW_PATH, kind: 'file', type: PNG_TYPE, isBinary: true, title: 'Link preview picture' },
} as const satisfies Readonly<Record<string, DocumentRow>>;

export type DocumentName = keyof typeof documents;

export const documentRows: readonly (readonly [DocumentName, DocumentRow])[] = keysOf(documents).map((name) => [
  name,
  documents[name],
]);
