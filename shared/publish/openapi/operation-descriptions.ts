// Describes each operation. Generators write the sentences into the documentation of their methods.
import type { DocumentName } from '../../contract/documents.ts';
import { type Operation, useCasesOf } from '../../contract/operations.ts';
import { useCases } from '../../contract/use-cases.ts';
import { useCaseTexts } from '../example-requests.ts';

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
      ? useCaseTexts[name].description
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
  securityTxt: 'How to report a vulnerability (RFC 9116).',
  robots: 'The paths that crawlers may request (RFC 9309).',
  sitemap: 'The pages for readers, as XML.',
};

/** @throws Error if the document has no description */
export const documentDescription = (name: DocumentName): string => {
  const text = documentDescriptions[name];
  if (text === undefined) throw new Error(`the document ${name} has no description`);
  return text;
};
