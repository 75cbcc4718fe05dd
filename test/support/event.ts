// Creates HTTP API events from a target as API Gateway does, for the routes of the contract.
import type { Context } from 'aws-lambda';
import { routeRequest } from '../../infra/local/api-gateway.ts';
import { splitTarget } from '../../infra/local/edge-sandbox.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The origin secret; null omits the header. */
  readonly secret?: string | null;
  readonly body?: string;
}

let requests = 0;

/** @param target path and query at API Gateway */
export const routedEvent = (
  target: string,
  { method = 'GET', headers = {}, secret = 'local', body = '' }: RequestOptions = {},
): { readonly lambda: LambdaName; readonly event: HttpEvent } => {
  const [path, query] = splitTarget(target);
  const { lambda, event: routed } = routeRequest(
    {
      method,
      path,
      query,
      headers: {
        ...(secret !== null && { 'x-origin-secret': secret }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      },
      body: Buffer.from(body),
      sourceIp: '192.0.2.1',
    },
    new Date(0),
  );
  requests += 1;
  const requestContext = {
    ...routed.requestContext,
    domainName: 'api.example.test',
    domainPrefix: 'api',
    requestId: `request-${requests}`,
  };
  return { lambda, event: { ...routed, requestContext } };
};

export const event = (target: string, options?: RequestOptions): HttpEvent => routedEvent(target, options).event;

export const context = (remainingMilliseconds = 12_000): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'test',
  functionVersion: '1',
  invokedFunctionArn: 'arn',
  memoryLimitInMB: '512',
  awsRequestId: 'aws',
  logGroupName: 'group',
  logStreamName: 'stream',
  getRemainingTimeInMillis: () => remainingMilliseconds,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});
