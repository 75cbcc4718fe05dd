// Emulates the HTTP API of API Gateway with the routes of the contract, and the function URL of the MCP server: both turn a
// request into an event of payload format 2.0, and the result of a function into a response.
import { randomUUID } from 'node:crypto';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { isVariable, matchesTemplate, routeKey } from '../../shared/contract/paths.ts';
import { DEFAULT_LAMBDA, gatewayRows, isGreedy, type RouteRow } from '../../shared/contract/routes.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { asRecord, errorText } from '../../shared/model/json.ts';
import { decodeSegment } from '../../shared/model/x-urls.ts';
import { ACCOUNT, type FunctionHost, REGION } from './function-host.ts';

/** Between a function and the viewer. */
export interface OriginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/** @param name in lower case */
export const originHeader = ({ headers }: OriginResponse, name: string): string | undefined => {
  const value = Object.entries(headers).find(([field]) => field.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(', ');
};

const platformResponse = (status: number, body: Readonly<Record<string, string>>): OriginResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

/** Answers of AWS itself; docs/platform-answers.md lists all of them. */
export const platformResponses = {
  functionFails: platformResponse(500, { message: 'Internal Server Error' }),
  urlFails: platformResponse(502, { Message: 'Internal Server Error' }),
} as const;

/** RFC 9112 section 3.2: a target may also have scheme and host (absolute form) or be `*` (asterisk form). */
export const originForm = (target: string): string => {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
};

export interface OriginRequest {
  readonly method: string;
  /** Still percent-encoded. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names; repeated fields joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly sourceIp: string;
  /** `{base_url}` of the answer if no setting says it. */
  readonly baseUrl?: string;
}

export type OriginHandler = (request: OriginRequest) => Promise<OriginResponse>;

const IS_TEXT = /^(?:text\/|application\/(?:json|[a-z0-9.-]+\+json|x-www-form-urlencoded)\b)/i;

const bodyOf = ({ body, headers }: OriginRequest): Pick<HttpEvent, 'body' | 'isBase64Encoded'> => {
  if (body.length === 0) return { isBase64Encoded: false };
  const isBase64Encoded = !IS_TEXT.test(headers['content-type'] ?? '');
  return { body: body.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
};

interface EventOptions {
  readonly routeKey: string;
  readonly rawPath: string;
  readonly accountId: string;
  readonly apiId: string;
  readonly domainName: string;
  readonly now: Date;
}

const httpEvent = (
  request: OriginRequest,
  { routeKey, rawPath, accountId, apiId, domainName, now }: EventOptions,
): HttpEvent => {
  const { cookie, ...headers } = request.headers;
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: request.query,
    headers,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    requestContext: {
      accountId,
      apiId,
      domainName,
      domainPrefix: apiId,
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    ...(request.baseUrl !== undefined && { stageVariables: { baseUrl: request.baseUrl } }),
    ...bodyOf(request),
  };
};

/** @returns undefined if the result is not a response of payload format 2.0 */
const responseFromResult = (result: unknown): OriginResponse | undefined => {
  const { statusCode, headers, cookies, body, isBase64Encoded } = asRecord(result) ?? {};
  if (typeof statusCode !== 'number') return undefined;
  const fields = Object.entries(asRecord(headers) ?? {}).map(([name, value]) => [name, String(value)]);
  const encoding = isBase64Encoded === true ? 'base64' : 'utf8';
  return {
    status: statusCode,
    headers: { ...Object.fromEntries(fields), ...(Array.isArray(cookies) && { 'Set-Cookie': cookies.map(String) }) },
    body: Buffer.from(typeof body === 'string' ? body : '', encoding),
  };
};

export interface Invocation {
  readonly lambda: LambdaName;
  readonly event: HttpEvent;
}

/** @param failure the answer of AWS if a function throws or its result is invalid */
const createInvoker =
  (functions: FunctionHost, reportFailure: (message: string) => void, failure: OriginResponse) =>
  async ({ lambda, event }: Invocation): Promise<OriginResponse> => {
    try {
      return responseFromResult(await functions(lambda, event)) ?? failure;
    } catch (error) {
      reportFailure(`${lambda}: ${errorText(error)}`);
      return failure;
    }
  };

const URL_ID = 'local';

/** Unlike API Gateway, a function URL neither routes nor decodes the path. */
export const createFunctionUrl = (functions: FunctionHost, reportFailure: (message: string) => void): OriginHandler => {
  const invoke = createInvoker(functions, reportFailure, platformResponses.urlFails);
  return (request) => {
    const event = httpEvent(request, {
      routeKey: '$default',
      rawPath: request.path,
      accountId: 'anonymous', // the request is not signed
      apiId: URL_ID,
      domainName: `${URL_ID}.lambda-url.${REGION}.on.aws`,
      now: new Date(),
    });
    return invoke({ lambda: 'mcp', event });
  };
};

/** A greedy variable matches all remaining segments, and at least 1. */
const matchesRow = (row: RouteRow, segments: readonly string[]): boolean => {
  if (!isGreedy(row)) return matchesTemplate(row.segments, segments);
  const head = row.segments.slice(0, -1);
  return segments.length > head.length && matchesTemplate(head, segments.slice(0, head.length));
};

const decode = (text: string): string => decodeSegment(text) ?? text;

/** @returns the Lambda of a request and its event */
export const routeRequest = (request: OriginRequest, now: Date): Invocation => {
  const segments = request.path.split('/');
  const row = gatewayRows.find((candidate) => matchesRow(candidate, segments));
  const parameters = (row?.segments ?? []).flatMap((part, index) =>
    isVariable(part) ? [[part.slice(1, -1), decode(segments[index] ?? '')]] : [],
  );
  const event = httpEvent(request, {
    routeKey: row === undefined ? '$default' : routeKey(row.path),
    rawPath: decode(request.path),
    accountId: ACCOUNT,
    apiId: 'local',
    domainName: `local.execute-api.${REGION}.amazonaws.com`,
    now,
  });
  return {
    lambda: row?.lambda ?? DEFAULT_LAMBDA,
    event: { ...event, ...(parameters.length > 0 && { pathParameters: Object.fromEntries(parameters) }) },
  };
};

export const createApiGateway = (functions: FunctionHost, reportFailure: (message: string) => void): OriginHandler => {
  const invoke = createInvoker(functions, reportFailure, platformResponses.functionFails);
  return (request) => invoke(routeRequest(request, new Date()));
};
