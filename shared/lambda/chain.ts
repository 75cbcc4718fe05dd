// The one ordered list of middleware, outermost first. `before` runs top to bottom, `after` and `onError` bottom to
// top. A gate throws a Problem and never returns a response: returning from `before` would skip every `after`, and
// with it the headers that are owed.
import middy, { type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { preflightHeaders, READ_METHODS } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { DoorPorts } from '../ports.ts';
import { type CallContext, callsOf } from './call.ts';
import { type HttpEvent, type HttpResult, methodOf, type Route, targetBytes } from './event.ts';
import { compression } from './middleware/compression.ts';
import { problemErrors } from './middleware/problem-errors.ts';
import { type Owed, responseHeaders } from './middleware/response-headers.ts';

/** Path and query; CloudFront takes no more either. */
export const MAX_TARGET_BYTES = 8192;

/** A middleware of ours. */
export type Step = MiddlewareObj<HttpEvent, HttpResult, Error, CallContext>;

/** What differs from surface to surface. */
export interface Door<Found extends Route> {
  /** undefined: no such route. */
  find(event: HttpEvent): Found | undefined;
  /** Reads parameters, chooses the representation and answers; throws Problem. Not called for a preflight. */
  answer(event: HttpEvent, route: Found, context: CallContext): Promise<HttpResult>;
  /** Between the gates and the answer. */
  readonly steps?: readonly Step[];
  /** Headers of every answer of its routes, beside those of all routes. */
  readonly owed?: Owed;
}

export type LambdaHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

const gates: Step = {
  before: ({ event, context: { call } }) => {
    if (!call.fromEdge) throw problem('forbidden_origin');
    if (targetBytes(event) > MAX_TARGET_BYTES) throw problem('uri_too_long');
    if (call.route === undefined) throw problem('route_not_found');
    // Private routes say what they offer to those who have signed in.
    const methods = call.route.methods ?? READ_METHODS;
    if (!call.route.isPrivate && !methods.includes(methodOf(event))) {
      throw problem('method_not_allowed', { headers: { Allow: methods.join(', ') } }); // RFC 9110 section 15.5.6
    }
  },
};

const preflight = (methods: readonly string[] = READ_METHODS): HttpResult => ({
  statusCode: 204,
  headers: { ...preflightHeaders(methods), 'Cache-Control': 'no-store' },
});

/** Wraps an answer in everything that every route owes: problems, headers, methods, the origin check, early time-out. */
export const chain = <Found extends Route>(ports: DoorPorts, door: Door<Found>): LambdaHandler => {
  const handler = async (event: HttpEvent, context: CallContext<Found>): Promise<HttpResult> => {
    const { call } = context;
    if (methodOf(event) === 'OPTIONS' && !call.route?.isPrivate) return preflight(call.route?.methods);
    if (call.route === undefined) throw problem('route_not_found');
    return door.answer(event, call.route, context);
  };
  // Middy's early time-out costs every request a timer; surface.ts sets one where there is something to wait for.
  const callOf = callsOf(ports, door.find);
  const wrapped = middy<HttpEvent, HttpResult, Error, CallContext<Found>>(handler, { timeoutEarlyInMillis: 0 })
    .use(responseHeaders(ports, door.owed))
    .use(compression())
    .use(httpErrorHandler({ logger: false }))
    .use(problemErrors(ports))
    .use([gates, ...(door.steps ?? [])]);
  return (event, context) => wrapped(event, Object.assign(context, { call: callOf(event) }));
};
