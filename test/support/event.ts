// HTTP API events as API Gateway would make them of a request line, for the routes of the contract.
import type { Context } from 'aws-lambda';
import { documentRows, operationRows, pathsOf, routeKey } from '../../shared/contract/operations.ts';
import type { HttpEvent } from '../../shared/lambda/event.ts';

const patterns = [
  ...operationRows.flatMap(([, operation]) => pathsOf(operation)),
  ...documentRows.map(([, { path }]) => path),
].map((path) => ({
  path,
  names: [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name ?? ''),
  pattern: new RegExp(`^${path.replace(/\{[a-z]+\}/g, '([^/]+)')}$`),
}));

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** null: no such header. */
  readonly secret?: string | null;
}

let requests = 0;

/** @param target path and query as a client writes them; the path is decoded as API Gateway does */
export const event = (
  target: string,
  { method = 'GET', headers = {}, secret = 'local' }: RequestOptions = {},
): HttpEvent => {
  const [path = '', ...query] = target.split('?');
  const rawPath = decodeURIComponent(path);
  const match = patterns
    .filter(({ pattern }) => pattern.test(rawPath))
    .sort((a, b) => a.names.length - b.names.length)[0];
  const values = match?.pattern.exec(rawPath)?.slice(1) ?? [];
  requests += 1;
  return {
    version: '2.0',
    routeKey: match === undefined ? '$default' : routeKey(match.path),
    rawPath,
    rawQueryString: query.join('?'),
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(secret !== null && { 'x-origin-secret': secret }),
    },
    ...(match &&
      match.names.length > 0 && {
        pathParameters: Object.fromEntries(match.names.map((name, index) => [name, values[index]])),
      }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'api.example.test',
      domainPrefix: 'api',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: `request-${requests}`,
      routeKey: match === undefined ? '$default' : routeKey(match.path),
      stage: '$default',
      time: '21/Nov/2026:00:00:00 +0000',
      timeEpoch: 0,
    },
    isBase64Encoded: false,
  };
};

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
