// Which problems an operation can answer with, and how the description shows them.

import { inputRow } from '../../contract/inputs.ts';
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
import { type ProblemCode, problem, problemDocument, problemRow, problems } from '../../contract/problems.ts';
import { type UseCase, type UseCaseName, useCases } from '../../contract/use-cases.ts';

/** Of the MCP endpoint, outside of JSON-RPC. */
export const MCP_CODES = [
  'invalid_key',
  'forbidden_origin',
  'not_acceptable',
  'content_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'internal_error',
  'upstream_unavailable',
] as const satisfies readonly ProblemCode[];

/** Of every route. */
export const COMMON_CODES = ['uri_too_long', 'internal_error'] as const satisfies readonly ProblemCode[];

const codesOfRead = (name: UseCaseName): readonly ProblemCode[] => {
  const read: UseCase = useCases[name];
  const input = inputRow(read.input);
  const ofParameter = (parameter: ParameterName): readonly ProblemCode[] =>
    parameter === 'format' ? [input.formatCode] : parameters[parameter].codes;
  return [
    'repeated_parameter',
    ...input.parameters.flatMap(ofParameter),
    ...read.problems,
    'rate_limited',
    'upstream_failed',
    'upstream_unavailable',
  ];
};

/** Where one of these is not in the path, the caller may have left it out. */
const REQUIRED_SOMEWHERE: readonly string[] = ['url', 'handle', 'id'] satisfies ParameterName[];

const ofOperation = (operation: Operation): readonly ProblemCode[] => [
  ...COMMON_CODES,
  ...useCasesOf(operation).flatMap(codesOfRead),
  ...(queryNames(operation).some((name) => REQUIRED_SOMEWHERE.includes(name)) ? (['missing_parameter'] as const) : []),
  ...(typeof operation.useCase === 'string' ? [] : (['invalid_resource'] as const)),
  ...(acceptsApiKey(operation) ? (['invalid_key'] as const) : []),
  ...(isNegotiated(operation) ? (['not_acceptable'] as const) : []),
  // A first segment that is reserved, or no handle.
  ...(operation.path.startsWith('/{handle}') ? (['route_not_found'] as const) : []),
];

const codes = Object.keys(problems) as ProblemCode[]; // exactly the keys of a constant table

/** By status, in the order of the table. */
export const byStatus = (some: readonly ProblemCode[]): ReadonlyMap<number, readonly ProblemCode[]> =>
  Map.groupBy(
    codes.filter((code) => some.includes(code)),
    (code) => problemRow(code).status,
  );

export const problemsOf = (operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> =>
  byStatus(ofOperation(operation));

/** What the routes of the description answer with. */
const describedCodes = (): readonly ProblemCode[] => {
  const used = new Set<ProblemCode>([
    ...COMMON_CODES,
    ...MCP_CODES,
    ...operationRows.flatMap(([, operation]) => ofOperation(operation)),
  ]);
  return codes.filter((code) => used.has(code));
};

/** What makes an occurrence: the rest is the table's. */
const occurrences: Partial<Readonly<Record<ProblemCode, Parameters<typeof problem>[1]>>> = {
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
        value: problemDocument(problem(code, occurrences[code]), { baseUrl: B, instance: '/api/v1/posts' }),
      },
    ]),
  );

export const PROBLEM_TYPE = contentTypes.problem;

const reason = {
  type: 'string',
  description: 'Of 403 and 404 of a post or profile: a reason of the schema Tombstone.',
};

export const problemSchema = {
  type: 'object',
  description: 'RFC 9457, with a stable code and a next step.',
  required: ['type', 'title', 'status', 'code', 'detail', 'resolution', 'instance'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Leads to the explanation of the code.' },
    title: { type: 'string', description: 'The same for every occurrence of a code.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    code: { type: 'string', description: 'Stable, meant for programs.', pattern: '^[a-z][a-z0-9_]+$' },
    detail: { type: 'string', description: 'This occurrence, for people.' },
    resolution: { type: 'string', description: 'What to do next, in one sentence.' },
    instance: { type: 'string', description: 'The path that was asked for, without its query.' },
    errors: {
      type: 'array',
      description: 'Of 400: every wrong parameter.',
      items: {
        type: 'object',
        required: ['parameter', 'message'],
        properties: { parameter: { type: 'string' }, message: { type: 'string' } },
      },
    },
    reason,
    retry_after: { type: 'integer', minimum: 1, description: 'Seconds, equal to Retry-After.' },
    links: {
      type: 'array',
      description: 'Of route_not_found: what there is.',
      items: {
        type: 'object',
        required: ['href', 'rel', 'title'],
        properties: { href: { type: 'string' }, rel: { type: 'string' }, title: { type: 'string' } },
      },
    },
  },
};
