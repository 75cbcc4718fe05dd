// The MCP server: one endpoint for every revision, over the same reads, keys and allowances as the routes.
import { MCP_PATH } from '../../shared/contract/addresses.ts';
import type { AllowanceName } from '../../shared/contract/allowances.ts';
import { EDGE_HEADERS, MCP_METHODS } from '../../shared/contract/headers.ts';
import {
  LEGACY_VERSIONS,
  MAX_BATCH,
  MCP_VERSIONS,
  MODERN_VERSION,
  VERSION_WITH_BATCHES,
} from '../../shared/contract/mcp.ts';
import { mediaTypes } from '../../shared/contract/media-types.ts';
import { problem } from '../../shared/contract/problems.ts';
import type { Call, CallContext } from '../../shared/lambda/call.ts';
import { chain, type LambdaHandler } from '../../shared/lambda/chain.ts';
import { type HttpEvent, type HttpResult, headerOf, presentsKey, type Route } from '../../shared/lambda/event.ts';
import { apiKey } from '../../shared/lambda/middleware/api-key.ts';
import { chooseRepresentation } from '../../shared/lambda/negotiate.ts';
import { withinTime } from '../../shared/lambda/within-time.ts';
import type { AccessPorts, Caller, DoorPorts } from '../../shared/ports.ts';
import { isMethodName } from './dispatch.ts';
import { bodyOf, gate } from './gate.ts';
import { idOf, isFields, messageOf, type RpcRequest, type RpcResponse, rpcCodes, rpcError } from './json-rpc.ts';
import { answerLegacy } from './legacy.ts';
import { answerModern, isModern } from './modern.ts';
import type { AskContext, Registry } from './registry.ts';

const route: Route = { id: 'mcp', honoursKey: true, negotiated: false, methods: MCP_METHODS };

const VERSION_HEADER = 'mcp-protocol-version';

const isLegacy = (version: string): boolean => LEGACY_VERSIONS.some((known) => known === version);

interface Answered {
  readonly status: number;
  /** undefined: nothing is waited for. */
  readonly body?: RpcResponse | readonly RpcResponse[];
}

const refused = (code: number, message: string, id: RpcResponse['id'] = null): Answered => ({
  status: 400,
  body: rpcError(id, code, message),
});

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // not JSON
  }
};

/** What the caller of a request has spent, for the headers of the answer. */
interface Bill {
  readonly caller: Caller;
  readonly name: AllowanceName;
}

/** @param note told of each allowance that is spent */
const noted = (caller: Caller, note: (bill: Bill) => void): Caller => ({
  ...caller,
  spend(name, subject) {
    note({ caller, name });
    return caller.spend(name, subject);
  },
});

/** Of a call that is worth another try later: clients of HTTP look there. */
const retryAfterOf = (body: Answered['body']): number | undefined => {
  const result = body !== undefined && 'result' in body ? body.result : undefined;
  const meta = result !== undefined && 'isError' in result && '_meta' in result ? result._meta : undefined;
  const seconds = isFields(meta) ? meta['retry_after'] : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
};

export const mcpSurface = (registry: Registry, ports: DoorPorts & AccessPorts): LambdaHandler => {
  const { access, log } = ports;
  const bills = new WeakMap<Call, Bill>();

  /** Each call has charges of its own; the key is read once for all of them. */
  const contextOf = (event: HttpEvent, call: Call): AskContext => {
    const address = headerOf(event, EDGE_HEADERS.viewerIp);
    let first = call.caller;
    const known = first ?? access.callerOf({ authorization: headerOf(event, 'authorization'), address });
    return {
      baseUrl: call.baseUrl,
      address,
      caller() {
        const caller = first ?? known.another();
        first = undefined;
        return noted(caller, (bill) => bills.set(call, bill));
      },
    };
  };

  /** Names of ours alone: what else a client writes there stays out of the log. */
  const noteRequest = (event: HttpEvent, { method, params }: RpcRequest): void => {
    const tool = registry.tools.find(({ name }) => method === 'tools/call' && name === params?.['name'])?.name;
    log({
      level: 'info',
      event: 'mcp',
      request_id: event.requestContext.requestId,
      mcp_method: isMethodName(method) || method === 'initialize' ? method : 'other',
      tool,
    });
  };

  const answerOne = async (value: unknown, event: HttpEvent, context: AskContext): Promise<Answered> => {
    const message = messageOf(value);
    if (message.kind === 'silent') return { status: 202 };
    if (message.kind === 'invalid') return refused(rpcCodes.invalidRequest, 'Invalid Request', message.id);
    const { request } = message;
    noteRequest(event, request);
    const header = (name: string): string | undefined => headerOf(event, name);
    const version = header(VERSION_HEADER)?.trim();
    // A handshake is of the older revisions, whatever its headers announce.
    const isHandshake = request.method === 'initialize' && !isModern(request);
    if (isModern(request) || (version === MODERN_VERSION && !isHandshake)) {
      const settings = { header, isKeyed: presentsKey(event) };
      const { status, response } = await answerModern(request, registry, context, settings);
      return { status, body: response };
    }
    if (version !== undefined && !isHandshake && !isLegacy(version)) {
      return refused(
        rpcCodes.legacy,
        `Unsupported protocol version; supported are ${MCP_VERSIONS.join(', ')}`,
        request.id,
      );
    }
    return { status: 200, body: await answerLegacy(request, registry, context) };
  };

  const answerInBatch = async (
    value: unknown,
    event: HttpEvent,
    context: AskContext,
  ): Promise<readonly RpcResponse[]> => {
    const message = messageOf(value);
    if (message.kind === 'silent') return [];
    const mayNot = message.kind === 'request' && (message.request.method === 'initialize' || isModern(message.request));
    if (message.kind === 'invalid' || mayNot) {
      return [rpcError(idOf(value), rpcCodes.invalidRequest, 'Invalid Request')];
    }
    noteRequest(event, message.request);
    return [await answerLegacy(message.request, registry, context)];
  };

  const answerBatch = async (values: readonly unknown[], event: HttpEvent, context: AskContext): Promise<Answered> => {
    const version = headerOf(event, VERSION_HEADER)?.trim() ?? VERSION_WITH_BATCHES;
    if (version !== VERSION_WITH_BATCHES) return refused(rpcCodes.invalidRequest, `${version} has no batches`);
    if (values.length === 0 || values.length > MAX_BATCH) {
      return refused(rpcCodes.invalidRequest, `A batch holds 1 to ${MAX_BATCH} messages`);
    }
    const responses = (await Promise.all(values.map((value) => answerInBatch(value, event, context)))).flat();
    return responses.length === 0 ? { status: 202 } : { status: 200, body: responses };
  };

  const answer = async (event: HttpEvent, _: Route, context: CallContext): Promise<HttpResult> => {
    // A client that cannot take JSON cannot be answered.
    const takes = chooseRepresentation(headerOf(event, 'accept'), { offers: ['json'], onlyIfNamed: [] });
    if (takes === undefined) throw problem('not_acceptable', { detail: `This address offers ${mediaTypes.json}.` });
    const body = parsed(bodyOf(event));
    const asked = contextOf(event, context.call);
    const answered =
      body === undefined
        ? refused(rpcCodes.parseError, 'Parse error')
        : await withinTime(
            Array.isArray(body.value) ? answerBatch(body.value, event, asked) : answerOne(body.value, event, asked),
            context,
          );
    const retryAfter = retryAfterOf(answered.body);
    const headers = {
      'Cache-Control': 'no-store',
      ...(answered.body && { 'Content-Type': mediaTypes.json }),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    };
    return {
      statusCode: answered.status,
      headers,
      ...(answered.body && { body: `${JSON.stringify(answered.body)}\n` }),
    };
  };

  return chain(ports, {
    find: ({ rawPath }) => (rawPath === MCP_PATH ? route : undefined),
    answer,
    steps: [gate, apiKey(access)],
    owed: (call) => {
      const bill = bills.get(call);
      if (bill === undefined) return {};
      const { policy, limit } = bill.caller.stateOf(bill.name);
      return { 'RateLimit-Policy': policy, ...(limit !== undefined && { RateLimit: limit }) };
    },
  });
};
