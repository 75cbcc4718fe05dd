// Sends messages to the MCP handler in this process, as clients of all revisions send them. Every response is validated
// against /openapi.json.
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { expectConformance } from './conformance.ts';
import { context } from './event.ts';
import { type McpRequest, mcpEvent } from './mcp-server.ts';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const rpc = (method: string, params?: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});

/** The header fields that repeat parts of a stateless request. */
export const mirrored = (method: string, params: Readonly<Record<string, unknown>>): Record<string, string> => {
  const named = params['name'] ?? params['uri'];
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': named }),
  };
};

export interface McpAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests expect any JSON
  readonly json: any;
}

/** @param remainingMilliseconds of the function at the start of the request */
export const mcpCalls = (handler: LambdaHandler, remainingMilliseconds?: number) => {
  const send = async (request: McpRequest): Promise<McpAnswer> => {
    const event = mcpEvent({ ...request, headers: { ...JSON_HEADERS, ...request.headers } });
    const result = await handler(event, context(remainingMilliseconds));
    const headers = Object.fromEntries(
      Object.entries(result.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const body = result.body ?? '';
    expectConformance(request.method ?? 'POST', '/mcp', { status: result.statusCode ?? 0, headers, body });
    return { status: result.statusCode, headers, body, json: body === '' ? undefined : JSON.parse(body) };
  };

  const call = (message: unknown, headers: Readonly<Record<string, string>> = {}, path?: string): Promise<McpAnswer> =>
    send({
      body: typeof message === 'string' ? message : JSON.stringify(message),
      headers,
      ...(path !== undefined && { path }),
    });

  const callStateless = (
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
    path?: string,
  ): Promise<McpAnswer> =>
    call(rpc(method, { ...params, _meta: META }), { ...mirrored(method, params), ...headers }, path);

  return { send, call, callStateless };
};

/** @returns the tool and the arguments that the text of an error says to call; undefined if it names no call */
export const namedCall = (text: string): readonly [name: string, args: object] | undefined => {
  const [, name, args = ''] = /\bcall (x_\w+) with (.+?)\.?$/im.exec(text) ?? [];
  const values = [...args.matchAll(/(?:^| and )(\w+) ("(?:[^"\\]|\\.)*"|true)/g)];
  return name === undefined
    ? undefined
    : [name, Object.fromEntries(values.map(([, argument = '', value = '']) => [argument, JSON.parse(value)]))];
};
