// JSON-RPC 2.0 as MCP uses it: what a body holds, and how an answer is written.

export type Id = string | number;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: Id | null } & (
  | { readonly result: object }
  | { readonly error: RpcError }
);

/** Of JSON-RPC 2.0, and those that MCP 2026-07-28 adds in its own range. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Of the older revisions: whatever else is wrong with a request. */
  legacy: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export const rpcResult = (id: Id, result: object): RpcResponse => ({ jsonrpc: '2.0', id, result });

export const rpcError = (id: Id | null, code: number, message: string, data?: unknown): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isInteger(value);

/** Of what cannot be read otherwise, so that the answer can be matched. */
export const idOf = (message: unknown): Id | null => (isFields(message) && isId(message['id']) ? message['id'] : null);

export type Message =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  /** A notification, or the answer to a question that was never asked: nobody waits for anything. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'invalid'; readonly id: Id | null };

/** @param value one message of a body */
export const messageOf = (value: unknown): Message => {
  const invalid: Message = { kind: 'invalid', id: idOf(value) };
  if (!isFields(value) || value['jsonrpc'] !== '2.0') return invalid;
  const { id, method, params } = value;
  if (method === undefined) return isId(id) && ('result' in value || 'error' in value) ? { kind: 'silent' } : invalid;
  if (typeof method !== 'string' || (params !== undefined && !isFields(params))) return invalid;
  if (id === undefined) return { kind: 'silent' };
  if (!isId(id)) return invalid;
  return { kind: 'request', request: { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) } };
};
