// Emulates the HTTP API of API Gateway with the routes of the contract, and the function URL of the MCP server.

import { isVariable, matchesTemplate, routeKey } from '../../shared/contract/path-template.ts';
import { DEFAULT_LAMBDA, isGreedy, type RouteRow, routeRows } from '../../shared/contract/routes.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { ACCOUNT, type FunctionHost, REGION } from './function-host.ts';
import {
  createInvoker,
  httpEvent,
  type Invocation,
  type OriginHandler,
  type OriginRequest,
  platformResponses,
} from './http-event.ts';

const URL_ID = 'local';

/** Unlike API Gateway, a function URL neither routes nor decodes the path. */
export const functionUrlInvocation = (request: OriginRequest, now: Date): Invocation => ({
  lambda: 'mcp',
  event: httpEvent(request, {
    routeKey: '$default',
    rawPath: request.path,
    accountId: 'anonymous', // the request is not signed
    apiId: URL_ID,
    domainName: `${URL_ID}.lambda-url.${REGION}.on.aws`,
    now,
  }),
});

export const createFunctionUrl = (functions: FunctionHost, reportFailure: (message: string) => void): OriginHandler => {
  const invoke = createInvoker(functions, reportFailure, platformResponses.urlFails);
  return (request) => invoke(functionUrlInvocation(request, new Date()));
};

/** A request that no route matches. */
const DEFAULT_ROUTE = { key: '$default', segments: [], lambda: DEFAULT_LAMBDA } as const;

interface ApiRoute extends Pick<RouteRow, 'segments' | 'lambda'> {
  readonly key: string;
  matches(segments: readonly string[]): boolean;
}

/** A greedy variable matches all remaining segments, and at least 1. */
const matcherOf = (row: RouteRow): ApiRoute['matches'] => {
  const { segments: template } = row;
  if (!isGreedy(row)) return (segments) => matchesTemplate(template, segments);
  const head = template.slice(0, -1);
  return (segments) => segments.length > head.length && matchesTemplate(head, segments.slice(0, head.length));
};

const routes: readonly ApiRoute[] = routeRows.map((row) => ({
  key: routeKey(row.path),
  segments: row.segments,
  lambda: row.lambda,
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

const eventFor = (
  request: OriginRequest,
  route: Pick<ApiRoute, 'key' | 'segments'>,
  segments: readonly string[],
  now: Date,
): HttpEvent => {
  const parameters = pathParameters(route, segments);
  return {
    ...httpEvent(request, {
      routeKey: route.key,
      rawPath: decode(request.path),
      accountId: ACCOUNT,
      apiId: 'local',
      domainName: `local.execute-api.${REGION}.amazonaws.com`,
      now,
    }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
  };
};

/** @returns the Lambda of a request and its event */
export const routeRequest = (request: OriginRequest, now: Date): Invocation => {
  const segments = request.path.split('/');
  const route = routes.find(({ matches }) => matches(segments)) ?? DEFAULT_ROUTE;
  return { lambda: route.lambda, event: eventFor(request, route, segments, now) };
};

export const createApiGateway = (functions: FunctionHost, reportFailure: (message: string) => void): OriginHandler => {
  const invoke = createInvoker(functions, reportFailure, platformResponses.functionFails);
  return (request) => invoke(routeRequest(request, new Date()));
};
