// Judges an answer to any request: declared by /openapi.json, no fault of the service, nothing of its inside, nothing of
// the request in a header, and within the size that Lambda can return.
import { isFailure } from '../../shared/contract/problems.ts';
import { CANARY } from '../generators/nasty-strings.ts';
import { expectConformance, operationAt } from './conformance.ts';
import { isProblem } from './problem-schema.ts';

export interface AnsweredRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface JudgedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** After content decoding. */
  readonly body: string;
}

export interface OracleOptions {
  /** Texts that no answer may contain, such as secrets and internal addresses. */
  readonly secrets?: readonly string[];
  /** The edge function saw the request. */
  readonly isAtEdge?: boolean;
}

/** The payload that Lambda returns at most (AWS Lambda quotas). */
const MAX_BYTES = 6_291_556;

/** Matches stack traces, files of the service, and texts of Node, of validators and of SDKs. */
const INSIDE =
  /\n\s+at .+:\d+:\d+|node:internal|node_modules|\/(?:var\/task|opt\/nodejs|tmp)\/|\b[\w-]+\.[cm]?[jt]s:\d+:\d+|\b(?:TypeError|RangeError|SyntaxError|ReferenceError|ZodError|ValidationException|ECONNREFUSED|ECONNRESET|ENOENT)\b|Unexpected token|is not a function|Cannot read propert/;

/** The dashboard and the API of the operator are private, so no description has them. */
const isOfOperator = (target: string): boolean => /^\/(?:api\/)?admin(?:[/?]|$)/.test(target);

/** Documents that explain errors may name them. */
const isDocument = (target: string): boolean => /^\/(?:docs|llms|openapi)/.test(target);

/** Header fields that name the page itself or a page that the service chose, percent-encoded. */
const NAMES_A_PAGE = new Set(['link', 'location', 'content-location']);

const headerErrors = ({ status, headers }: JudgedAnswer): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    const text = String(value);
    return [
      ...(/[^\t\x20-\x7e]/.test(text) ? [`${name} has a character outside printable ASCII`] : []),
      ...(text.includes(CANARY) && !NAMES_A_PAGE.has(name) ? [`${name} repeats a part of the request`] : []),
      ...(/^(?:set-cookie|www-authenticate)$/.test(name) && status < 500 ? [`${name} is set`] : []),
    ];
  });

const problemErrors = (target: string, { status, headers, body }: JudgedAnswer): readonly string[] => {
  if (!String(headers['content-type']).startsWith('application/problem+json') || body === '') return [];
  const document: unknown = JSON.parse(body);
  if (!isProblem(document)) return [`the problem document is invalid: ${JSON.stringify(isProblem.errors)}`];
  const member = (name: string): unknown =>
    typeof document === 'object' && document ? Reflect.get(document, name) : '';
  const instance = String(member('instance') ?? '');
  return [
    ...(member('status') === status ? [] : [`status ${String(member('status'))} in the body`]),
    ...(instance.includes('?') || Buffer.byteLength(instance) > 512 ? ['instance has a query or is too long'] : []),
    ...(target.includes('?') && String(member('detail')).includes(CANARY) ? ['detail repeats the query'] : []),
  ];
};

const isPrivate = (value: string): boolean => /\b(?:private|no-store)\b/.test(value);

/** A caller with a key must not share an answer with other callers, and an error is stored briefly if at all. */
const cacheErrors = (
  { target, headers: fields }: AnsweredRequest,
  { status, headers }: JudgedAnswer,
): readonly string[] => {
  const control = String(headers['cache-control'] ?? '');
  const seconds = Number(/s-maxage=(\d+)/.exec(control)?.[1] ?? /max-age=(\d+)/.exec(control)?.[1] ?? 0);
  const isKeyed = headers['x-api-key-status'] !== undefined && headers['x-api-key-status'] !== 'anonymous';
  return [
    ...(control === '' ? ['Cache-Control is missing'] : []),
    ...(isKeyed && !isPrivate(control) ? [`an answer to a key is shared: ${control}`] : []),
    ...((status === 401 || status === 429) && !isPrivate(control) ? [`a ${status} is shared: ${control}`] : []),
    ...(status >= 400 && seconds > 300 ? [`an error is stored for ${seconds} s`] : []),
    ...(fields['authorization'] !== undefined &&
    status === 401 &&
    operationAt(target) === undefined &&
    !/^\/(?:api\/admin|admin|mcp)/.test(target)
      ? ['401 without an operation']
      : []),
  ];
};

/** Reads and preflights answer everywhere, POST only at the MCP server, and no other method. */
const methodErrors = ({ method, target }: AnsweredRequest, { status }: JudgedAnswer): readonly string[] => {
  const isAnswered = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const isMcp = method === 'POST' && /^\/mcp\/?(?:\?|$)/.test(target);
  return isAnswered || isMcp || status >= 400 ? [] : [`${method} gets ${status}`];
};

const conformity = (request: AnsweredRequest, answer: JudgedAnswer, isAtEdge: boolean): readonly string[] => {
  try {
    expectConformance(request.method, request.target, answer, request.headers, { isAtEdge });
    return [];
  } catch (error) {
    return [String(error)];
  }
};

/** @returns the errors as text; empty if the answer is right */
export const answerErrors = (
  request: AnsweredRequest,
  answer: JudgedAnswer,
  { secrets = [], isAtEdge = false }: OracleOptions = {},
): readonly string[] => {
  const { status, body } = answer;
  const visible = body + JSON.stringify(answer.headers);
  return [
    ...(isFailure(status) ? [`status ${status}`] : []),
    ...(isOfOperator(request.target)
      ? []
      : [...conformity(request, answer, isAtEdge), ...methodErrors(request, answer)]),
    ...headerErrors(answer),
    ...problemErrors(request.target, answer),
    ...(status === 304 || request.method === 'OPTIONS' ? [] : cacheErrors(request, answer)),
    ...(request.method === 'HEAD' && body !== '' ? ['HEAD has a body'] : []),
    ...(Buffer.byteLength(body) > MAX_BYTES ? ['larger than Lambda can return'] : []),
    ...(body.isWellFormed() ? [] : ['a lone surrogate']),
    ...(!isDocument(request.target) && INSIDE.test(visible)
      ? [`a text of the inside: ${INSIDE.exec(visible)?.[0]}`]
      : []),
    ...secrets.flatMap((secret) => (visible.includes(secret) ? ['a secret or an internal address'] : [])),
  ];
};
