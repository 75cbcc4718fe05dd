// Describes the problem documents: the codes per operation, their examples and their schema.
import { parameterProblems, useCaseProblems } from '../../contract/inputs.ts';
import { contentTypes } from '../../contract/media-types.ts';
import {
  acceptsApiKey,
  isNegotiated,
  type Operation,
  operationRows,
  queryNames,
  useCasesOf,
} from '../../contract/operations.ts';
import { type ParameterName, parameters } from '../../contract/parameters.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { problems } from '../../contract/problem-rows.ts';
import { type ProblemCode, problem, problemDocument, problemRow } from '../../contract/problems.ts';
import { type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { keysOf } from '../../model/json.ts';

/** The codes of the MCP endpoint outside JSON-RPC. */
export const MCP_CODES = [
  'invalid_key',
  'forbidden_origin',
  'not_acceptable',
  'content_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'upstream_unavailable',
] as const satisfies readonly ProblemCode[];

/** The codes of a wrong query of the MCP endpoint. */
export const MCP_QUERY_CODES = ['invalid_parameter', 'repeated_parameter'] as const satisfies readonly ProblemCode[];

/** The codes that every route has. */
export const COMMON_CODES = ['uri_too_long', 'internal_error'] as const satisfies readonly ProblemCode[];

const codesOfUseCase = (name: UseCaseName): readonly ProblemCode[] => [
  'repeated_parameter',
  ...useCases[name].parameters.flatMap((parameter) => parameterProblems(name, parameter)),
  ...useCaseProblems(name),
];

/** If one of these is a query parameter of an operation, `missing_parameter` is possible. */
const REQUIRED_SOMEWHERE: readonly string[] = ['url', 'handle', 'id', 'ids', 'handles'] satisfies ParameterName[];

/** A permalink of a list has a handle in its path, which no use case reads. */
const PATH_PARAMETERS = ['handle', 'id'] as const satisfies readonly ParameterName[];

const codesOfOperation = (operation: Operation): readonly ProblemCode[] => [
  ...COMMON_CODES,
  ...useCasesOf(operation).flatMap(codesOfUseCase),
  ...PATH_PARAMETERS.filter((name) => operation.path.includes(`{${name}}`)).flatMap((name) => parameters[name].codes),
  ...(queryNames(operation).some((name) => REQUIRED_SOMEWHERE.includes(name)) ? (['missing_parameter'] as const) : []),
  ...(typeof operation.useCase === 'string' ? [] : (['invalid_resource'] as const)),
  ...(acceptsApiKey(operation) ? (['invalid_key'] as const) : []),
  ...(isNegotiated(operation) ? (['not_acceptable'] as const) : []),
  // The first segment can be a reserved word or an invalid handle.
  ...(operation.path.startsWith('/{handle}') ? (['route_not_found'] as const) : []),
];

const codes = keysOf(problems);

/** Groups codes by status, in the order of the problem table. */
export const groupByStatus = (some: readonly ProblemCode[]): ReadonlyMap<number, readonly ProblemCode[]> =>
  Map.groupBy(
    codes.filter((code) => some.includes(code)),
    (code) => problemRow(code).status,
  );

export const problemsOf = (operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> =>
  groupByStatus(codesOfOperation(operation));

const describedCodes = (): readonly ProblemCode[] => {
  const used = new Set<ProblemCode>([
    ...COMMON_CODES,
    ...MCP_CODES,
    ...MCP_QUERY_CODES,
    ...operationRows.flatMap(([, operation]) => codesOfOperation(operation)),
  ]);
  return codes.filter((code) => used.has(code));
};

/** The members that differ per occurrence. The other members are constant per code. */
const exampleOptions: Partial<Readonly<Record<ProblemCode, Parameters<typeof problem>[1]>>> = {
  missing_parameter: {
    detail: 'url is required, or handle and id.',
    errors: [{ parameter: 'url', message: 'is required, or handle and id' }],
  },
  invalid_parameter: {
    detail: 'limit must be a whole number from 1 to 100.',
    errors: [{ parameter: 'limit', message: 'must be a whole number from 1 to 100' }],
  },
  post_not_found: { reason: 'deleted' },
  post_protected: { reason: 'protected' },
  profile_not_found: { reason: 'suspended' },
  profile_protected: { reason: 'protected' },
  rate_limited: { retryAfter: 41 },
};

export const problemExamples = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    describedCodes().map((code) => [
      code,
      {
        summary: problemRow(code).title,
        value: problemDocument(problem(code, exampleOptions[code]), { baseUrl: B, instance: '/api/v1/posts' }),
      },
    ]),
  );

export const PROBLEM_TYPE = contentTypes.problem;

const text = { type: 'string' };

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem document with a stable code and a resolution.',
  required: ['type', 'title', 'status', 'code', 'detail', 'resolution', 'instance'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'URL of the description of the code.' },
    title: { type: 'string', description: 'The same for every occurrence of a code.' },
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
    code: { type: 'string', description: 'Stable code for programs.', pattern: '^[a-z][a-z0-9_]+$' },
    detail: { type: 'string', description: 'Details of this occurrence, for people.' },
    resolution: { type: 'string', description: 'One sentence that says what to do.' },
    instance: { type: 'string', description: 'The requested path, without the query.' },
    errors: {
      type: 'array',
      description: 'On 400: every wrong parameter.',
      items: { $ref: '#/components/schemas/ParameterError' },
    },
    reason: { type: 'string', description: 'On 403 and 404 of a post or profile: a reason of the schema Tombstone.' },
    retry_after: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      description: 'Number of seconds to wait, equal to Retry-After.',
    },
    links: {
      type: 'array',
      description: 'On route_not_found: documents that exist.',
      items: { $ref: '#/components/schemas/ProblemLink' },
    },
  },
};

export const problemSchemas = {
  Problem: problemSchema,
  ParameterError: {
    type: 'object',
    description: 'A wrong parameter.',
    required: ['parameter', 'message'],
    properties: { parameter: text, message: text },
  },
  ProblemLink: {
    type: 'object',
    description: 'A document that exists.',
    required: ['href', 'rel', 'title'],
    properties: { href: text, rel: text, title: text },
  },
};
