// The one ordered list of middleware, outermost first. `before` runs top to bottom, `after` and `onError` bottom to
// top. A gate throws a Problem and never returns a response: returning from `before` would skip every `after`, and
// with it the headers that are owed.
import middy, { type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { preflightHeaders, READ_METHODS } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { HttpPorts } from '../ports/http.ts';
import { type HttpEvent, type HttpResult, methodOf, type Route, targetBytes } from './event.ts';
import { compression } from './middleware/compression.ts';
import { problemResponses } from './middleware/problem-responses.ts';
import { type ExtraHeaders, responseHeaders } from './middleware/response-headers.ts';
import { createRequestState, type HandlerContext } from './request-state.ts';

/** Path and query; CloudFront takes no more either. */
export const MAX_TARGET_BYTES = 8192;

/** A middleware of ours. */
export type Middleware = MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext>;

/** What differs from surface to surface. */
export interface PipelineOptions<Found extends Route> {
  /** undefined: no such route. */
  findRoute(event: HttpEvent): Found | undefined;
  /** Reads parameters, chooses the representation and answers; throws Problem. Not called for a preflight. */
  handleRequest(event: HttpEvent, route: Found, context: HandlerContext): Promise<HttpResult>;
  /** Between the gates and the answer. */
  readonly middleware?: readonly Middleware[];
  /** Headers of every answer of its routes, beside those of all routes. */
  readonly extraHeaders?: ExtraHeaders;
}

export type LambdaHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

const requestGuards: Middleware = {
  before: ({ event, context: { state } }) => {
    if (!state.fromEdge) throw problem('forbidden_origin');
    if (targetBytes(event) > MAX_TARGET_BYTES) throw problem('uri_too_long');
    if (state.route === undefined) throw problem('route_not_found');
    // Private routes say what they offer to those who have signed in.
    const methods = state.route.methods ?? READ_METHODS;
    if (!state.route.isPrivate && !methods.includes(methodOf(event))) {
      throw problem('method_not_allowed', { headers: { Allow: methods.join(', ') } }); // RFC 9110 section 15.5.6
    }
  },
};

const preflight = (methods: readonly string[] = READ_METHODS): HttpResult => ({
  statusCode: 204,
  headers: { ...preflightHeaders(methods), 'Cache-Control': 'no-store' },
});

/** Wraps an answer in everything that every route owes: problems, headers, methods, the origin check, early time-out. */
export const createPipeline = <Found extends Route>(ports: HttpPorts, door: PipelineOptions<Found>): LambdaHandler => {
  const handler = async (event: HttpEvent, context: HandlerContext<Found>): Promise<HttpResult> => {
    const { state } = context;
    if (methodOf(event) === 'OPTIONS' && !state.route?.isPrivate) return preflight(state.route?.methods);
    if (state.route === undefined) throw problem('route_not_found');
    return door.handleRequest(event, state.route, context);
  };
  // Middy's early time-out costs every request a timer; operation-handler.ts sets one where there is something to wait for.
  const stateOf = createRequestState(ports, door.findRoute);
  const wrapped = middy<HttpEvent, HttpResult, Error, HandlerContext<Found>>(handler, { timeoutEarlyInMillis: 0 })
    .use(responseHeaders(ports, door.extraHeaders))
    .use(compression())
    .use(httpErrorHandler({ logger: false }))
    .use(problemResponses(ports))
    .use([requestGuards, ...(door.middleware ?? [])]);
  return (event, context) => wrapped(event, Object.assign(context, { state: stateOf(event) }));
};
