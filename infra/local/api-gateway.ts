// Emulates the HTTP API of API Gateway with the routes of the contract, and the function URL of the MCP server.

import { isVariable, matchesTemplate, routeKey } from '../../shared/contract/paths.ts';
import { DEFAULT_LAMBDA, gatewayRows, isGreedy, type RouteRow } from '../../shared/contract/routes.ts';
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

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

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
