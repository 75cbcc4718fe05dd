// Handles the messages of one request body. Each message gets its own response: an error or a timeout of one message does not
// affect the others of a batch.
import {
  BATCH_VERSION,
  HANDSHAKE_VERSIONS,
  MAX_BATCH_MESSAGES,
  MCP_VERSIONS,
  STATELESS_VERSION,
} from '../../shared/contract/mcp.ts';
import { UNKNOWN_TOOL } from '../../shared/contract/metrics.ts';
import { toProblem } from '../../shared/contract/problems.ts';
import { type HandlerContext, type HttpEvent, type ReadFacts, requestHeader } from '../../shared/http/event.ts';
import { withLambdaTimeout } from '../../shared/http/pipeline.ts';
import { addFacts, CANARY_ROLE, factFields, levelOf, logProblem } from '../../shared/http/request-log.ts';
import { parseJson } from '../../shared/model/json.ts';
import { elapsed } from '../../shared/model/time.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { answerHandshake } from './handshake-protocol.ts';
import {
  parseMessage,
  problemIn,
  type RpcReply,
  type RpcRequest,
  type RpcResponse,
  rpcCodes,
  rpcError,
} from './json-rpc.ts';
import { InvalidParams, isMethodName, type Registry, type ToolContext } from './registry.ts';
import { answerStateless, isStateless } from './stateless-protocol.ts';
import { problemData, toolProblemText } from './tool-results.ts';

// Writes the log line of one message: `tool` for a call of a tool, `mcp` for any other request. It has only names that the
// server defines; other values of a client stay out of the log.

/** Only a call of a tool has the name of a tool. */
type MessageNames = { readonly tool: string } | { readonly mcp_method: string };

const namesOf = ({ method, params }: RpcRequest, { tools }: Registry): MessageNames =>
  method === 'tools/call'
    ? { tool: tools.find(({ name }) => name === params?.['name'])?.name ?? UNKNOWN_TOOL }
    : { mcp_method: isMethodName(method) || method === 'initialize' ? method : 'other' };

/** @returns the problem of a response; an error without a problem has its JSON-RPC code */
const failureOf = (body: RpcResponse | undefined): { readonly code?: string; readonly status?: number } => {
  const { code, status } = problemIn(body);
  if (typeof code === 'string' && typeof status === 'number') return { code, status };
  return body !== undefined && 'error' in body ? { code: String(body.error.code) } : {};
};

interface MessageFacts {
  readonly facts: ReadFacts;
  readonly event: HttpEvent;
  readonly lambda: HandlerContext;
  readonly milliseconds: number;
}

const messageLine = (
  names: MessageNames,
  body: RpcResponse | undefined,
  { facts, event, lambda, milliseconds }: MessageFacts,
): LogFields => {
  const { code, status = 200 } = failureOf(body);
  const isTool = 'tool' in names;
  facts.isLogged = true;
  return {
    level: levelOf(status, facts),
    event: isTool ? 'tool' : 'mcp',
    ...(lambda.state.isCanary && CANARY_ROLE),
    request_id: event.requestContext.requestId,
    ...names,
    form: code === undefined ? (facts.form ?? 'none') : 'problem',
    status,
    code,
    ...factFields(facts),
    [isTool ? 'tool_duration_ms' : 'duration_ms']: milliseconds,
  };
};

const VERSION_HEADER = 'mcp-protocol-version';

const isHandshakeVersion = (version: string): boolean => HANDSHAKE_VERSIONS.some((supported) => supported === version);

/** A revision has the date of its release. */
const REVISION = /^\d{4}-\d{2}-\d{2}$/;

export type HttpReply = RpcReply<RpcResponse | readonly RpcResponse[]>;

const badRequest = (code: number, message: string, id: RpcResponse['id'] = null): RpcReply => ({
  status: 400,
  body: rpcError(id, code, message),
});

const unsupported = (id?: RpcResponse['id']): RpcReply =>
  badRequest(rpcCodes.serverError, `Unsupported protocol version; supported are ${MCP_VERSIONS.join(', ')}`, id);

const invalid = (why: string, id?: RpcResponse['id']): RpcReply =>
  badRequest(rpcCodes.invalidRequest, `Invalid Request: ${why}`, id);

export interface MessageContext {
  readonly event: HttpEvent;
  readonly lambda: HandlerContext;
  readonly context: ToolContext;
}

/** An empty field is none. */
const versionOf = ({ event }: MessageContext): string | undefined =>
  requestHeader(event, VERSION_HEADER)?.trim() || undefined;

type ReplyToRequest = (request: RpcRequest, messageContext: MessageContext) => Promise<RpcReply>;

/** Replies to any message of a body. @param reply called for a valid request */
const replyToMessage = async (
  value: unknown,
  messageContext: MessageContext,
  reply: ReplyToRequest,
): Promise<RpcReply> => {
  const message = parseMessage(value);
  if (message.kind === 'notification') return { status: 202 };
  if (message.kind === 'invalid') return invalid(message.why, message.id);
  return reply(message.request, messageContext);
};

/** Never rejects. */
export type HandleBody = (text: string, messageContext: MessageContext) => Promise<HttpReply>;

export const createBodyHandler = (registry: Registry, { clock, log }: Pick<HttpPorts, 'clock' | 'log'>): HandleBody => {
  const replyToError = (
    error: unknown,
    id: RpcRequest['id'],
    names: MessageNames,
    { event, context }: MessageContext,
  ): RpcReply => {
    if (error instanceof InvalidParams) {
      return { status: 200, body: rpcError(id, rpcCodes.invalidParams, error.message, error.data) };
    }
    const thrown = toProblem(error);
    logProblem(log, thrown, { ...names, request_id: event.requestContext.requestId });
    const text = toolProblemText(thrown, context.baseUrl);
    return { status: 200, body: rpcError(id, rpcCodes.internalError, text, problemData(thrown)) };
  };

  const replyToRequest = async (
    request: RpcRequest,
    messageContext: MessageContext,
    reply: (context: ToolContext) => Promise<RpcReply>,
  ): Promise<RpcReply> => {
    const { event, lambda, context } = messageContext;
    const names = namesOf(request, registry);
    const facts: ReadFacts = {};
    const startedAt = clock();
    const attempt = async (): Promise<RpcReply> => {
      try {
        return await withLambdaTimeout(reply({ ...context, facts }), lambda);
      } catch (error) {
        return replyToError(error, request.id, names, messageContext);
      }
    };
    const result = await attempt();
    log(messageLine(names, result.body, { facts, event, lambda, milliseconds: elapsed(startedAt, clock()) }));
    addFacts(context.facts, facts);
    return result;
  };

  const replyByHandshake = async (request: RpcRequest, context: ToolContext): Promise<RpcReply> => ({
    status: 200,
    body: await answerHandshake(request, registry, context),
  });

  const replySingly: ReplyToRequest = async (request, messageContext) => {
    const { event } = messageContext;
    const version = versionOf(messageContext);
    // `initialize` is a request of a handshake revision, even if its header field names a later one.
    const isHandshake = request.method === 'initialize' && !isStateless(request);
    if (isStateless(request) || (version === STATELESS_VERSION && !isHandshake))
      return replyToRequest(request, messageContext, (context) => answerStateless(request, registry, context, event));
    const isKnown = version === undefined || (isHandshake ? REVISION.test(version) : isHandshakeVersion(version));
    if (!isKnown) return unsupported(request.id);
    return replyToRequest(request, messageContext, (context) => replyByHandshake(request, context));
  };

  const replyInBatch: ReplyToRequest = async (request, messageContext) => {
    if (request.method === 'initialize' || isStateless(request)) {
      return invalid('a handshake and a request of the stateless revision come alone', request.id);
    }
    return replyToRequest(request, messageContext, (context) =>
      replyByHandshake(request, { ...context, isInBatch: true }),
    );
  };

  const replyToBatch = async (values: readonly unknown[], messageContext: MessageContext): Promise<HttpReply> => {
    const version = versionOf(messageContext) ?? BATCH_VERSION;
    if (version !== BATCH_VERSION) return invalid(`only revision ${BATCH_VERSION} has batches`);
    if (values.length === 0 || values.length > MAX_BATCH_MESSAGES) {
      return invalid(`a batch holds 1 to ${MAX_BATCH_MESSAGES} messages`);
    }
    const replies = await Promise.all(values.map((value) => replyToMessage(value, messageContext, replyInBatch)));
    const responses = replies.flatMap(({ body }) => body ?? []);
    return responses.length === 0 ? { status: 202 } : { status: 200, body: responses };
  };

  return async (text, messageContext) => {
    const body = parseJson(text);
    if (body === undefined) return badRequest(rpcCodes.parseError, 'Parse error');
    if (Array.isArray(body)) return replyToBatch(body, messageContext);
    // A notification has no answer of its own.
    if (!REVISION.test(versionOf(messageContext) ?? BATCH_VERSION) && parseMessage(body).kind === 'notification')
      return unsupported();
    return replyToMessage(body, messageContext, replySingly);
  };
};
