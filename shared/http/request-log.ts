// Writes the log line of a request, and the cause of a problem for the operator. The lines have no text of the caller: no
// query, no IP address, no handle and no id of a post.
import { VIEWER_REQUEST_ID_HEADER } from '../contract/headers.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import { contentTypes } from '../contract/media-types.ts';
import { type Form, UNKNOWN_OPERATION } from '../contract/metrics.ts';
import { isFailure, type Problem, problemRow } from '../contract/problems.ts';
import { isDegraded } from '../contract/warnings.ts';
import { errorText, keysOf } from '../model/json.ts';
import type { Caller, ChargeResult, KeyResult } from '../ports/access-control.ts';
import type { CallRecord, Log, LogFields } from '../ports/system.ts';
import type { CacheUse, Requester, SourcedResult } from '../ports/upstream.ts';
import {
  type HandlerContext,
  type HttpEvent,
  type HttpResult,
  methodOf,
  type ReadFacts,
  requestHeader,
} from './event.ts';

// Collects what happened while a request was answered, for its log line. Each step records what it knows: the request
// cache its use, the use case its provider and warnings, the caller the charge. Nothing here decides about an answer.

const CACHE_ORDER: readonly CacheUse[] = ['hit', 'joined', 'miss'];
const ALLOWANCE_ORDER: readonly ChargeResult['decision'][] = ['admitted', 'memory', 'refused'];

/** @returns the value that is later in the order */
const later = <T>(order: readonly T[], first: T | undefined, second: T): T =>
  first !== undefined && order.indexOf(first) > order.indexOf(second) ? first : second;

const recordAllowance = (facts: ReadFacts, decision: ChargeResult['decision']): void => {
  facts.allowance = later(ALLOWANCE_ORDER, facts.allowance, decision);
};

const recordCacheUse = (facts: ReadFacts, use: CacheUse): void => {
  facts.cache = later(CACHE_ORDER, facts.cache, use);
};

const recordCall = (facts: ReadFacts, call: CallRecord): boolean => {
  if (facts.isLogged) return false;
  facts.calls ??= [];
  facts.calls.push(call);
  return true;
};

const admitRecorded = async (admit: Requester['admit'], facts: ReadFacts): Promise<void> => {
  try {
    await admit();
    recordAllowance(facts, 'admitted');
  } catch (error) {
    recordAllowance(facts, 'refused');
    throw error;
  }
};

/**
 * Returns the requester with a record of its cache uses and its calls.
 *
 * @param isFairUse the bound is always counted in memory and has no charge result, so `admit` is recorded as well
 */
export const recordingRequester = (requester: Requester, facts: ReadFacts, isFairUse: boolean): Requester => {
  const { forAnotherRead } = requester;
  return {
    ...requester,
    recordCacheUse: (use) => recordCacheUse(facts, use),
    recordCall: (call) => recordCall(facts, call),
    ...(isFairUse && { admit: () => admitRecorded(requester.admit, facts) }),
    ...(forAnotherRead && { forAnotherRead: () => recordingRequester(forAnotherRead(), facts, isFairUse) }),
  };
};

export const recordResult = (facts: ReadFacts, { source, warnings }: SourcedResult<unknown>): void => {
  facts.provider = source;
  facts.isDegraded = warnings.some(isDegraded);
};

/** @param caller undefined: nothing is charged for a caller */
export const recordCharge = (facts: ReadFacts, caller: Caller | undefined): void => {
  const result = caller?.chargeResult();
  if (result === undefined) return;
  recordAllowance(facts, result.decision);
  facts.isRefunded = result.isRefunded;
};

/** Adds the facts of one call to those of a request with several. */
export const addFacts = (facts: ReadFacts, call: ReadFacts): void => {
  if (call.provider !== undefined) facts.provider = call.provider;
  if (call.cache !== undefined) recordCacheUse(facts, call.cache);
  if (call.allowance !== undefined) recordAllowance(facts, call.allowance);
  if (call.isRefunded) facts.isRefunded = true;
  if (call.isDegraded) facts.isDegraded = true;
};

/** The facts as members of a log line, which says nothing of what did not happen. */
export const factFields = ({ provider, cache, allowance, isRefunded, isDegraded: isLess, calls }: ReadFacts) => ({
  provider,
  cache,
  allowance,
  ...(isRefunded && { refunded: 1 }),
  ...(isLess && { degraded: 1 }),
  ...(calls && { calls }),
});

/** The level of a line of a request or of a message. */
export const levelOf = (status: number, { calls = [] }: ReadFacts): LogFields['level'] => {
  if (isFailure(status)) return 'error';
  return calls.some(({ outcome }) => outcome !== 'answered') ? 'warn' : 'info';
};

/** Marks the lines of requests of the canary, which is no caller: they have no metrics. */
export const CANARY_ROLE = { role: 'canary' } as const;

/** A note has the type of Markdown, which precedes it in the table and so is the last here. */
const formsByType: ReadonlyMap<unknown, Form> = new Map(
  keysOf(contentTypes)
    .toReversed()
    .map((form) => [contentTypes[form], form]),
);

/** @returns the representation that a Content-Type of this service names */
export const formOfType = (type: unknown): Form => (type === undefined ? 'none' : (formsByType.get(type) ?? 'other'));

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** @param known compression replaces the body, and HEAD drops it */
const bytesOf = ({ body = '', isBase64Encoded }: HttpResult, known: ReadFacts['body']): number =>
  known?.text === body ? known.bytes : Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

/** CloudFront sends base64url of a fixed length, 56 characters today; its access log has the same id. */
const VIEWER_REQUEST_ID = /^[A-Za-z0-9_=-]{1,128}$/;

const viewerRequestId = (event: HttpEvent, fromEdge: boolean): string | undefined => {
  // Without the origin secret the field is text of the caller.
  const id = fromEdge ? requestHeader(event, VIEWER_REQUEST_ID_HEADER) : undefined;
  return id !== undefined && VIEWER_REQUEST_ID.test(id) ? id : undefined;
};

export interface RequestLineFacts {
  readonly lambda: LambdaName;
  readonly keyStatus: KeyResult;
  /** The problem code of an error. */
  readonly code: string | undefined;
  readonly milliseconds: number;
}

/** @param response as it is sent. Only a failure is looked up in other logs, so only its line has their ids */
export const requestLine = (
  event: HttpEvent,
  { state, awsRequestId }: HandlerContext,
  response: HttpResult,
  { lambda, keyStatus, code, milliseconds }: RequestLineFacts,
): LogFields => {
  const { route, fromEdge, isColdStart, isCanary, facts } = state;
  const { statusCode: status } = response;
  const method = methodOf(event);
  facts.isLogged = true;
  return {
    level: levelOf(status, facts),
    event: 'request',
    ...(isCanary && CANARY_ROLE),
    request_id: event.requestContext.requestId,
    ...(isFailure(status) && { lambda_request_id: awsRequestId, viewer_request_id: viewerRequestId(event, fromEdge) }),
    surface: lambda,
    operation: route?.id ?? UNKNOWN_OPERATION,
    document: route?.document,
    form: (status < 400 ? facts.form : undefined) ?? formOfType(response.headers['Content-Type']),
    method: METHODS.has(method) ? method : 'other',
    status,
    code,
    key: keyStatus,
    ...factFields(facts),
    ...(isColdStart && { cold_start: 1 }),
    bytes: bytesOf(response, facts.body),
    duration_ms: milliseconds,
  };
};

/** A problem without a cause is not logged. @param facts additional log fields */
export const logProblem = (log: Log, { code, cause }: Problem, facts: Partial<LogFields>): void => {
  if (cause === undefined) return;
  const level = isFailure(problemRow(code).status) ? 'error' : 'info';
  log({ level, event: 'problem', ...facts, code, cause: errorText(cause) });
};
