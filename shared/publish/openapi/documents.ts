// Describes the documents for programs as operations, and each operation in a sentence.
import { type DocumentName, type DocumentRow, documentRows } from '../../contract/documents.ts';
import { mediaTypes } from '../../contract/media-types.ts';
import { type Operation, useCasesOf } from '../../contract/operations.ts';
import { readWords } from '../../contract/reads/index.ts';
import { useCases } from '../../contract/use-cases.ts';
import { documentSchemaNames } from './document-schemas.ts';
import { COMMON_CODES, groupByStatus } from './problems.ts';
import { BASE_HEADER_NAMES, headers, type Json, problemResponse, ref } from './responses.ts';

// Describes each operation. Generators write the sentences into the documentation of their methods.

const surfaceNotes: Readonly<Record<Operation['surface'], string>> = {
  versioned: '',
  permalink:
    'A path of X. The answers are those of the v1 route, which programs should prefer. If `Accept` names `text/html`, the answer is a page for people.',
  alias: 'Deprecated: the answers are those of the successor, with deprecation headers.',
};

const FEED_NOTE = 'An address of nitter. The answers are those of the v1 route as RSS 2.0.';

/** @returns text in Markdown */
export const operationDescription = (operation: Operation): string => {
  const names = useCasesOf(operation);
  const [name] = names;
  const note = operation.fixed?.format === undefined ? surfaceNotes[operation.surface] : FEED_NOTE;
  const main =
    names.length === 1 && name !== undefined
      ? readWords[name].description
      : `Depending on the parameter: ${names.map((each) => useCases[each].summary.replace(/^[A-Z]/, (first) => first.toLowerCase())).join('; ')}.`;
  return note === '' ? main : `${main} ${note}`;
};

const documentDescriptions: Partial<Readonly<Record<DocumentName, string>>> = {
  apiIndex: 'The routes of the service, its documents and its versions, in one JSON document.',
  openapi: 'This description: OpenAPI 3.1 in JSON. Clients can be generated from it.',
  apiCatalog: 'The API catalog of RFC 9727: links to the description and to the documentation.',
  ard: 'The surfaces of the service for programs, as Agentic Resource Discovery defines them.',
  aiCatalog: 'The surfaces of the service for programs, as an AI Catalog.',
  serverCard: 'The card of the MCP server: its name, version and endpoint.',
  serverJson: 'The entry of the MCP server for a registry.',
  llms: 'What the service offers, with links, for language models.',
  llmsFull: 'What an agent needs of the documentation, as one Markdown text.',
  skills: 'The index of the skills for agents (Agent Skills Discovery 0.2.0), with the digest of each.',
  skill: 'Teaches an agent to read X with this service: requests, pages, limits, and what not to trust.',
  securityTxt: 'How to report a vulnerability (RFC 9116).',
  robots: 'The paths that crawlers may request (RFC 9309).',
  sitemap: 'The pages for readers, as XML.',
};

/** @throws Error if the document has no description */
const documentDescription = (name: DocumentName): string => {
  const text = documentDescriptions[name];
  if (text === undefined) throw new Error(`the document ${name} has no description`);
  return text;
};

/** Styles, scripts and icons are parts of HTML pages and not an interface. */
const isForPrograms = ({ kind, path, type = '' }: DocumentRow): boolean =>
  kind === 'file' && !path.startsWith('/assets/') && !type.startsWith('image/');

const successHeaders = (isMarkdown: boolean): Json =>
  headers([...BASE_HEADER_NAMES, 'ETag', 'Link', ...(isMarkdown ? (['X-Markdown-Tokens'] as const) : [])]);

const idOf = (name: DocumentName): string => `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const schemaOf = (name: DocumentName): Json => {
  const schema = documentSchemaNames[name];
  return schema === undefined ? { type: 'string' } : ref('schemas', schema);
};

const mediaTypeOf = (type: string): string => type.split(';')[0] ?? type;

const operationOf = (name: DocumentName, { title, type = '' }: DocumentRow): Json => ({
  operationId: idOf(name),
  tags: ['Documents'],
  summary: title,
  description: documentDescription(name),
  security: [],
  parameters: [ref('parameters', 'IfNoneMatch')],
  responses: {
    200: {
      description: title,
      headers: successHeaders(type.startsWith(mediaTypes.markdown)),
      content: { [mediaTypeOf(type)]: { schema: schemaOf(name) } },
    },
    304: ref('responses', 'DocumentNotModified'),
    ...Object.fromEntries(
      [...groupByStatus(COMMON_CODES)].map(([status]) => [status, ref('responses', `Document${status}`)]),
    ),
  },
});

export const documentPaths = (): Json =>
  Object.fromEntries(
    documentRows
      .filter(([, document]) => isForPrograms(document))
      .map(([name, document]) => [document.path, { get: operationOf(name, document) }]),
  );

export const documentResponses = (): Json => ({
  DocumentNotModified: {
    description: 'Not modified: If-None-Match contains the ETag of the representation.',
    headers: successHeaders(true),
  },
  ...Object.fromEntries(
    [...groupByStatus(COMMON_CODES)].map(([status, codes]) => [
      `Document${status}`,
      problemResponse(codes, BASE_HEADER_NAMES),
    ]),
  ),
});
