// The MCP server: one endpoint for every revision, over the same reads, keys and allowances as the routes.

import type { AllowanceName } from '../../shared/contract/allowances.ts';
import { EDGE_HEADERS, MCP_METHODS } from '../../shared/contract/headers.ts';
import { mediaTypes } from '../../shared/contract/media-types.ts';
import { MCP_PATH } from '../../shared/contract/paths.ts';
import { problem } from '../../shared/contract/problems.ts';
import { runAsCaller } from '../../shared/http/as-caller.ts';
import { authenticate } from '../../shared/http/authenticate.ts';
import { negotiateFormat } from '../../shared/http/content-negotiation.ts';
import { type HttpEvent, type HttpResult, headerOf, type Route } from '../../shared/http/event.ts';
import { createPipeline, type LambdaHandler } from '../../shared/http/pipeline.ts';
import type { HandlerContext, RequestState } from '../../shared/http/request-state.ts';
import type { AccessControlPorts, Caller } from '../../shared/ports/access-control.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import { isRecord } from './json-rpc.ts';
import { createBodyHandler, type HttpReply } from './message-handler.ts';
import type { Registry, ToolContext } from './registry.ts';
import { bodyText, mcpRequestGuard } from './request-guard.ts';

const route: Route = { id: 'mcp', honoursKey: true, negotiated: false, isUncached: true, methods: MCP_METHODS };

/** What the caller of a request has spent, for the headers of the answer. */
interface AllowanceUse {
  readonly caller: Caller;
  readonly name: AllowanceName;
}

/** @param note told of each allowance that is spent */
const trackUse = (caller: Caller, note: (bill: AllowanceUse) => void): Caller => ({
  ...caller,
  chargeAllowance(name, subject) {
    note({ caller, name });
    return caller.chargeAllowance(name, subject);
  },
});

/** Of a call that is worth another try later: clients of HTTP look there. */
const retryAfterOf = (body: HttpReply['body']): number | undefined => {
  if (body === undefined) return undefined;
  const result = 'result' in body ? body.result : undefined;
  const meta = result !== undefined && 'isError' in result && '_meta' in result ? result._meta : undefined;
  const facts = 'error' in body ? body.error.data : meta;
  const seconds = isRecord(facts) ? facts['retry_after'] : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
};

export const createMcpHandler = (registry: Registry, ports: HttpPorts & AccessControlPorts): LambdaHandler => {
  const { accessControl, log } = ports;
  const uses = new WeakMap<RequestState, AllowanceUse>();
  const answerBody = createBodyHandler(registry, log);

  /** Each call has charges of its own; the key is read once for all of them. */
  const contextOf = (event: HttpEvent, call: RequestState): ToolContext => {
    const address = headerOf(event, EDGE_HEADERS.viewerIp);
    let first = call.caller;
    const known = first ?? accessControl.identify({ authorization: headerOf(event, 'authorization'), address });
    return {
      baseUrl: call.baseUrl,
      address,
      messages: 1,
      caller() {
        const caller = first ?? known.forAnotherRead();
        first = undefined;
        return trackUse(caller, (bill) => uses.set(call, bill));
      },
    };
  };

  const answer = async (event: HttpEvent, _: Route, lambda: HandlerContext): Promise<HttpResult> => {
    // A client that cannot take JSON cannot be answered.
    const takes = negotiateFormat(headerOf(event, 'accept'), { offers: ['json'], explicitOnly: [] });
    if (takes === undefined) throw problem('not_acceptable', { detail: `This address offers ${mediaTypes.json}.` });
    const context = contextOf(event, lambda.state);
    const { status, body } = await answerBody(bodyText(event), { event, lambda, context });
    const retryAfter = retryAfterOf(body);
    const headers = {
      'Cache-Control': 'no-store',
      ...(body && { 'Content-Type': mediaTypes.json }),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    };
    return { statusCode: status, headers, ...(body && { body: `${JSON.stringify(body)}\n` }) };
  };

  return createPipeline(ports, {
    findRoute: ({ rawPath }) => (rawPath === MCP_PATH ? route : undefined),
    handleRequest: (event, route, lambda) =>
      runAsCaller(authenticate(accessControl, event, lambda.state), () => answer(event, route, lambda)),
    middleware: [mcpRequestGuard],
    extraHeaders: (call, _, { keyStatus }) => {
      const bill = uses.get(call);
      // An unknown key has no allowance.
      if (bill === undefined || keyStatus === 'invalid') return {};
      const { policy, limit } = bill.caller.allowanceState(bill.name);
      return { 'RateLimit-Policy': policy, ...(limit !== undefined && { RateLimit: limit }) };
    },
  });
};
