// The revisions with a handshake (2024-10-07 to 2025-11-25), spoken by the SDK: one server and one transport for each
// message, so that nothing of one client can reach another. The SDK gets the envelope of a message, which was judged
// before, and the parameters of the handshake. What else a message holds is judged by the methods themselves: the SDK
// drops a message that its schemas refuse, or answers with the schema's own report.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { capabilities, dispatch, isMethodName } from './dispatch.ts';
import { isRecord, type RpcRequest, type RpcResponse } from './json-rpc.ts';
import { InvalidParams, type Registry, type ToolContext } from './registry.ts';

/** Nothing is ever asked of a client, so no answer of one is ever judged. */
const noValidator = {
  getValidator: (): never => {
    throw new Error('nothing is elicited');
  },
};

/** Nothing is ever asked of a client, so that its capabilities are left out. @throws InvalidParams */
const handshakeOf = ({ protocolVersion, capabilities: offered, clientInfo }: NonNullable<RpcRequest['params']>) => {
  if (typeof protocolVersion !== 'string') throw new InvalidParams('protocolVersion must be a string');
  if (!isRecord(offered)) throw new InvalidParams('capabilities must be an object');
  const { name, version } = isRecord(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string' || typeof version !== 'string') {
    throw new InvalidParams('clientInfo must be an object with the strings name and version');
  }
  return { protocolVersion, capabilities: {}, clientInfo: { name, version } };
};

const handedOver = ({ id, method, params = {} }: RpcRequest): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(method === 'initialize' && { params: handshakeOf(params) }),
});

/**
 * @returns the answer that the SDK gives to this one message
 * @throws InvalidParams, or whatever else the method threw; an Error where the SDK gave no answer
 */
export const answerHandshake = async (
  request: RpcRequest,
  registry: Registry,
  context: ToolContext,
): Promise<RpcResponse> => {
  const { promise, resolve, reject } = Promise.withResolvers<RpcResponse>();
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
  const { serverInfo, instructions } = registry;
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator: noValidator });
  const { method, params } = request;
  let work: Promise<object> | undefined;
  if (isMethodName(method)) {
    server.fallbackRequestHandler = async () => {
      work = dispatch(method, params, registry, context);
      work.catch(reject); // not in the words of the SDK
      return { ...(await work) };
    };
  }

  /** The SDK begins its work in the turn in which it gets a message, and answers in the turn in which the work ends. */
  const refuseSilence = async (): Promise<void> => {
    await nextTurn();
    await Promise.allSettled([work]);
    await nextTurn();
    reject(new Error('the SDK gave no answer'));
  };

  await server.connect(transport);
  transport.onmessage?.(handedOver(request));
  void refuseSilence();
  try {
    return await promise;
  } finally {
    await server.close();
  }
};
