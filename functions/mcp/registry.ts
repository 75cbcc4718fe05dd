// Declares the registry of the MCP server and the methods that read it. All revisions of the protocol serve the same one.
import packageJson from '../../package.json' with { type: 'json' };
import type { ReadFacts } from '../../shared/http/event.ts';
import { isRecord, type JsonRecord } from '../../shared/model/json.ts';
import type { Caller } from '../../shared/ports/access-control.ts';
import type { RpcRequest } from './json-rpc.ts';

/** An entry of `tools/list`. */
export interface ToolListing extends JsonRecord {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12. */
  readonly inputSchema: JsonRecord;
  readonly annotations: JsonRecord;
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageContent {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ToolResult {
  /** The text stands alone. Images of a post follow it. */
  readonly content: readonly [TextContent, ...ImageContent[]];
  /** Only of a call that requests JSON: the same JSON as the text. */
  readonly structuredContent?: JsonRecord;
  readonly isError?: true;
  readonly _meta?: JsonRecord;
}

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface PromptMessage {
  readonly role: 'user';
  readonly content: TextContent;
}

export interface ToolContext {
  /** `{base_url}`. */
  readonly baseUrl: string;
  /** The IP address of the client, as the edge saw it. */
  readonly clientIp: string | undefined;
  /** Records what the message does, for its log line. */
  readonly facts: ReadFacts;
  /** Returns a caller with separate charges for each tool call. */
  readonly caller: () => Caller;
  /** The same for the IP address of the client, without its API key. */
  readonly callerByNetwork: () => Caller;
  /** The call is one of a batch, whose answers together have a bound. @default false */
  readonly isInBatch?: boolean;
}

/** Becomes the JSON-RPC error -32602. */
export class InvalidParams extends Error {
  readonly data: JsonRecord | undefined;

  constructor(message: string, data?: JsonRecord) {
    super(message);
    this.name = 'InvalidParams';
    this.data = data;
  }
}

export interface Registry {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  /** At most 120 words: when to use the server, what it cannot do, limits. */
  readonly instructions: string;
  /** In a fixed order. */
  readonly tools: readonly ToolListing[];
  readonly resources: readonly JsonRecord[];
  readonly resourceTemplates: readonly JsonRecord[];
  readonly prompts: readonly JsonRecord[];
  /** @returns a result with `isError` for any other error @throws InvalidParams if there is no such tool */
  callTool(name: string, args: object, context: ToolContext): Promise<ToolResult>;
  /** @throws InvalidParams with `data.uri` if there is no such resource */
  readResource(uri: string, context: ToolContext): Promise<{ readonly contents: readonly ResourceContents[] }>;
  /** @throws InvalidParams if there is no such prompt, or its arguments are wrong */
  getPrompt(
    name: string,
    args: JsonRecord,
    context: ToolContext,
  ): { readonly description: string; readonly messages: readonly PromptMessage[] };
}

export const SERVER_INFO: Registry['serverInfo'] = { name: 'postern', title: 'Postern', version: packageJson.version };

// Dispatches the methods that the handshake revisions and the stateless revision share.

type Params = NonNullable<RpcRequest['params']>;

const requireString = (params: Params, name: string): string => {
  const value = params[name];
  if (typeof value !== 'string') throw new InvalidParams(`${name} must be a string`);
  return value;
};

/** Some clients write `null` for a call without arguments. */
const argumentsOf = (params: Params): Params => {
  const value = params['arguments'] ?? {};
  if (!isRecord(value)) throw new InvalidParams('arguments must be an object');
  return value;
};

type Method = (params: Params, registry: Registry, context: ToolContext) => object | Promise<object>;

/** Every list is one page, so every cursor is invalid. */
const list =
  (name: 'tools' | 'resources' | 'resourceTemplates' | 'prompts'): Method =>
  ({ cursor }, registry) => {
    if (cursor !== undefined) throw new InvalidParams('There are no further pages');
    return { [name]: registry[name] };
  };

export const methods = {
  'tools/list': list('tools'),
  'tools/call': (params, registry, context) =>
    registry.callTool(requireString(params, 'name'), argumentsOf(params), context),
  'resources/list': list('resources'),
  'resources/templates/list': list('resourceTemplates'),
  'resources/read': (params, registry, context) => registry.readResource(requireString(params, 'uri'), context),
  'prompts/list': list('prompts'),
  'prompts/get': (params, registry, context) =>
    registry.getPrompt(requireString(params, 'name'), argumentsOf(params), context),
  // There is nothing to complete, but clients send the request all the same.
  'completion/complete': () => ({ completion: { values: [], total: 0, hasMore: false } }),
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof methods;

export const isMethodName = (name: string): name is MethodName => Object.hasOwn(methods, name);

/** @throws InvalidParams */
export const dispatch = async (
  name: MethodName,
  params: Params | undefined,
  registry: Registry,
  context: ToolContext,
): Promise<object> => {
  const method: Method = methods[name];
  return method(params ?? {}, registry, context);
};

/** The lists never change, and nothing needs an open connection. */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;
