// Writes the log line of one message: `tool` for a call of a tool, `mcp` for any other request. It has only names that the
// server defines; other values of a client stay out of the log.
import { UNKNOWN_TOOL } from '../../shared/contract/metrics.ts';
import { isFailure } from '../../shared/contract/problems.ts';
import type { HandlerContext, HttpEvent } from '../../shared/http/event.ts';
import { factFields, type ReadFacts } from '../../shared/http/request-log.ts';
import { isRecord } from '../../shared/model/json.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { isMethodName } from './dispatch.ts';
import type { RpcRequest, RpcResponse } from './json-rpc.ts';
import type { Registry } from './registry.ts';

export interface MessageNames {
  readonly mcp_method: string;
  /** Unset: the message is not a call of a tool. */
  readonly tool?: string;
}

export const namesOf = ({ method, params }: RpcRequest, { tools }: Registry): MessageNames => ({
  mcp_method: isMethodName(method) || method === 'initialize' ? method : 'other',
  ...(method === 'tools/call' && { tool: tools.find(({ name }) => name === params?.['name'])?.name ?? UNKNOWN_TOOL }),
});

/** @returns the problem of a response; an error without a problem has its JSON-RPC code */
const failureOf = (body: RpcResponse | undefined): { readonly code?: string; readonly status?: number } => {
  if (body === undefined) return {};
  const result = 'result' in body ? body.result : undefined;
  const meta = result !== undefined && 'isError' in result && '_meta' in result ? result._meta : undefined;
  const data = 'error' in body ? body.error.data : meta;
  const { code, status } = isRecord(data) ? data : {};
  if (typeof code === 'string' && typeof status === 'number') return { code, status };
  return 'error' in body ? { code: String(body.error.code) } : {};
};

interface MessageFacts {
  readonly facts: ReadFacts;
  readonly event: HttpEvent;
  readonly lambda: HandlerContext;
  readonly milliseconds: number;
}

export const messageLine = (
  { tool, ...names }: MessageNames,
  body: RpcResponse | undefined,
  { facts, event, lambda, milliseconds }: MessageFacts,
): LogFields => {
  const { code, status = 200 } = failureOf(body);
  const duration = tool === undefined ? { duration_ms: milliseconds } : { tool_duration_ms: milliseconds };
  return {
    level: isFailure(status) ? 'error' : 'info',
    event: tool === undefined ? 'mcp' : 'tool',
    request_id: event.requestContext.requestId,
    lambda_request_id: lambda.awsRequestId,
    ...names,
    tool,
    form: code === undefined ? (facts.form ?? 'none') : 'problem',
    status,
    code,
    ...factFields(facts),
    ...duration,
  };
};
