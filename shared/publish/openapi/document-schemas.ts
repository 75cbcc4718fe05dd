// Describes the bodies of feeds (JSON Feed 1.1) and of the documents for programs: the members that a client can rely on.
import type { DocumentName } from '../../contract/documents.ts';
import { READ_METHODS } from '../../contract/headers.ts';
import type { versions } from '../operations.ts';
import { type Json, ref } from './responses.ts';

const text = { type: 'string' };
const url = { type: 'string', format: 'uri' };
const instant = { type: 'string', format: 'date-time' };
const texts = { type: 'array', items: text };

const listOf = (name: string): Json => ({ type: 'array', items: ref('schemas', name) });

/** The members that are not optional are required. */
const object = (description: string, properties: Json, optional: readonly string[] = []): Json => ({
  type: 'object',
  description,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export const jsonFeedSchemas = {
  JsonFeed: object(
    'A feed in JSON Feed 1.1.',
    {
      version: { type: 'string', const: 'https://jsonfeed.org/version/1.1' },
      title: text,
      home_page_url: url,
      feed_url: url,
      description: text,
      next_url: { ...url, description: 'The next page of the feed.' },
      icon: url,
      authors: listOf('JsonFeedAuthor'),
      language: { ...text, description: 'BCP 47, if all items have it.' },
      items: listOf('JsonFeedItem'),
    },
    ['next_url', 'icon', 'authors', 'language'],
  ),
  JsonFeedItem: object(
    'A post.',
    {
      id: { ...url, description: 'URL of the post on X.' },
      url: { ...url, description: 'URL of the post on this service.' },
      title: { ...text, description: 'Plain text.' },
      content_html: { ...text, description: 'The post as HTML, with pictures from hosts of X only.' },
      image: { ...url, description: 'The first picture.' },
      date_published: instant,
      date_modified: { ...instant, description: 'Of the latest part, if threads are merged.' },
      authors: listOf('JsonFeedAuthor'),
      tags: { ...texts, description: 'Hashtags without #.' },
      language: { ...text, description: 'BCP 47.' },
      attachments: { ...listOf('JsonFeedAttachment'), description: 'The first picture or video.' },
    },
    ['image', 'date_modified', 'authors', 'tags', 'language', 'attachments'],
  ),
  JsonFeedAuthor: object('The author of a post or of a feed.', { name: text, url, avatar: url }, ['avatar']),
  JsonFeedAttachment: object(
    'A picture or video.',
    { url, mime_type: text, duration_in_seconds: { type: 'integer', format: 'int32', minimum: 0 } },
    ['duration_in_seconds'],
  ),
};

const apiSchemas = {
  ApiIndex: object(
    'The routes, the documents and the versions of the service.',
    {
      name: text,
      description: text,
      version: { type: 'string', description: 'SemVer of the software.' },
      base_url: url,
      authentication: ref('schemas', 'ApiAuthentication'),
      routes: listOf('ApiRoute'),
      documents: listOf('ApiDocument'),
      versioning: ref('schemas', 'ApiVersioning'),
    },
    ['description', 'authentication'],
  ),
  ApiAuthentication: object('Whether callers must authenticate.', { required: { type: 'boolean' } }),
  ApiRoute: object(
    'A route.',
    {
      operation_id: text,
      methods: { ...texts, examples: [READ_METHODS] },
      path: text,
      also_at: texts,
      surface: text,
      summary: text,
      query_parameters: texts,
      deprecated: { type: 'boolean' },
    },
    ['also_at'],
  ),
  ApiDocument: object('A document of the service.', { href: text, title: text, type: text, rel: text }, ['rel']),
  ApiVersioning: object('The versions of the service.', {
    current_major_version: text,
    supported_versions: texts,
    minimum_support_window_months: { type: 'integer', format: 'int32' },
    deprecation_signals: listOf('DeprecationSignal'),
    deprecated_aliases: listOf('DeprecatedOperation'),
  } satisfies Record<keyof typeof versions | 'deprecated_aliases', Json>),
  DeprecationSignal: object('A header of deprecated routes.', { header: text, standard: text }),
  DeprecatedOperation: object(
    'Has either successor, or successor_parameter and successors.',
    {
      operation_id: text,
      path: text,
      deprecation: instant,
      sunset: instant,
      successor: { type: 'string', description: 'Path template of the successor.' },
      successor_parameter: { type: 'string', description: 'The parameter whose value selects a successor.' },
      successors: ref('schemas', 'SuccessorMap'),
    },
    ['successor', 'successor_parameter', 'successors'],
  ),
  SuccessorMap: {
    type: 'object',
    description: 'Path templates of the successors, by the value of the parameter.',
    additionalProperties: text,
  },
};

/** Standards define these documents and the values of their members. */
const standardDocument = (description: string, required: readonly string[], optional: readonly string[] = []): Json =>
  object(description, Object.fromEntries([...required, ...optional].map((name) => [name, {}])), optional);

const standardSchemas = {
  OpenapiDescription: standardDocument(
    'OpenAPI 3.1.',
    ['openapi', 'info', 'paths', 'x-api-lifecycle'],
    ['servers', 'externalDocs', 'tags', 'components'],
  ),
  ApiCatalog: standardDocument('Link set of RFC 9727.', ['linkset']),
  MachineSurfaces: standardDocument('The surfaces for programs.', ['specVersion', 'entries'], ['host']),
  SkillIndex: standardDocument('Index of Agent Skills Discovery 0.2.0.', ['$schema', 'skills']),
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
  skills: 'SkillIndex',
};
