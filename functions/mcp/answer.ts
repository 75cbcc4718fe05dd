// Answers the messages of one body. Each message gets its own answer, whatever becomes of it: a fault, or a call that
// runs out of time, is told in the answer to its message and takes none away from the others of a batch.
import {
  LEGACY_VERSIONS,
  MAX_BATCH,
  MCP_VERSIONS,
  MODERN_VERSION,
  VERSION_WITH_BATCHES,
} from '../../shared/contract/mcp.ts';
import { asProblem } from '../../shared/contract/problems.ts';
import type { CallContext } from '../../shared/lambda/call.ts';
import { type HttpEvent, headerOf, presentsKey } from '../../shared/lambda/event.ts';
import { logProblem } from '../../shared/lambda/log-problem.ts';
import { withinTime } from '../../shared/lambda/within-time.ts';
import type { Log } from '../../shared/ports.ts';
import { isMethodName } from './dispatch.ts';
import { messageOf, type RpcRequest, type RpcResponse, rpcCodes, rpcError } from './json-rpc.ts';
import { answerLegacy } from './legacy.ts';
import { answerModern, isModern } from './modern.ts';
import { type AskContext, InvalidParams, type Registry } from './registry.ts';
import { problemFacts, problemText } from './results.ts';

const VERSION_HEADER = 'mcp-protocol-version';

const isLegacy = (version: string): boolean => LEGACY_VERSIONS.some((known) => known === version);

/** What a body comes to. */
export interface Answered {
  readonly status: number;
  /** undefined: the client expects no answer. */
  readonly body?: RpcResponse | readonly RpcResponse[];
}

interface AnsweredOne {
  readonly status: number;
  readonly body?: RpcResponse;
}

const refused = (code: number, message: string, id: RpcResponse['id'] = null): AnsweredOne => ({
  status: 400,
  body: rpcError(id, code, message),
});

const invalid = (why: string, id?: RpcResponse['id']): AnsweredOne =>
  refused(rpcCodes.invalidRequest, `Invalid Request: ${why}`, id);

/** Who asks, by the request of HTTP and by the call of a tool. */
export interface Asking {
  readonly event: HttpEvent;
  readonly lambda: CallContext;
  readonly context: AskContext;
}

/** @param text the body of a request. Never rejects. */
export type AnswerBody = (text: string, asking: Asking) => Promise<Answered>;

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // not JSON
  }
};

export const createAnswerBody = (registry: Registry, log: Log): AnswerBody => {
  /** Names of ours alone: what else a client writes there stays out of the log. */
  const factsOf = ({ method, params }: RpcRequest, { event }: Asking) => ({
    request_id: event.requestContext.requestId,
    mcp_method: isMethodName(method) || method === 'initialize' ? method : 'other',
    tool: registry.tools.find(({ name }) => method === 'tools/call' && name === params?.['name'])?.name,
  });

  /** @returns the answer to what was thrown */
  const told = (error: unknown, request: RpcRequest, asking: Asking): AnsweredOne => {
    const { id } = request;
    if (error instanceof InvalidParams) {
      return { status: 200, body: rpcError(id, rpcCodes.invalidParams, error.message, error.data) };
    }
    const thrown = asProblem(error);
    logProblem(log, thrown, factsOf(request, asking));
    const text = problemText(thrown, asking.context.baseUrl);
    return { status: 200, body: rpcError(id, rpcCodes.internalError, text, problemFacts(thrown)) };
  };

  const answerRequest = async (
    request: RpcRequest,
    asking: Asking,
    answer: () => Promise<AnsweredOne>,
  ): Promise<AnsweredOne> => {
    log({ level: 'info', event: 'mcp', ...factsOf(request, asking) });
    try {
      return await withinTime(answer(), asking.lambda);
    } catch (error) {
      return told(error, request, asking);
    }
  };

  const byHandshake = async (request: RpcRequest, { context }: Asking): Promise<AnsweredOne> => ({
    status: 200,
    body: await answerLegacy(request, registry, context),
  });

  const answerOne = async (value: unknown, asking: Asking): Promise<AnsweredOne> => {
    const message = messageOf(value);
    if (message.kind === 'silent') return { status: 202 };
    if (message.kind === 'invalid') return invalid(message.why, message.id);
    const { request } = message;
    const { event, context } = asking;
    const header = (name: string): string | undefined => headerOf(event, name);
    const version = header(VERSION_HEADER)?.trim();
    // A handshake is of the older revisions, whatever its headers announce.
    const isHandshake = request.method === 'initialize' && !isModern(request);
    if (isModern(request) || (version === MODERN_VERSION && !isHandshake)) {
      const settings = { header, isKeyed: presentsKey(event) };
      return answerRequest(request, asking, () => answerModern(request, registry, context, settings));
    }
    if (version !== undefined && !isHandshake && !isLegacy(version)) {
      const supported = `Unsupported protocol version; supported are ${MCP_VERSIONS.join(', ')}`;
      return refused(rpcCodes.legacy, supported, request.id);
    }
    return answerRequest(request, asking, () => byHandshake(request, asking));
  };

  const answerInBatch = async (value: unknown, asking: Asking): Promise<AnsweredOne> => {
    const message = messageOf(value);
    if (message.kind === 'silent') return { status: 202 };
    if (message.kind === 'invalid') return invalid(message.why, message.id);
    const { request } = message;
    if (request.method === 'initialize' || isModern(request)) {
      return invalid('a handshake and a request of the stateless revision come alone', request.id);
    }
    return answerRequest(request, asking, () => byHandshake(request, asking));
  };

  const answerBatch = async (values: readonly unknown[], asking: Asking): Promise<Answered> => {
    const version = headerOf(asking.event, VERSION_HEADER)?.trim() ?? VERSION_WITH_BATCHES;
    if (version !== VERSION_WITH_BATCHES) return invalid(`only revision ${VERSION_WITH_BATCHES} has batches`);
    if (values.length === 0 || values.length > MAX_BATCH) {
      return invalid(`a batch holds 1 to ${MAX_BATCH} messages`);
    }
    const sharing = { ...asking, context: { ...asking.context, messages: values.length } };
    const answers = await Promise.all(values.map((value) => answerInBatch(value, sharing)));
    const responses = answers.flatMap(({ body }) => body ?? []);
    return responses.length === 0 ? { status: 202 } : { status: 200, body: responses };
  };

  return async (text, asking) => {
    const body = parsed(text);
    if (body === undefined) return refused(rpcCodes.parseError, 'Parse error');
    return Array.isArray(body.value) ? answerBatch(body.value, asking) : answerOne(body.value, asking);
  };
};
