// Answers requests of the stateless revision. Every request names its version in its body and repeats it in a header field.
import { MCP_VERSIONS, STATELESS_VERSION } from '../../shared/contract/mcp.ts';
import { type HttpEvent, presentsBearer, requestHeader } from '../../shared/http/event.ts';
import { isRecord } from '../../shared/model/json.ts';
import { type RpcReply, type RpcRequest, rpcCodes, rpcError, rpcResult } from './json-rpc.ts';
import type { Registry, ToolContext } from './registry.ts';
import { capabilities, dispatch, isMethodName, type MethodName } from './registry.ts';

const META = 'io.modelcontextprotocol/';
const DISCOVER = 'server/discover';

/** An hour, because lists change only with a release. */
const LIST_TTL_MS = 3_600_000;
/** The lifetime of entries in the request cache. */
const READ_TTL_MS = 60_000;

const metaOf = ({ params }: RpcRequest): Readonly<Record<string, unknown>> => {
  const meta = params?.['_meta'];
  return isRecord(meta) ? meta : {};
};

/** True if the request names its version. Handshake revisions have no such member. */
export const isStateless = (request: RpcRequest): boolean => `${META}protocolVersion` in metaOf(request);

/** The parameter that a client repeats in `Mcp-Name`. */
const nameParameters: Partial<Readonly<Record<MethodName, string>>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

const decoded = (field: string): string => {
  const text = field.trim();
  const [, base64] = ENCODED.exec(text) ?? [];
  return base64 === undefined ? text : Buffer.from(base64, 'base64').toString();
};

const mirrored = (request: RpcRequest): readonly (readonly [field: string, value: unknown])[] => {
  const { method, params } = request;
  const nameParameter = isMethodName(method) ? nameParameters[method] : undefined;
  return [
    ['MCP-Protocol-Version', metaOf(request)[`${META}protocolVersion`]],
    ['Mcp-Method', method],
    ...(nameParameter === undefined ? [] : ([['Mcp-Name', params?.[nameParameter]]] as const)),
  ];
};

/** @returns the header fields that a request needs over HTTP, for one that came without */
export const mirroredFields = (request: RpcRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    mirrored(request).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [[name.toLowerCase(), `=?base64?${Buffer.from(value).toString('base64')}?=`] as const]
        : [],
    ),
  );

/** @returns undefined: the fields match the body */
const headerMismatch = (request: RpcRequest, event: HttpEvent): string | undefined => {
  for (const [name, value] of mirrored(request)) {
    const field = requestHeader(event, name.toLowerCase());
    if (field === undefined) return `The header ${name} is missing`;
    if (decoded(field) !== value) return `The header ${name} and the body say different things`;
  }
  return undefined;
};

/** The results of these methods are not cacheable. */
const UNCACHED: readonly string[] = ['tools/call', 'prompts/get', 'completion/complete'] satisfies MethodName[];

const cacheOf = (name: MethodName | typeof DISCOVER, isKeyed: boolean): object => {
  if (UNCACHED.includes(name)) return {};
  if (name !== 'resources/read') return { ttlMs: LIST_TTL_MS, cacheScope: 'public' };
  return { ttlMs: READ_TTL_MS, cacheScope: isKeyed ? 'private' : 'public' };
};

const withMetadata = (result: object, { serverInfo }: Registry, cache: object): object => ({
  resultType: 'complete',
  ...result,
  ...cache,
  _meta: { ...('_meta' in result && isRecord(result._meta) ? result._meta : {}), [`${META}serverInfo`]: serverInfo },
});

const refusal = (request: RpcRequest, event: HttpEvent): RpcReply | undefined => {
  const refuse = (code: number, message: string, data?: unknown): RpcReply => ({
    status: 400,
    body: rpcError(request.id, code, message, data),
  });
  const meta = metaOf(request);
  const version = meta[`${META}protocolVersion`];
  if (typeof version !== 'string') return refuse(rpcCodes.invalidParams, `_meta lacks ${META}protocolVersion`);
  const different = headerMismatch(request, event);
  if (different !== undefined) return refuse(rpcCodes.headerMismatch, different);
  if (version !== STATELESS_VERSION) {
    const data = { supported: MCP_VERSIONS, requested: version };
    return refuse(rpcCodes.unsupportedVersion, 'Unsupported protocol version', data);
  }
  if (!isRecord(meta[`${META}clientCapabilities`])) {
    return refuse(rpcCodes.invalidParams, `_meta lacks ${META}clientCapabilities`);
  }
  return undefined;
};

/** @throws InvalidParams, or the error of the method */
export const answerStateless = async (
  request: RpcRequest,
  registry: Registry,
  context: ToolContext,
  event: HttpEvent,
): Promise<RpcReply> => {
  const refused = refusal(request, event);
  if (refused !== undefined) return refused;
  const { id, method, params } = request;
  const complete = (name: MethodName | typeof DISCOVER, result: object): RpcReply => ({
    status: 200,
    body: rpcResult(id, withMetadata(result, registry, cacheOf(name, presentsBearer(event)))),
  });
  if (method === DISCOVER) {
    const { instructions } = registry;
    return complete(method, { supportedVersions: MCP_VERSIONS, capabilities, instructions });
  }
  if (!isMethodName(method)) {
    return { status: 404, body: rpcError(id, rpcCodes.methodNotFound, 'Method not found') };
  }
  return complete(method, await dispatch(method, params, registry, context));
};
