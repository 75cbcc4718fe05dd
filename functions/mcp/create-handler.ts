// Creates the handler of the MCP server: one endpoint for every revision, with the use cases, API keys and allowances of
// REST.
import type { AllowanceName } from '../../shared/contract/allowances.ts';
import { documents } from '../../shared/contract/documents.ts';
import { EDGE_HEADERS, MCP_METHODS } from '../../shared/contract/headers.ts';
import { MAX_MESSAGE_BYTES, TOOL_SETS, TOOLS_PARAMETER, type ToolSet } from '../../shared/contract/mcp.ts';
import { mediaTypes, type Negotiation } from '../../shared/contract/media-types.ts';
import { MCP_PATH } from '../../shared/contract/paths.ts';
import { problem } from '../../shared/contract/problems.ts';
import { negotiateFormat } from '../../shared/http/content-negotiation.ts';
import {
  type HandlerContext,
  type HttpEvent,
  type HttpResult,
  methodOf,
  queryOf,
  type RequestState,
  type Route,
  requestHeader,
} from '../../shared/http/event.ts';
import { createPipeline, type LambdaHandler } from '../../shared/http/pipeline.ts';
import { authenticate, runAsCaller } from '../../shared/http/run-use-case.ts';
import { isLoopback } from '../../shared/model/loopback.ts';
import type { AccessControlPorts, Caller } from '../../shared/ports/access-control.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import { refused } from './argument-values.ts';
import { problemIn } from './json-rpc.ts';
import { createBodyHandler, type HandleBody, type HttpReply } from './message-handler.ts';
import type { Registry, ToolContext } from './registry.ts';

// Rejects requests to /mcp by their Origin, media type and body size, before the body is parsed.

/**
 * Refuses only pages over plain HTTP of another machine, which a network can forge. Pages over HTTPS, extensions, desktop
 * apps and opaque origins (`null`) pass: there are no cookies that they could misuse.
 */
const isAllowedOrigin = (origin: string): boolean => !/^http:/i.test(origin) || isLoopback(origin);

const isJson = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type);

const bodyText = ({ body = '', isBase64Encoded }: HttpEvent): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

/** @throws Problem */
const requireAcceptable = (event: HttpEvent): void => {
  const origin = requestHeader(event, 'origin');
  if (origin !== undefined && !isAllowedOrigin(origin)) {
    throw problem('forbidden_origin', {
      detail: 'Origin is a page over plain http: on another machine.',
      resolution: 'Call from a page over https: or of this machine, or from a program, which sends no Origin.',
    });
  }
  if (!isJson(requestHeader(event, 'content-type') ?? '')) throw problem('unsupported_media_type');
  if (Buffer.byteLength(bodyText(event)) > MAX_MESSAGE_BYTES) {
    throw problem('content_too_large', { detail: `The body has more than ${MAX_MESSAGE_BYTES} bytes.` });
  }
};

const route: Route = { id: 'mcp', honoursKey: true, negotiated: false, isUncached: true, methods: MCP_METHODS };

/** A person opened the URL. MCP requires 405 for any other GET, because the server has no streams. */
const browserRoute: Route = { id: 'mcp', honoursKey: false, negotiated: true, isUncached: true };

const BROWSER: Negotiation = { byRange: ['json'], byName: ['html'] };
const EVENT_STREAM = 'text/event-stream';

const isBrowser = (event: HttpEvent): boolean => {
  const accept = requestHeader(event, 'accept');
  return (
    /^(?:GET|HEAD)$/.test(methodOf(event)) &&
    negotiateFormat(accept, BROWSER) === 'html' &&
    !accept?.includes(EVENT_STREAM)
  );
};

const toDocumentation = (): HttpResult => ({
  statusCode: 303,
  headers: { Location: documents.mcp.path, 'Cache-Control': 'no-store' },
});

/** The allowance that a request has charged, for the header fields of the response. */
interface AllowanceUse {
  readonly caller: Caller;
  readonly name: AllowanceName;
}

/** @param onCharge called before each charge */
const trackUse = (caller: Caller, onCharge: (use: AllowanceUse) => void): Caller => ({
  ...caller,
  chargeAllowance(name, queryKey) {
    onCharge({ caller, name });
    return caller.chargeAllowance(name, queryKey);
  },
  chargeReads(name, queryKey, count) {
    onCharge({ caller, name });
    return caller.chargeReads(name, queryKey, count);
  },
});

/** The value of Retry-After if the call may succeed later. HTTP clients read only header fields. */
const retryAfterOf = (body: HttpReply['body']): number | undefined => {
  const { retry_after: seconds } = problemIn(body);
  return typeof seconds === 'number' ? seconds : undefined;
};

const TOOLS_RULE = `must be ${TOOL_SETS.join(' or ')}, or be left out`;

const isToolSet = (name: string): name is ToolSet => TOOL_SETS.some((set) => set === name);

/** @returns undefined: the usual tools @throws Problem `invalid_parameter` or `repeated_parameter` */
const toolSetOf = (event: HttpEvent): ToolSet | undefined => {
  const [name, ...more] = queryOf(event).get(TOOLS_PARAMETER) ?? [];
  if (name === undefined) return undefined;
  if (more.length === 0 && isToolSet(name)) return name;
  throw more.length > 0
    ? refused('repeated_parameter', [{ parameter: TOOLS_PARAMETER, message: 'was given more than once' }])
    : refused('invalid_parameter', [{ parameter: TOOLS_PARAMETER, message: TOOLS_RULE }]);
};

/** @param toolSets the registries that a client selects with the query parameter `tools` */
export const createMcpHandler = (
  registry: Registry,
  ports: HttpPorts & AccessControlPorts,
  toolSets: Readonly<Record<ToolSet, Registry>>,
): LambdaHandler => {
  const { accessControl } = ports;
  const uses = new WeakMap<RequestState, AllowanceUse>();
  const handleBody = createBodyHandler(registry, ports);
  const handleBodyOf = { research: createBodyHandler(toolSets.research, ports) } satisfies Record<ToolSet, HandleBody>;

  /** The tool calls of a request share one lookup of the key, but each has its own charges. */
  const contextOf = (event: HttpEvent, state: RequestState): ToolContext => {
    const clientIp = requestHeader(event, EDGE_HEADERS.viewerIp);
    let first = state.caller;
    const identified =
      first ?? accessControl.identify({ authorization: requestHeader(event, 'authorization'), ip: clientIp });
    const track = (caller: Caller): Caller => trackUse(caller, (use) => uses.set(state, use));
    return {
      baseUrl: state.baseUrl,
      clientIp,
      facts: state.facts,
      caller() {
        const caller = first ?? identified.forAnotherRead();
        first = undefined;
        return track(caller);
      },
      callerByNetwork: () => track(accessControl.identify({ authorization: undefined, ip: clientIp })),
    };
  };

  const handlePost = async (event: HttpEvent, lambda: HandlerContext): Promise<HttpResult> => {
    const toolSet = toolSetOf(event);
    const handle = toolSet === undefined ? handleBody : handleBodyOf[toolSet];
    const format = negotiateFormat(requestHeader(event, 'accept'), { byRange: ['json'], byName: [] });
    if (format === undefined) throw problem('not_acceptable', { detail: `This address offers ${mediaTypes.json}.` });
    const context = contextOf(event, lambda.state);
    const { status, body } = await handle(bodyText(event), { event, lambda, context });
    const retryAfter = retryAfterOf(body);
    const headers = {
      'Cache-Control': 'no-store',
      ...(body && { 'Content-Type': mediaTypes.json }),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    };
    return { statusCode: status, headers, ...(body && { body: `${JSON.stringify(body)}\n` }) };
  };

  return createPipeline(ports, {
    lambda: 'mcp',
    findRoute: (event) => (event.rawPath !== MCP_PATH ? undefined : isBrowser(event) ? browserRoute : route),
    async handleRequest(event, found, lambda) {
      if (found === browserRoute) return toDocumentation();
      requireAcceptable(event);
      const caller = authenticate(accessControl, event, lambda.state);
      return runAsCaller(caller, () => handlePost(event, lambda), { waitsForKey: true });
    },
    extraHeaders: (state, _, { keyStatus }) => {
      const use = uses.get(state);
      // An unknown key has no allowance.
      if (use === undefined || keyStatus === 'invalid') return {};
      const { policy, limit } = use.caller.allowanceState(use.name);
      return { 'RateLimit-Policy': policy, ...(limit !== undefined && { RateLimit: limit }) };
    },
  });
};
