// Serves the MCP handler over HTTP, with the events of function URLs. For suites with their own clients and registries.
import { createServer, type Server } from 'node:http';
import { createMcpHandler } from '../../functions/mcp/create-handler.ts';
import type { Registry } from '../../functions/mcp/registry.ts';
import { listen } from '../../infra/local/listen.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControl } from '../../shared/ports/access-control.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { createTestAccessControl } from './access-control.ts';
import { clocksOf } from './clocks.ts';
import { context } from './event.ts';

let requests = 0;

export interface McpRequest {
  readonly method?: string;
  /** With its query. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An event of payload 2.0, as function URLs send it. */
export const mcpEvent = ({ method = 'POST', path: target = '/mcp', headers = {}, body }: McpRequest): HttpEvent => {
  requests += 1;
  const [path = '', query = ''] = target.split('?');
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: { 'x-origin-secret': 'local', 'x-viewer-ip': '192.0.2.1', ...headers },
    isBase64Encoded: false,
    ...(body !== undefined && { body }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'url',
      domainName: 'url.lambda-url.us-east-1.on.aws',
      domainPrefix: 'url',
      http,
      requestId: `mcp-${requests}`,
      routeKey: '$default',
      stage: '$default',
      time: '21/Nov/2026:12:00:00 +0000',
      timeEpoch: 0,
    },
  };
};

export const mcpHandler = (
  registry: Registry,
  log: (fields: LogFields) => void = () => undefined,
  access: AccessControl = createTestAccessControl({ log }),
  research: Registry = registry,
): LambdaHandler =>
  createMcpHandler(
    registry,
    {
      ...clocksOf(Date.now),
      log,
      settings: { originSecrets: ['local'], baseUrl: 'https://api.example.test', cacheTtlSeconds: 300 },
      accessControl: access,
    },
    { research },
  );

/** Listens on a free port of loopback. @returns the URL of the endpoint */
export const serveMcp = async (handler: LambdaHandler): Promise<{ readonly url: string; readonly server: Server }> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(',') : (value ?? ''),
      ]),
    );
    const { method = 'GET', url: path = '/' } = request;
    const body = Buffer.concat(chunks).toString();
    const result = await handler(mcpEvent({ method, path, headers, body }), context());
    for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, String(value));
    response.statusCode = result.statusCode ?? 200;
    response.end(Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'));
  });
  const { port } = new URL(await listen(server, 'localhost', 0));
  return { url: `http://localhost:${port}/mcp`, server };
};
