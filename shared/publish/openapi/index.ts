// Builds /openapi.json: every route, parameter, answer, header and problem code, from the tables of the contract.
import { type DocumentName, documents } from '../../contract/documents.ts';
import { acceptsApiKey, type Operation, operationRows, pathsOf, useCasesOf } from '../../contract/operations.ts';
import {
  ABUSE_CONTACT_PLACEHOLDER,
  BASE_URL_PLACEHOLDER as B,
  OPERATOR_NAME_PLACEHOLDER,
} from '../../contract/placeholders.ts';
import { jsonSchemas } from '../../model/schemas.ts';
import type { Release } from '../document.ts';
import { deprecatedOperations, operationSummary, resourceTags, tagOf, versions } from '../operations.ts';
import { documentSchemas, jsonFeedSchemas } from './document-schemas.ts';
import { documentPaths, documentResponses, operationDescription } from './documents.ts';
import { forGenerators } from './for-generators.ts';
import { mcpPaths, mcpSchemas, mcpTag } from './mcp.ts';
import { parameterComponents, parametersOf } from './parameters.ts';
import { problemExamples, problemSchemas } from './problems.ts';
import { answerExamples, createResponseRegistry, headerComponents, type Json, responsesOf } from './responses.ts';

const DESCRIPTION = `Read-only access to public content on X: posts with their conversations, profiles, followers, searches and embeds, as Markdown or JSON. No account and no API key are required.

- Every GET route also accepts HEAD, with the same headers, and OPTIONS as a CORS preflight. Other methods are 405 with \`Allow\`.
- Every error is a problem document (RFC 9457) with a stable \`code\` and a \`resolution\`. \`x-problem-codes\` lists the codes per answer. On a permalink where \`text/html\` wins, it is a page for people with the same status and headers. No answer has \`WWW-Authenticate\`, not even a 401.
- \`format\` overrides \`Accept\`, and Markdown is the default. To get JSON, send \`format=json\` or \`Accept: application/json\`.
- Unknown query parameters are ignored, and repeated query parameters are rejected. Clients must ignore unknown members and values.
- An API key is optional. It raises the search allowance and gives access to no other content.
- The permalinks have the form of URLs on X. They are not versioned and stay available.

Documentation: ${B}${documents.docs.path}`;

const ALIASES = 'Deprecated';

const linkTo = (page: DocumentName): Json => ({
  description: documents[page].title,
  url: `${B}${documents[page].path}`,
});

const tags = [
  ...Object.entries(resourceTags).map(([name, { page, description }]) => ({
    name,
    description,
    externalDocs: linkTo(page),
  })),
  { ...mcpTag, externalDocs: linkTo('mcp') },
  { name: ALIASES, description: 'Deprecated aliases that still work.', externalDocs: linkTo('versioning') },
  { name: 'Documents', description: 'Descriptions of the service.', externalDocs: linkTo('docs') },
];

/** `readPostPermalink`, `readPostPermalink_photo`: operation ids must be unique, also for further paths of an operation. */
const idAt = (id: string, operation: Operation, path: string): string => {
  if (path === operation.path) return id;
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'));
  return `${id}_${last}`;
};

/** The members of a deprecated operation (requirements: lifecycle); none for other operations. */
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

const pathItem = (id: string, operation: Operation, path: string, responses: ResponseRegistry): Json => {
  const names = useCasesOf(operation);
  const [first] = names;
  const tag = tagOf(operation);
  return {
    get: {
      operationId: idAt(id, operation, path),
      tags: [tag ?? ALIASES],
      summary:
        names.length === 1 && first !== undefined
          ? operationSummary(operation)
          : 'Read the resource that the parameter resource names',
      description: operationDescription(operation),
      externalDocs: linkTo(tag === undefined ? 'versioning' : resourceTags[tag].page),
      ...successorOf(id),
      security: acceptsApiKey(operation) ? [{}, { bearer: [] }] : [],
      parameters: parametersOf(operation, path),
      responses: responses.reference(id, responsesOf(operation)),
    },
  };
};

type ResponseRegistry = ReturnType<typeof createResponseRegistry>;

const operationPaths = (responses: ResponseRegistry): Json =>
  Object.fromEntries(
    operationRows.flatMap(([id, operation]) =>
      pathsOf(operation).map((path) => [path, pathItem(id, operation, path, responses)]),
    ),
  );

export const openapi = ({ version }: Release): string => {
  const registry = createResponseRegistry();
  const paths = { ...operationPaths(registry), ...mcpPaths(), ...documentPaths() };
  // One line without indentation: only programs read it, and language models are charged per token.
  return `${JSON.stringify({
    openapi: '3.1.1',
    info: {
      title: 'Postern',
      version,
      summary: 'Public content on X, as Markdown or JSON.',
      description: DESCRIPTION,
      contact: { name: OPERATOR_NAME_PLACEHOLDER, url: ABUSE_CONTACT_PLACEHOLDER },
      termsOfService: `${B}${documents.removal.path}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: B }],
    externalDocs: linkTo('docs'),
    tags,
    'x-api-lifecycle': { ...versions, deprecated_operations: deprecatedOperations },
    paths,
    components: {
      schemas: {
        ...forGenerators(jsonSchemas('#/components/schemas/')),
        ...problemSchemas,
        ...documentSchemas,
        ...mcpSchemas,
        ...jsonFeedSchemas,
      },
      parameters: parameterComponents(),
      headers: headerComponents(),
      responses: { ...registry.responses, ...documentResponses() },
      examples: { ...answerExamples(), ...problemExamples() },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Optional: raises the search allowance. Issued by the operator.',
        },
      },
    },
  })}\n`;
};
