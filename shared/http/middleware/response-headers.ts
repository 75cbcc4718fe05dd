// Adds the header fields of every response and logs the request. It is the outermost middleware; one function serves both
// results and errors.
import type { MiddlewareObj, Request } from '@middy/core';
import { cacheControl } from '../../contract/caching.ts';
import { BASE_HEADERS, PUBLIC_HEADERS } from '../../contract/headers.ts';
import type { LambdaName } from '../../contract/lambdas.ts';
import { elapsed } from '../../model/time.ts';
import type { KeyResult } from '../../ports/access-control.ts';
import type { HttpPorts } from '../../ports/http.ts';
import type { HandlerContext, RequestState } from '../event.ts';
import { type HttpEvent, type HttpResult, methodOf, presentsBearer, type Route } from '../event.ts';
import { NO_INDEX } from '../page-headers.ts';
import { requestLine } from '../request-log.ts';

/**
 * The request fields that select the representation (RFC 9110 section 12.5.5). Every status of a route has the same value,
 * because a cache uses the last one that it stored: without Authorization a browser would reuse an anonymous response for a
 * request with a key. User-Agent is not among them: the edge function folds it into Accept before the cache, and no function
 * reads it. Every public route can answer with a compressed problem document; private responses are never
 * compressed.
 */
const varyOf = (route: Route | undefined): string | undefined => {
  if (route?.isPrivate) return undefined;
  const accept = route === undefined || route.negotiated ? 'Accept, ' : '';
  return `${accept}${route?.honoursKey ? 'Authorization, ' : ''}Accept-Encoding`;
};

export interface ResponseFacts {
  readonly status: number;
  /** Unset: the key was not checked, or the route ignores API keys. */
  readonly keyStatus: KeyResult;
}

/** Header fields that some routes add whatever the status. */
export type ExtraHeaders = (
  state: RequestState,
  event: HttpEvent,
  facts: ResponseFacts,
) => Readonly<Record<string, string>>;

interface ResponseHeadersOptions {
  readonly lambda: LambdaName;
  readonly extraHeaders?: ExtraHeaders;
}

export const responseHeaders = (
  { clock, log, settings }: HttpPorts,
  { lambda, extraHeaders }: ResponseHeadersOptions,
): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => {
  const addHeadersAndLog = async ({
    event,
    context,
    response,
    error,
  }: Request<HttpEvent, HttpResult, Error, HandlerContext>): Promise<void> => {
    if (response === null || response === undefined) return;
    const { state } = context;
    const { route, startedAt } = state;
    const keyStatus = route?.honoursKey ? await state.caller?.status : undefined;
    const status = response.statusCode;
    const headers = Object.assign({}, route?.isPrivate ? BASE_HEADERS : PUBLIC_HEADERS, response.headers);
    headers['X-Request-Id'] = event.requestContext.requestId;
    const vary = varyOf(route);
    if (vary !== undefined) headers['Vary'] = vary;
    if (route?.isPermalink && !settings.isIndexed) headers['X-Robots-Tag'] = NO_INDEX;
    if (keyStatus !== undefined) headers['X-Api-Key-Status'] = keyStatus;
    // Whatever the status: a response to a request with a key is only for its holder (requirements: keys).
    if (route?.honoursKey && presentsBearer(event)) headers['Cache-Control'] = cacheControl('private', 0);
    if (route?.isPrivate) headers['Cache-Control'] = cacheControl('none', 0);
    const link = headers['Link'];
    Object.assign(headers, extraHeaders?.(state, event, { status, keyStatus }));
    // RFC 8288: all relations in one field line.
    if (link !== undefined && headers['Link'] !== link) headers['Link'] = `${link}, ${headers['Link']}`;
    response.headers = headers;
    // RFC 9110 section 9.3.2: the headers of GET, no content.
    if (methodOf(event) === 'HEAD') delete response.body;
    const code = error !== null && error !== undefined && 'code' in error ? String(error.code) : undefined;
    const milliseconds = elapsed(startedAt, clock());
    log(requestLine(event, context, response, { lambda, keyStatus, code, milliseconds }));
  };
  return { after: addHeadersAndLog, onError: addHeadersAndLog };
};
