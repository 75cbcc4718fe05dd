// API Gateway's HTTP API on one machine: routes from the contract, events of payload format 2.0, and what becomes of
// a function's result.
import { randomUUID } from 'node:crypto';
import { fits, isVariable, routeKey } from '../../shared/contract/path-template.ts';
import { DEFAULT_SURFACE, isGreedy, type RouteRow, routeRows } from '../../shared/contract/routes.ts';
import type { SurfaceName } from '../../shared/contract/surfaces.ts';
import type { HttpEvent } from '../../shared/lambda/event.ts';
import { causeText } from '../../shared/ports.ts';
import type { FunctionHost } from './function-host.ts';
import { ACCOUNT, REGION } from './lambda-facts.ts';
import { jsonReply, type Reply } from './reply.ts';

export interface ApiRequest {
  readonly method: string;
  /** Still percent-encoded. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names; repeated fields joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** A request that no route matches. */
const DEFAULT_ROUTE = { key: '$default', segments: [], surface: DEFAULT_SURFACE } as const;

interface ApiRoute extends Pick<RouteRow, 'segments' | 'surface'> {
  readonly key: string;
  matches(segments: readonly string[]): boolean;
}

/** A greedy variable stands for all that is left, and for one segment at least. */
const matcherOf = (row: RouteRow): ApiRoute['matches'] => {
  const { segments: template } = row;
  if (!isGreedy(row)) return (segments) => fits(template, segments);
  const head = template.slice(0, -1);
  return (segments) => segments.length > head.length && fits(head, segments.slice(0, head.length));
};

const routes: readonly ApiRoute[] = routeRows.map((row) => ({
  key: routeKey(row.path),
  segments: row.segments,
  surface: row.surface,
  matches: matcherOf(row),
}));

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const pathParameters = (route: Pick<ApiRoute, 'segments'>, segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    route.segments.flatMap((part, index) =>
      isVariable(part) ? [[part.slice(1, -1), decode(segments[index] ?? '')]] : [],
    ),
  );

/** Repeated names are joined with commas; whoever needs them apart reads rawQueryString. */
const queryParameters = (query: string): Record<string, string> => {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query))
    joined.set(name, joined.has(name) ? `${joined.get(name)},${value}` : value);
  return Object.fromEntries(joined);
};

const IS_TEXT = /^(?:text\/|application\/(?:json|[a-z0-9.-]+\+json|x-www-form-urlencoded)\b)/i;

const bodyOf = ({ body, headers }: ApiRequest): Pick<HttpEvent, 'body' | 'isBase64Encoded'> => {
  if (body.length === 0) return { isBase64Encoded: false };
  const isBase64Encoded = !IS_TEXT.test(headers['content-type'] ?? '');
  return { body: body.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
};

const eventFor = (
  request: ApiRequest,
  route: Pick<ApiRoute, 'key' | 'segments'>,
  segments: readonly string[],
  now: Date,
): HttpEvent => {
  const rawPath = decode(request.path);
  const parameters = pathParameters(route, segments);
  const query = queryParameters(request.query);
  const { cookie, ...headers } = request.headers;
  return {
    version: '2.0',
    routeKey: route.key,
    rawPath,
    rawQueryString: request.query,
    headers,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    ...(request.query !== '' && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      domainName: `local.execute-api.${REGION}.amazonaws.com`,
      domainPrefix: 'local',
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: route.key,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    ...bodyOf(request),
  };
};

/** Which function gets a request, and as what event. */
export const dispatch = (
  request: ApiRequest,
  now: Date,
): { readonly surface: SurfaceName; readonly event: HttpEvent } => {
  const segments = request.path.split('/');
  const route = routes.find(({ matches }) => matches(segments)) ?? DEFAULT_ROUTE;
  return { surface: route.surface, event: eventFor(request, route, segments, now) };
};

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** A result in the wrong shape becomes API Gateway's own 500, as there. */
export const replyOf = (result: unknown): Reply => {
  const { statusCode, headers, cookies, body, isBase64Encoded } = record(result);
  if (typeof statusCode !== 'number') return jsonReply(500, { message: 'Internal Server Error' });
  const named = Object.entries(record(headers)).map(([name, value]) => [name, String(value)]);
  const encoding = isBase64Encoded === true ? 'base64' : 'utf8';
  return {
    status: statusCode,
    headers: { ...Object.fromEntries(named), ...(Array.isArray(cookies) && { 'Set-Cookie': cookies.map(String) }) },
    body: Buffer.from(typeof body === 'string' ? body : '', encoding),
  };
};

export type Api = (request: ApiRequest) => Promise<Reply>;

export const createApi =
  (functions: FunctionHost, reportFailure: (message: string) => void): Api =>
  async (request) => {
    const { surface, event } = dispatch(request, new Date());
    try {
      return replyOf(await functions(surface, event));
    } catch (error) {
      reportFailure(`${surface}: ${causeText(error)}`);
      return jsonReply(500, { message: 'Internal Server Error' });
    }
  };
