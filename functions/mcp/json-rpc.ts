// Parses and writes JSON-RPC 2.0 messages as MCP uses them.
import { asRecord, isRecord, type JsonRecord } from '../../shared/model/json.ts';

export type RpcId = string | number;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: JsonRecord;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: RpcId | null } & (
  | { readonly result: object }
  | { readonly error: RpcError }
);

/** The answer to an HTTP request. */
export interface RpcReply<Body = RpcResponse> {
  readonly status: number;
  /** Unset: the client expects no response. */
  readonly body?: Body;
}

/** @returns the data of an error, or the metadata of a failed call of a tool */
export const problemIn = (body: RpcResponse | readonly RpcResponse[] | undefined): JsonRecord => {
  if (body === undefined || !('jsonrpc' in body)) return {};
  if ('error' in body) return asRecord(body.error.data) ?? {};
  return ('isError' in body.result && '_meta' in body.result && asRecord(body.result._meta)) || {};
};

/** The codes of JSON-RPC 2.0, and those that MCP 2026-07-28 adds in the range of implementations. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Handshake revisions: any other error of a request. */
  serverError: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export const rpcResult = (id: RpcId, result: object): RpcResponse => ({ jsonrpc: '2.0', id, result });

export const rpcError = (id: RpcId | null, code: number, message: string, data?: unknown): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});

/** In MCP, numeric ids are integers. Two unsafe integers can parse to the same number. */
const isId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isSafeInteger(value);

const NOT_AN_ID = 'must be a string or a safe integer';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Validates the members of `_meta` that every revision defines. */
const metaFault = (meta: unknown): string | undefined => {
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return '_meta must be an object';
  const { progressToken, [RELATED_TASK]: task } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return `progressToken ${NOT_AN_ID}`;
  if (task !== undefined && !(isRecord(task) && typeof task['taskId'] === 'string')) {
    return `${RELATED_TASK} must be an object with a taskId`;
  }
  return undefined;
};

const isErrorObject = (value: unknown): boolean =>
  isRecord(value) && Number.isSafeInteger(value['code']) && typeof value['message'] === 'string';

/** The id of an error is null or absent if the id of its message could not be parsed. */
const isResponse = ({ jsonrpc, id, params, result, error }: JsonRecord): boolean => {
  if (jsonrpc !== '2.0' || params !== undefined) return false;
  if (error === undefined) return isId(id) && isRecord(result) && metaFault(result['_meta']) === undefined;
  return (isId(id) || id === null || id === undefined) && result === undefined && isErrorObject(error);
};

export type RpcMessage =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  /** A notification, or a response to a request that was never sent: the client expects no answer. */
  | { readonly kind: 'notification' }
  /** With the id of the request if it has one, so that the client can match the response. */
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly why: string };

/** The id of a response belongs to the server. A client would match an answer with that id to one of its own requests. */
const responseMessage = (message: JsonRecord): RpcMessage =>
  isResponse(message)
    ? { kind: 'notification' }
    : { kind: 'invalid', id: null, why: 'a response has an id, and either a result or an error' };

const requestMessage = (message: JsonRecord): RpcMessage => {
  const { jsonrpc, id, method, params } = message;
  const invalid = (why: string): RpcMessage => ({ kind: 'invalid', id: isId(id) ? id : null, why });
  if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"');
  if (id !== undefined && !isId(id)) return invalid(`id ${NOT_AN_ID}`);
  if (typeof method !== 'string') return invalid('method must be a string');
  if (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error')) {
    return invalid('a request has neither result nor error');
  }
  if (params !== undefined && !isRecord(params)) return invalid('params must be an object');
  const why = metaFault(params?.['_meta']);
  if (why !== undefined) return invalid(why);
  if (id === undefined) return { kind: 'notification' };
  return { kind: 'request', request: { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) } };
};

/**
 * Validates everything that the SDK validates, because the SDK drops an invalid message without a response.
 *
 * @param value one message of a body
 */
export const parseMessage = (value: unknown): RpcMessage => {
  if (!isRecord(value)) return { kind: 'invalid', id: null, why: 'a message must be an object' };
  const isAnswer = !Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
  return isAnswer ? responseMessage(value) : requestMessage(value);
};
