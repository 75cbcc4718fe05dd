// Describes the bodies of feeds (JSON Feed 1.1) and of the documents for programs: the members that a client can rely on.
import type { DocumentName } from '../../contract/documents.ts';
import { READ_METHODS } from '../../contract/headers.ts';
import { versions } from '../lifecycle.ts';
import { type Json, ref } from './responses.ts';

const text = { type: 'string' };
const url = { type: 'string', format: 'uri' };

const authors = { type: 'array', items: ref('schemas', 'JsonFeedAuthor') };

const author = {
  type: 'object',
  description: 'The author of a post or of a feed.',
  required: ['name', 'url'],
  properties: { name: text, url, avatar: url },
};

const attachment = {
  type: 'object',
  description: 'A picture or video.',
  required: ['url', 'mime_type'],
  properties: { url, mime_type: text, duration_in_seconds: { type: 'integer', format: 'int32', minimum: 0 } },
};

const item = {
  type: 'object',
  description: 'A post.',
  required: ['id', 'url', 'title', 'content_html', 'date_published'],
  properties: {
    id: { ...url, description: 'URL of the post on X.' },
    url: { ...url, description: 'URL of the post on this service.' },
    title: { ...text, description: 'Plain text.' },
    content_html: { ...text, description: 'The post as HTML, with pictures from hosts of X only.' },
    image: { ...url, description: 'The first picture.' },
    date_published: { type: 'string', format: 'date-time' },
    authors,
    tags: { type: 'array', items: text, description: 'Hashtags without #.' },
    language: { ...text, description: 'BCP 47.' },
    attachments: {
      type: 'array',
      items: ref('schemas', 'JsonFeedAttachment'),
      description: 'The first picture or video.',
    },
  },
};

const feed = {
  type: 'object',
  description: 'A feed in JSON Feed 1.1.',
  required: ['version', 'title', 'home_page_url', 'feed_url', 'description', 'items'],
  properties: {
    version: { type: 'string', const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: url,
    feed_url: url,
    description: text,
    next_url: { ...url, description: 'The next page of the feed.' },
    icon: url,
    authors,
    language: { ...text, description: 'BCP 47, if all items have it.' },
    items: { type: 'array', items: ref('schemas', 'JsonFeedItem') },
  },
};

export const jsonFeedSchemas = {
  JsonFeed: feed,
  JsonFeedItem: item,
  JsonFeedAuthor: author,
  JsonFeedAttachment: attachment,
};

const instant = { type: 'string', format: 'date-time' };

const object = (description: string, required: readonly string[], properties: Json): Json => ({
  type: 'object',
  description,
  required,
  properties,
});

const listOf = (name: string): Json => ({ type: 'array', items: ref('schemas', name) });

const apiSchemas = {
  ApiIndex: object(
    'The routes, the documents and the versions of the service.',
    ['name', 'version', 'base_url', 'routes', 'documents', 'versioning'],
    {
      name: text,
      description: text,
      version: { type: 'string', description: 'SemVer of the software.' },
      base_url: { type: 'string', format: 'uri' },
      authentication: ref('schemas', 'ApiAuthentication'),
      routes: listOf('ApiRoute'),
      documents: listOf('ApiDocument'),
      versioning: ref('schemas', 'ApiVersioning'),
    },
  ),
  ApiAuthentication: object('Whether callers must authenticate.', ['required'], { required: { type: 'boolean' } }),
  ApiRoute: object(
    'A route.',
    ['operation_id', 'methods', 'path', 'surface', 'summary', 'query_parameters', 'deprecated'],
    {
      operation_id: text,
      methods: { type: 'array', items: text, examples: [READ_METHODS] },
      path: text,
      also_at: { type: 'array', items: text },
      surface: text,
      summary: text,
      query_parameters: { type: 'array', items: text },
      deprecated: { type: 'boolean' },
    },
  ),
  ApiDocument: object('A document of the service.', ['href', 'title', 'type'], {
    href: text,
    title: text,
    type: text,
    rel: text,
  }),
  ApiVersioning: object('The versions of the service.', [...Object.keys(versions), 'deprecated_aliases'], {
    current_major_version: text,
    supported_versions: { type: 'array', items: text },
    minimum_support_window_months: { type: 'integer', format: 'int32' },
    deprecation_signals: listOf('DeprecationSignal'),
    deprecated_aliases: listOf('DeprecatedOperation'),
  }),
  DeprecationSignal: object('A header of deprecated routes.', ['header', 'standard'], { header: text, standard: text }),
  DeprecatedOperation: object(
    'Has either successor, or successor_parameter and successors.',
    ['operation_id', 'path', 'deprecation', 'sunset'],
    {
      operation_id: text,
      path: text,
      deprecation: instant,
      sunset: instant,
      successor: { type: 'string', description: 'Path template of the successor.' },
      successor_parameter: { type: 'string', description: 'The parameter whose value selects a successor.' },
      successors: ref('schemas', 'SuccessorMap'),
    },
  ),
  SuccessorMap: {
    type: 'object',
    description: 'Path templates of the successors, by the value of the parameter.',
    additionalProperties: text,
  },
};

/** Standards define these documents and the values of their members. */
const standardDocument = (description: string, required: readonly string[], optional: readonly string[] = []): Json =>
  object(description, required, Object.fromEntries([...required, ...optional].map((name) => [name, {}])));

const standardSchemas = {
  OpenapiDescription: standardDocument(
    'OpenAPI 3.1.',
    ['openapi', 'info', 'paths', 'x-api-lifecycle'],
    ['servers', 'externalDocs', 'tags', 'components'],
  ),
  ApiCatalog: standardDocument('Link set of RFC 9727.', ['linkset']),
  MachineSurfaces: standardDocument('The surfaces for programs.', ['specVersion', 'entries'], ['host']),
  McpServerCard: standardDocument(
    'Description of the MCP server.',
    ['$schema', 'name', 'version', 'description'],
    ['title', 'websiteUrl', 'remotes'],
  ),
};

export const documentSchemas: Readonly<Record<string, Json>> = { ...apiSchemas, ...standardSchemas };

/** The schemas of documents in JSON. The others are text. */
export const documentSchemaNames: Partial<
  Readonly<Record<DocumentName, keyof typeof apiSchemas | keyof typeof standardSchemas>>
> = {
  apiIndex: 'ApiIndex',
  openapi: 'OpenapiDescription',
  apiCatalog: 'ApiCatalog',
  ard: 'MachineSurfaces',
  aiCatalog: 'MachineSurfaces',
  serverCard: 'McpServerCard',
  serverJson: 'McpServerCard',
};
