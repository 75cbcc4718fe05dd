// Answers messages of MCP by the endpoint for HTTP: that of the service at BASE_URL or, if it is unset, the function in this
// process. A client of standard input sends no header fields, so they are made of its messages.
import { createMcpHandler } from '../../../functions/mcp/create-handler.ts';
import { createRegistry } from '../../../functions/mcp/create-registry.ts';
import { parseMessage, rpcCodes, rpcError } from '../../../functions/mcp/json-rpc.ts';
import { createResearchRegistry } from '../../../functions/mcp/research.ts';
import { isStateless, mirroredFields } from '../../../functions/mcp/stateless-protocol.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { createFunctionUrl } from '../../../infra/local/api-gateway.ts';
import { chooseUpstream, withoutReplay } from '../../../infra/local/choose-upstream.ts';
import { lambdaContext } from '../../../infra/local/function-host.ts';
import { environmentOfOneCaller, portsOfOneCaller } from '../../../infra/local/in-process.ts';
import { type Environment, readVariable } from '../../../shared/composition/environment.ts';
import { EDGE_HEADERS } from '../../../shared/contract/headers.ts';
import { TOOLS_PARAMETER, type ToolSet } from '../../../shared/contract/mcp.ts';
import { mediaTypes } from '../../../shared/contract/media-types.ts';
import { MCP_PATH } from '../../../shared/contract/paths.ts';
import { asRecord, parseJson } from '../../../shared/model/json.ts';
import { env } from '../../../shared/settings/environment-variables.ts';
import { localDefaults, localEnv } from '../../../shared/settings/local-service.ts';
import { errorOf } from '../../src/postern-error.ts';
import { failureText } from '../request.ts';
import { boundedFetch, requireServiceUrl } from '../service.ts';

type Fields = Readonly<Record<string, string>>;

/** Posts a body to the endpoint. @throws CommandError, or the error of `fetch` */
type Post = (body: string, fields: Fields) => Promise<Response>;

export interface McpEndpoint {
  /** The source of the answers, for people. */
  readonly line: string;
  /** @returns undefined: the message has no answer. Never rejects. */
  answer(message: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface EndpointOptions {
  readonly environment: Environment;
  readonly toolSet: ToolSet | undefined;
  /** Receives the log with its line ends. */
  readonly writeLog: (text: string) => void;
}

const FIELDS: Fields = { 'content-type': mediaTypes.json, accept: `${mediaTypes.json}, text/event-stream` };

const VERSION = 'mcp-protocol-version';

/** A handshake names the revision of all later messages, which the fields of HTTP repeat. */
const versionIn = (reply: unknown): string | undefined => {
  const { protocolVersion } = asRecord(asRecord(reply)?.['result']) ?? {};
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
};

const isRpc = (reply: unknown): boolean => Array.isArray(reply) || asRecord(reply)?.['jsonrpc'] === '2.0';

const createAnswer = (post: Post): McpEndpoint['answer'] => {
  let version: string | undefined;
  return async (text) => {
    const value = parseJson(text);
    const message = Array.isArray(value) ? undefined : parseMessage(value);
    const request = message?.kind === 'request' ? message.request : undefined;
    const isHandshake = request?.method === 'initialize' && !isStateless(request);
    const fields = {
      ...FIELDS,
      ...(request !== undefined && isStateless(request)
        ? mirroredFields(request)
        : !isHandshake && version !== undefined && { [VERSION]: version }),
    };
    const fail = (why: string): string | undefined => {
      if (message?.kind === 'notification') return undefined;
      const id = request?.id ?? (message?.kind === 'invalid' ? message.id : null);
      return JSON.stringify(rpcError(id, rpcCodes.internalError, why));
    };
    try {
      const response = await post(text, fields);
      const body = await response.text();
      if (body === '') return undefined;
      const reply = parseJson(body);
      if (!isRpc(reply))
        return fail(
          failureText(errorOf(response, body)) ??
            `The service at ${env.baseUrl} answered with HTTP ${response.status}.`,
        );
      if (isHandshake) version = versionIn(reply) ?? version;
      return JSON.stringify(reply);
    } catch (error) {
      return fail(
        error instanceof CommandError ? error.message : `The service at ${env.baseUrl} does not answer. Try again.`,
      );
    }
  };
};

const queryOf = (toolSet: ToolSet | undefined): string =>
  toolSet === undefined ? '' : new URLSearchParams({ [TOOLS_PARAMETER]: toolSet }).toString();

/** @throws CommandError if BASE_URL is wrong */
const remoteEndpoint = (baseUrl: string, { environment, toolSet }: EndpointOptions): McpEndpoint => {
  const origin = requireServiceUrl(baseUrl);
  const query = queryOf(toolSet);
  const url = `${origin}${MCP_PATH}${query === '' ? '' : `?${query}`}`;
  const apiKey = readVariable(environment, localEnv.apiKey);
  const authorization: Fields = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    line: `answers come from ${url}`,
    answer: createAnswer((body, fields) =>
      boundedFetch(url, { method: 'POST', headers: { ...fields, ...authorization }, body }),
    ),
    close: async () => undefined,
  };
};

/** @throws Error if a setting is invalid */
const ownEndpoint = async ({ environment: given, toolSet, writeLog }: EndpointOptions): Promise<McpEndpoint> => {
  const upstream = await chooseUpstream(withoutReplay(given));
  try {
    const { environment } = environmentOfOneCaller(given, upstream);
    const ports = portsOfOneCaller(environment, (line) => writeLog(`${line}\n`), true);
    const handler = createMcpHandler(createRegistry(ports), ports, { research: createResearchRegistry(ports) });
    const url = createFunctionUrl(
      async (name, event) => handler(event, lambdaContext(name, event.requestContext.requestId)),
      (message) => writeLog(`${message}\n`),
    );
    const origin: Fields = { [EDGE_HEADERS.originSecret]: localDefaults.originSecret };
    const request = { method: 'POST', path: MCP_PATH, query: queryOf(toolSet), sourceIp: localDefaults.host };
    return {
      line: upstream.line,
      answer: createAnswer(async (body, fields) => {
        const given = { ...request, headers: { ...fields, ...origin }, body: Buffer.from(body) };
        const { status, headers, body: answer } = await url(given);
        return new Response(answer.toString() || null, {
          status,
          headers: { 'Content-Type': String(headers['Content-Type']) },
        });
      }),
      close: upstream.close,
    };
  } catch (error) {
    // Otherwise the server of the sample would keep the process running.
    await upstream.close();
    throw error;
  }
};

/** @throws Error if a setting is invalid */
export const createMcpEndpoint = async (options: EndpointOptions): Promise<McpEndpoint> => {
  const baseUrl = readVariable(options.environment, env.baseUrl);
  return baseUrl === undefined ? ownEndpoint(options) : remoteEndpoint(baseUrl, options);
};
