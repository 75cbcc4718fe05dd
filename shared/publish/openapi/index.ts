// /openapi.json: every route, parameter, answer, header and error code, from the tables that the routes are made from.

import { type DocumentName, documents } from '../../contract/documents.ts';
import { READ_METHODS } from '../../contract/headers.ts';
import { acceptsApiKey, type Operation, operationRows, pathsOf, useCasesOf } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { type Resources, useCases } from '../../contract/use-cases.ts';
import { jsonSchemas } from '../../model/schemas.ts';
import { deprecatedOperations, versions } from '../lifecycle.ts';
import type { Release } from '../release.ts';
import { documentPaths, documentResponses } from './documents.ts';
import { mcpPaths, mcpTag } from './mcp.ts';
import { parameterComponents, parametersOf } from './parameters.ts';
import { problemExamples, problemSchema } from './problems.ts';
import { answerExamples, createResponseBook, headerComponents, type Json, responsesOf } from './responses.ts';

const DESCRIPTION = `Read-only access to what is already public on X: posts with their conversations, profiles, followers, searches and embeds, as Markdown or JSON. No account and no key.

- Every GET route answers HEAD as well, with the same headers, and OPTIONS as a CORS preflight; other methods are 405 with \`Allow\`.
- Every error is a problem document (RFC 9457) with a stable \`code\`, listed per answer in \`x-problem-codes\`, and a \`resolution\`. No answer carries \`WWW-Authenticate\`, also not a 401.
- \`format\` wins over \`Accept\`; Markdown is the default. JSON comes with \`format=json\` or \`Accept: application/json\`.
- Unknown query parameters are ignored, repeated ones refused. Ignore members and values that you do not know.
- A key is optional, raises the search allowance and shows nothing more.
- The permalinks mirror the addresses of X, are not versioned and stay.

The documentation is at ${B}${documents.docs.path}.`;

const tagOf = {
  post: { name: 'Posts', page: 'posts' },
  profile: { name: 'Profiles', page: 'profiles' },
  users: { name: 'Profiles', page: 'profiles' },
  search: { name: 'Search', page: 'search' },
  oembed: { name: 'Embeds', page: 'embeds' },
} as const satisfies Readonly<Record<keyof Resources, { readonly name: string; readonly page: DocumentName }>>;

const ALIASES = { name: 'Deprecated', page: 'versioning' } as const;

const linkTo = (page: DocumentName): Json => ({
  description: documents[page].title,
  url: `${B}${documents[page].path}`,
});

const tags = [
  { name: 'Posts', description: 'A post with the conversation around it.', externalDocs: linkTo('posts') },
  { name: 'Profiles', description: 'Profiles, followers and followed accounts.', externalDocs: linkTo('profiles') },
  { name: 'Search', description: 'Posts or accounts.', externalDocs: linkTo('search') },
  { name: 'Embeds', description: 'oEmbed 1.0.', externalDocs: linkTo('embeds') },
  { ...mcpTag, externalDocs: linkTo('mcp') },
  { name: 'Deprecated', description: 'Aliases that still work unchanged.', externalDocs: linkTo('versioning') },
  { name: 'Documents', description: 'What the service says of itself.', externalDocs: linkTo('docs') },
];

/** `readPostPermalink`, `readPostPermalink_photo`: unique for each spelling of the path. */
const idAt = (id: string, operation: Operation, path: string): string => {
  if (path === operation.path) return id;
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'));
  return `${id}_${last}`;
};

/** Of a deprecated operation (spec 9.6). */
const successorOf = (id: string): Json => {
  const entry = deprecatedOperations.find(({ operation_id: deprecated }) => deprecated === id);
  if (entry === undefined) return {};
  return {
    deprecated: true,
    ...('successor' in entry
      ? { 'x-successor-version': entry.successor }
      : { 'x-successor-version-map': entry.successors }),
  };
};

const notes: Readonly<Record<Operation['surface'], string>> = {
  versioned: '',
  permalink: 'Answers as the v1 route does, by the same code; named in Accept, text/html is a page for people.',
  alias: 'Answers as its successor does, with the headers of deprecation.',
};

const pathItem = (id: string, operation: Operation, path: string, book: ResponseBook): Json => {
  const names = useCasesOf(operation);
  const [first] = names;
  const tag = operation.surface === 'alias' || first === undefined ? ALIASES : tagOf[useCases[first].resource];
  const note = notes[operation.surface];
  return {
    get: {
      operationId: idAt(id, operation, path),
      tags: [tag.name],
      summary:
        names.length === 1 && first !== undefined ? useCases[first].summary : 'Read what the parameter resource says',
      ...(note !== '' && { description: note }),
      externalDocs: linkTo(tag.page),
      ...successorOf(id),
      security: acceptsApiKey(operation) ? [{}, { bearer: [] }] : [],
      parameters: parametersOf(operation, path),
      responses: book.note(id, responsesOf(operation)),
    },
  };
};

type ResponseBook = ReturnType<typeof createResponseBook>;

const operationPaths = (book: ResponseBook): Json =>
  Object.fromEntries(
    operationRows.flatMap(([id, operation]) =>
      pathsOf(operation).map((path) => [path, pathItem(id, operation, path, book)]),
    ),
  );

const text = { type: 'string' };
const instant = { type: 'string', format: 'date-time' };

const deprecatedSchema = {
  type: 'object',
  description: 'Has successor, or successor_parameter and successors.',
  required: ['operation_id', 'path', 'deprecation', 'sunset'],
  properties: {
    operation_id: text,
    path: text,
    deprecation: instant,
    sunset: instant,
    successor: { type: 'string', description: 'Template of the path that takes its place.' },
    successor_parameter: { type: 'string', description: 'The parameter whose value chooses among the successors.' },
    successors: { type: 'object', additionalProperties: text },
  },
};

const apiIndexSchema = {
  type: 'object',
  required: ['name', 'version', 'base_url', 'routes', 'documents', 'versioning'],
  properties: {
    name: text,
    description: text,
    version: { type: 'string', description: 'Of the software, SemVer.' },
    base_url: { type: 'string', format: 'uri' },
    routes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['operation_id', 'methods', 'path', 'surface', 'summary', 'query_parameters', 'deprecated'],
        properties: {
          operation_id: text,
          methods: { type: 'array', items: text, examples: [READ_METHODS] },
          path: text,
          also_at: { type: 'array', items: text },
          surface: text,
          summary: text,
          query_parameters: { type: 'array', items: text },
          deprecated: { type: 'boolean' },
        },
      },
    },
    documents: {
      type: 'array',
      items: {
        type: 'object',
        required: ['href', 'title', 'type'],
        properties: { href: text, title: text, type: text, rel: text },
      },
    },
    versioning: {
      type: 'object',
      required: [...Object.keys(versions), 'deprecated_aliases'],
      properties: {
        current_major_version: text,
        supported_versions: { type: 'array', items: text },
        minimum_support_window_months: { type: 'integer' },
        deprecation_signals: {
          type: 'array',
          items: { type: 'object', required: ['header', 'standard'], properties: { header: text, standard: text } },
        },
        deprecated_aliases: { type: 'array', items: deprecatedSchema },
      },
    },
  },
};

export const openapi = ({ version }: Release): string => {
  const book = createResponseBook();
  const paths = { ...operationPaths(book), ...mcpPaths(), ...documentPaths() };
  // On one line: programs read it, and some of them pay by the character.
  return `${JSON.stringify({
    openapi: '3.1.1',
    info: {
      title: 'Postern',
      version,
      summary: 'What is public on X, as Markdown or JSON.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: B }],
    externalDocs: linkTo('docs'),
    tags,
    'x-api-lifecycle': { ...versions, deprecated_operations: deprecatedOperations },
    paths,
    components: {
      schemas: {
        ...jsonSchemas('#/components/schemas/'),
        Problem: problemSchema,
        ApiIndex: apiIndexSchema,
      },
      parameters: parameterComponents(),
      headers: headerComponents(),
      responses: { ...book.responses, ...documentResponses() },
      examples: { ...answerExamples(), ...problemExamples() },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Optional: raises the search allowance. Handed out by the operator.',
        },
      },
    },
  })}\n`;
};
