// The MCP server: one endpoint for every revision, over the same reads, keys and allowances as the routes.
import { MCP_PATH } from '../../shared/contract/addresses.ts';
import type { AllowanceName } from '../../shared/contract/allowances.ts';
import { EDGE_HEADERS, MCP_METHODS } from '../../shared/contract/headers.ts';
import { mediaTypes } from '../../shared/contract/media-types.ts';
import { problem } from '../../shared/contract/problems.ts';
import type { Call, CallContext } from '../../shared/lambda/call.ts';
import { chain, type LambdaHandler } from '../../shared/lambda/chain.ts';
import { type HttpEvent, type HttpResult, headerOf, type Route } from '../../shared/lambda/event.ts';
import { apiKey } from '../../shared/lambda/middleware/api-key.ts';
import { chooseRepresentation } from '../../shared/lambda/negotiate.ts';
import type { AccessPorts, Caller, DoorPorts } from '../../shared/ports.ts';
import { type Answered, createAnswerBody } from './answer.ts';
import { bodyOf, gate } from './gate.ts';
import { isFields } from './json-rpc.ts';
import type { AskContext, Registry } from './registry.ts';

const route: Route = { id: 'mcp', honoursKey: true, negotiated: false, isUncached: true, methods: MCP_METHODS };

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
  if (body === undefined) return undefined;
  const result = 'result' in body ? body.result : undefined;
  const meta = result !== undefined && 'isError' in result && '_meta' in result ? result._meta : undefined;
  const facts = 'error' in body ? body.error.data : meta;
  const seconds = isFields(facts) ? facts['retry_after'] : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
};

export const mcpSurface = (registry: Registry, ports: DoorPorts & AccessPorts): LambdaHandler => {
  const { access, log } = ports;
  const bills = new WeakMap<Call, Bill>();
  const answerBody = createAnswerBody(registry, log);

  /** Each call has charges of its own; the key is read once for all of them. */
  const contextOf = (event: HttpEvent, call: Call): AskContext => {
    const address = headerOf(event, EDGE_HEADERS.viewerIp);
    let first = call.caller;
    const known = first ?? access.callerOf({ authorization: headerOf(event, 'authorization'), address });
    return {
      baseUrl: call.baseUrl,
      address,
      messages: 1,
      caller() {
        const caller = first ?? known.another();
        first = undefined;
        return noted(caller, (bill) => bills.set(call, bill));
      },
    };
  };

  const answer = async (event: HttpEvent, _: Route, lambda: CallContext): Promise<HttpResult> => {
    // A client that cannot take JSON cannot be answered.
    const takes = chooseRepresentation(headerOf(event, 'accept'), { offers: ['json'], onlyIfNamed: [] });
    if (takes === undefined) throw problem('not_acceptable', { detail: `This address offers ${mediaTypes.json}.` });
    const context = contextOf(event, lambda.call);
    const { status, body } = await answerBody(bodyOf(event), { event, lambda, context });
    const retryAfter = retryAfterOf(body);
    const headers = {
      'Cache-Control': 'no-store',
      ...(body && { 'Content-Type': mediaTypes.json }),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    };
    return { statusCode: status, headers, ...(body && { body: `${JSON.stringify(body)}\n` }) };
  };

  return chain(ports, {
    find: ({ rawPath }) => (rawPath === MCP_PATH ? route : undefined),
    answer,
    steps: [gate, apiKey(access)],
    owed: (call) => {
      const bill = bills.get(call);
      // An unknown key has no allowance.
      if (bill === undefined || call.keyStatus === 'invalid') return {};
      const { policy, limit } = bill.caller.stateOf(bill.name);
      return { 'RateLimit-Policy': policy, ...(limit !== undefined && { RateLimit: limit }) };
    },
  });
};
