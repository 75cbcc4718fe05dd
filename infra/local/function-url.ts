// The function URL of the MCP server on one machine. Unlike API Gateway it routes nothing and decodes nothing.
import type { FunctionHost } from './function-host.ts';
import { httpEvent, type Invocation, invoker, type Origin, type OriginRequest } from './http-event.ts';
import { REGION } from './lambda-facts.ts';
import { jsonReply } from './reply.ts';

const URL_ID = 'local';

export const functionUrlInvocation = (request: OriginRequest, now: Date): Invocation => ({
  surface: 'mcp',
  event: httpEvent(request, {
    routeKey: '$default',
    rawPath: request.path,
    accountId: 'anonymous', // nobody has signed the request
    apiId: URL_ID,
    domainName: `${URL_ID}.lambda-url.${REGION}.on.aws`,
    now,
  }),
});

export const createFunctionUrl = (functions: FunctionHost, reportFailure: (message: string) => void): Origin => {
  const invoke = invoker(functions, reportFailure, jsonReply(502, { Message: 'Internal Server Error' }));
  return (request) => invoke(functionUrlInvocation(request, new Date()));
};
