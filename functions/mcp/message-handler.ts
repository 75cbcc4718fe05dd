// Answers the messages of one body. Each message gets its own answer, whatever becomes of it: a fault, or a call that
// runs out of time, is told in the answer to its message and takes none away from the others of a batch.
import {
  BATCH_VERSION,
  HANDSHAKE_VERSIONS,
  MAX_BATCH_MESSAGES,
  MCP_VERSIONS,
  STATELESS_VERSION,
} from '../../shared/contract/mcp.ts';
import { toProblem } from '../../shared/contract/problems.ts';
import { type HttpEvent, headerOf, presentsBearer } from '../../shared/http/event.ts';
import { logProblem } from '../../shared/http/log-problem.ts';
import type { HandlerContext } from '../../shared/http/request-state.ts';
import { withLambdaTimeout } from '../../shared/http/with-timeout.ts';
import type { Log } from '../../shared/ports/system.ts';
import { isMethodName } from './dispatch.ts';
import { answerHandshake } from './handshake-protocol.ts';
import { parseMessage, type RpcRequest, type RpcResponse, rpcCodes, rpcError } from './json-rpc.ts';
import { InvalidParams, type Registry, type ToolContext } from './registry.ts';
import { answerStateless, isStateless } from './stateless-protocol.ts';
import { problemData, problemText } from './tool-results.ts';

const VERSION_HEADER = 'mcp-protocol-version';

const isHandshakeVersion = (version: string): boolean => HANDSHAKE_VERSIONS.some((known) => known === version);

/** What a body comes to. */
export interface HttpReply {
  readonly status: number;
  /** undefined: the client expects no answer. */
  readonly body?: RpcResponse | readonly RpcResponse[];
}

interface MessageReply {
  readonly status: number;
  readonly body?: RpcResponse;
}

const badRequest = (code: number, message: string, id: RpcResponse['id'] = null): MessageReply => ({
  status: 400,
  body: rpcError(id, code, message),
});

const invalid = (why: string, id?: RpcResponse['id']): MessageReply =>
  badRequest(rpcCodes.invalidRequest, `Invalid Request: ${why}`, id);

/** Who asks, by the request of HTTP and by the call of a tool. */
export interface MessageContext {
  readonly event: HttpEvent;
  readonly lambda: HandlerContext;
  readonly context: ToolContext;
}

/** @param text the body of a request. Never rejects. */
export type HandleBody = (text: string, asking: MessageContext) => Promise<HttpReply>;

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // not JSON
  }
};

export const createBodyHandler = (registry: Registry, log: Log): HandleBody => {
  /** Names of ours alone: what else a client writes there stays out of the log. */
  const logFieldsOf = ({ method, params }: RpcRequest, { event }: MessageContext) => ({
    request_id: event.requestContext.requestId,
    mcp_method: isMethodName(method) || method === 'initialize' ? method : 'other',
    tool: registry.tools.find(({ name }) => method === 'tools/call' && name === params?.['name'])?.name,
  });

  /** @returns the answer to what was thrown */
  const replyToError = (error: unknown, request: RpcRequest, asking: MessageContext): MessageReply => {
    const { id } = request;
    if (error instanceof InvalidParams) {
      return { status: 200, body: rpcError(id, rpcCodes.invalidParams, error.message, error.data) };
    }
    const thrown = toProblem(error);
    logProblem(log, thrown, logFieldsOf(request, asking));
    const text = problemText(thrown, asking.context.baseUrl);
    return { status: 200, body: rpcError(id, rpcCodes.internalError, text, problemData(thrown)) };
  };

  const replyToRequest = async (
    request: RpcRequest,
    asking: MessageContext,
    answer: () => Promise<MessageReply>,
  ): Promise<MessageReply> => {
    log({ level: 'info', event: 'mcp', ...logFieldsOf(request, asking) });
    try {
      return await withLambdaTimeout(answer(), asking.lambda);
    } catch (error) {
      return replyToError(error, request, asking);
    }
  };

  const replyByHandshake = async (request: RpcRequest, { context }: MessageContext): Promise<MessageReply> => ({
    status: 200,
    body: await answerHandshake(request, registry, context),
  });

  const replyToMessage = async (value: unknown, asking: MessageContext): Promise<MessageReply> => {
    const message = parseMessage(value);
    if (message.kind === 'notification') return { status: 202 };
    if (message.kind === 'invalid') return invalid(message.why, message.id);
    const { request } = message;
    const { event, context } = asking;
    const header = (name: string): string | undefined => headerOf(event, name);
    const version = header(VERSION_HEADER)?.trim();
    // A handshake is of the older revisions, whatever its headers announce.
    const isHandshake = request.method === 'initialize' && !isStateless(request);
    if (isStateless(request) || (version === STATELESS_VERSION && !isHandshake)) {
      const settings = { header, isKeyed: presentsBearer(event) };
      return replyToRequest(request, asking, () => answerStateless(request, registry, context, settings));
    }
    if (version !== undefined && !isHandshake && !isHandshakeVersion(version)) {
      const supported = `Unsupported protocol version; supported are ${MCP_VERSIONS.join(', ')}`;
      return badRequest(rpcCodes.serverError, supported, request.id);
    }
    return replyToRequest(request, asking, () => replyByHandshake(request, asking));
  };

  const replyInBatch = async (value: unknown, asking: MessageContext): Promise<MessageReply> => {
    const message = parseMessage(value);
    if (message.kind === 'notification') return { status: 202 };
    if (message.kind === 'invalid') return invalid(message.why, message.id);
    const { request } = message;
    if (request.method === 'initialize' || isStateless(request)) {
      return invalid('a handshake and a request of the stateless revision come alone', request.id);
    }
    return replyToRequest(request, asking, () => replyByHandshake(request, asking));
  };

  const replyToBatch = async (values: readonly unknown[], asking: MessageContext): Promise<HttpReply> => {
    const version = headerOf(asking.event, VERSION_HEADER)?.trim() ?? BATCH_VERSION;
    if (version !== BATCH_VERSION) return invalid(`only revision ${BATCH_VERSION} has batches`);
    if (values.length === 0 || values.length > MAX_BATCH_MESSAGES) {
      return invalid(`a batch holds 1 to ${MAX_BATCH_MESSAGES} messages`);
    }
    const batchContext = { ...asking, context: { ...asking.context, messages: values.length } };
    const answers = await Promise.all(values.map((value) => replyInBatch(value, batchContext)));
    const responses = answers.flatMap(({ body }) => body ?? []);
    return responses.length === 0 ? { status: 202 } : { status: 200, body: responses };
  };

  return async (text, asking) => {
    const body = parseJson(text);
    if (body === undefined) return badRequest(rpcCodes.parseError, 'Parse error');
    return Array.isArray(body.value) ? replyToBatch(body.value, asking) : replyToMessage(body.value, asking);
  };
};
