// Answers requests of the handshake revisions (2024-10-07 to 2025-11-25) with the SDK. Each message has its own server and
// transport, so that no data of one client reaches another. The SDK gets only the validated envelope of a message and the
// parameters of the handshake. The methods validate other parameters themselves: the SDK drops a message that its schemas
// reject, or answers with the report of the schema.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../shared/model/json.ts';
import type { RpcRequest, RpcResponse } from './json-rpc.ts';
import { capabilities, dispatch, InvalidParams, isMethodName, type Registry, type ToolContext } from './registry.ts';

/** The server never sends requests to a client, so it never validates a response. */
const noValidator = {
  getValidator: (): never => {
    throw new Error('the server sends no requests');
  },
};

/** Omits the capabilities of the client, because the server never uses them. @throws InvalidParams */
const handshakeParams = ({ protocolVersion, capabilities: offered, clientInfo }: NonNullable<RpcRequest['params']>) => {
  if (typeof protocolVersion !== 'string') throw new InvalidParams('protocolVersion must be a string');
  if (!isRecord(offered)) throw new InvalidParams('capabilities must be an object');
  const { name, version } = isRecord(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string' || typeof version !== 'string') {
    throw new InvalidParams('clientInfo must be an object with the strings name and version');
  }
  return { protocolVersion, capabilities: {}, clientInfo: { name, version } };
};

const sdkMessage = ({ id, method, params = {} }: RpcRequest): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(method === 'initialize' && { params: handshakeParams(params) }),
});

/**
 * @returns the response of the SDK to this message
 * @throws InvalidParams, or the error of the method; an Error if the SDK does not respond
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
      // Other messages are notifications, and there is no connection to send them on.
      if ('id' in message && message.id === request.id && !('method' in message)) resolve(message as RpcResponse); // the type of the SDK is wider
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
      work.catch(reject); // the SDK would replace the error by its own text
      return { ...(await work) };
    };
  }

  /** The SDK starts in the turn in which it gets a message, and responds in the turn in which the work ends. */
  const rejectWithoutResponse = async (): Promise<void> => {
    await nextTurn();
    await Promise.allSettled([work]);
    await nextTurn();
    reject(new Error('the SDK gave no answer'));
  };

  await server.connect(transport);
  transport.onmessage?.(sdkMessage(request));
  void rejectWithoutResponse();
  try {
    return await promise;
  } finally {
    await server.close();
  }
};
