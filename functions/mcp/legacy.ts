// The revisions with a handshake (2024-10-07 to 2025-11-25), spoken by the SDK: one server and one transport for each
// message, so that nothing of one client can reach another.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { capabilities, dispatch, type MethodName } from './dispatch.ts';
import type { RpcRequest, RpcResponse } from './json-rpc.ts';
import { rpcCodes } from './json-rpc.ts';
import { type AskContext, InvalidParams, type Registry } from './registry.ts';

const schemas = {
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'prompts/list': ListPromptsRequestSchema,
  'prompts/get': GetPromptRequestSchema,
  'completion/complete': CompleteRequestSchema,
} as const satisfies Readonly<Record<MethodName, unknown>>;

const methodNames = Object.keys(schemas) as MethodName[]; // exactly the keys of a constant table

/** The SDK sends `code` and `data` of an error as they are, and its own errors repeat themselves in their message. */
const asRpcError = (error: unknown): Error =>
  error instanceof InvalidParams
    ? Object.assign(new Error(error.message), { code: rpcCodes.invalidParams, data: error.data })
    : Object.assign(new Error('Internal error'), { code: rpcCodes.internalError });

/** Nothing is ever asked of a client, so no answer of one is ever judged. */
const noValidator = {
  getValidator: (): never => {
    throw new Error('nothing is elicited');
  },
};

const serverFor = (registry: Registry, context: AskContext): Server => {
  const server = new Server(registry.serverInfo, {
    capabilities,
    instructions: registry.instructions,
    jsonSchemaValidator: noValidator,
  });
  for (const name of methodNames) {
    server.setRequestHandler(schemas[name], async ({ params }) => {
      try {
        return { ...(await dispatch(name, params, registry, context)) };
      } catch (error) {
        throw asRpcError(error);
      }
    });
  }
  return server;
};

/** @returns the answer that the SDK gives to this one message */
export const answerLegacy = async (
  request: RpcRequest,
  registry: Registry,
  context: AskContext,
): Promise<RpcResponse> => {
  const { promise, resolve } = Promise.withResolvers<RpcResponse>();
  const transport: Transport = {
    start: async () => undefined,
    async send(message) {
      // What has no id of ours is a notification, for which there is no connection.
      if ('id' in message && message.id === request.id && !('method' in message)) resolve(message as RpcResponse); // the SDK's own answer
    },
    async close() {
      transport.onclose?.();
    },
  };
  const server = serverFor(registry, context);
  await server.connect(transport);
  transport.onmessage?.(request as JSONRPCMessage); // looked at by the gate
  try {
    return await promise;
  } finally {
    await server.close();
  }
};
