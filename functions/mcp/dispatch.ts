// The methods that both eras of the protocol have in common, over one registry.
import { isRecord, type RpcRequest } from './json-rpc.ts';
import { InvalidParams, type Registry, type ToolContext } from './registry.ts';

type Params = NonNullable<RpcRequest['params']>;

const textOf = (params: Params, name: string): string => {
  const value = params[name];
  if (typeof value !== 'string') throw new InvalidParams(`${name} must be a string`);
  return value;
};

/** Absent means none. */
const argumentsOf = (params: Params): Params => {
  const { arguments: value = {} } = params;
  if (!isRecord(value)) throw new InvalidParams('arguments must be an object');
  return value;
};

/** Every list is one page, so that no cursor is ours. */
const onePage = (params: Params): void => {
  if (params['cursor'] !== undefined) throw new InvalidParams('There are no further pages');
};

type Method = (params: Params, registry: Registry, context: ToolContext) => object | Promise<object>;

export const methods = {
  'tools/list': (params, { tools }) => {
    onePage(params);
    return { tools };
  },
  'tools/call': (params, registry, context) => registry.callTool(textOf(params, 'name'), argumentsOf(params), context),
  'resources/list': (params, { resources }) => {
    onePage(params);
    return { resources };
  },
  'resources/templates/list': (params, { resourceTemplates }) => {
    onePage(params);
    return { resourceTemplates };
  },
  'resources/read': (params, registry, context) => registry.readResource(textOf(params, 'uri'), context),
  'prompts/list': (params, { prompts }) => {
    onePage(params);
    return { prompts };
  },
  'prompts/get': (params, registry) => registry.getPrompt(textOf(params, 'name'), argumentsOf(params)),
  // Handles and addresses are not for us to guess; clients ask all the same.
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

/** What the server can do: lists that do not change, and nothing that needs a connection. */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;
