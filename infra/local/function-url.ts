// Emulates the function URL of the MCP server. Unlike API Gateway, it neither routes nor decodes the path.
import type { FunctionHost } from './function-host.ts';
import { createInvoker, httpEvent, type Invocation, type OriginHandler, type OriginRequest } from './http-event.ts';
import { REGION } from './lambda-environment.ts';
import { platformResponses } from './origin-response.ts';

const URL_ID = 'local';

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
