// Dispatches the methods that the handshake revisions and the stateless revision share.
import { isRecord } from '../../shared/model/json.ts';
import type { RpcRequest } from './json-rpc.ts';
import { InvalidParams, type Registry, type ToolContext } from './registry.ts';

type Params = NonNullable<RpcRequest['params']>;

const requireString = (params: Params, name: string): string => {
  const value = params[name];
  if (typeof value !== 'string') throw new InvalidParams(`${name} must be a string`);
  return value;
};

/** Absent arguments are an empty object. */
const argumentsOf = (params: Params): Params => {
  const { arguments: value = {} } = params;
  if (!isRecord(value)) throw new InvalidParams('arguments must be an object');
  return value;
};

/** Every list is one page, so every cursor is invalid. */
const rejectCursor = (params: Params): void => {
  if (params['cursor'] !== undefined) throw new InvalidParams('There are no further pages');
};

type Method = (params: Params, registry: Registry, context: ToolContext) => object | Promise<object>;

export const methods = {
  'tools/list': (params, { tools }) => {
    rejectCursor(params);
    return { tools };
  },
  'tools/call': (params, registry, context) =>
    registry.callTool(requireString(params, 'name'), argumentsOf(params), context),
  'resources/list': (params, { resources }) => {
    rejectCursor(params);
    return { resources };
  },
  'resources/templates/list': (params, { resourceTemplates }) => {
    rejectCursor(params);
    return { resourceTemplates };
  },
  'resources/read': (params, registry, context) => registry.readResource(requireString(params, 'uri'), context),
  'prompts/list': (params, { prompts }) => {
    rejectCursor(params);
    return { prompts };
  },
  'prompts/get': (params, registry) => registry.getPrompt(requireString(params, 'name'), argumentsOf(params)),
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
