// Describes the documents for programs as operations.
import { type DocumentName, type DocumentRow, documentRows } from '../../contract/documents.ts';
import type { HeaderName } from '../../contract/header-descriptions.ts';
import { documentSchemaNames } from './document-schemas.ts';
import { documentDescription } from './operation-descriptions.ts';
import { COMMON_CODES, groupByStatus } from './problems.ts';
import { BASE_HEADER_NAMES, headers, type Json, problemResponse, ref } from './responses.ts';

/** Styles, scripts and icons are parts of HTML pages and not an interface. */
const isForPrograms = ({ kind, path, type = '' }: DocumentRow): boolean =>
  kind === 'file' && !path.startsWith('/assets/') && !type.startsWith('image/');

const SUCCESS_HEADER_NAMES: readonly HeaderName[] = [...BASE_HEADER_NAMES, 'ETag', 'Link'];

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
      headers: headers(SUCCESS_HEADER_NAMES),
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
    headers: headers(SUCCESS_HEADER_NAMES),
  },
  ...Object.fromEntries(
    [...groupByStatus(COMMON_CODES)].map(([status, codes]) => [
      `Document${status}`,
      problemResponse(codes, BASE_HEADER_NAMES),
    ]),
  ),
});
