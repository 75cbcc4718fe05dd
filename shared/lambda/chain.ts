// The one ordered list of middleware, outermost first. `before` runs top to bottom, `after` and `onError` bottom to
// top. A gate throws a Problem and never returns a response: returning from `before` would skip every `after`, and
// with it the headers that are owed.
import middy, { type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { PREFLIGHT_HEADERS, READ_METHODS } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { DoorPorts } from '../ports.ts';
import { type CallContext, callsOf } from './call.ts';
import { type FindRoute, type HttpEvent, type HttpResult, methodOf, type Route } from './event.ts';
import { problemErrors } from './middleware/problem-errors.ts';
import { responseHeaders } from './middleware/response-headers.ts';

/** Path and query; CloudFront takes no more either. */
export const MAX_TARGET_BYTES = 8192;

/** What differs from surface to surface. */
export interface Door {
  readonly find: FindRoute;
  /** Reads parameters, chooses the representation and answers; throws Problem. Not called for a preflight. */
  answer(event: HttpEvent, route: Route, context: CallContext): Promise<HttpResult>;
  /** Answers an unknown route in another form than a problem document, or not at all. */
  notFound?(
    event: HttpEvent,
    document: Readonly<Record<string, unknown>>,
  ): Pick<HttpResult, 'body' | 'headers'> | undefined;
}

export type LambdaHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

const gates: MiddlewareObj<HttpEvent, HttpResult, Error, CallContext> = {
  before: ({ event, context: { call } }) => {
    if (!call.fromEdge) throw problem('forbidden_origin');
    if (event.rawPath.length + event.rawQueryString.length > MAX_TARGET_BYTES) throw problem('uri_too_long');
    if (call.route === undefined) throw problem('route_not_found');
    const method = methodOf(event);
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') {
      throw problem('method_not_allowed', { headers: { Allow: READ_METHODS } }); // RFC 9110 section 15.5.6
    }
  },
};

const preflight = (): HttpResult => ({
  statusCode: 204,
  headers: { ...PREFLIGHT_HEADERS, 'Cache-Control': 'no-store' },
});

/** Wraps an answer in everything that every route owes: problems, headers, methods, the origin check, early time-out. */
export const chain = (ports: DoorPorts, door: Door): LambdaHandler => {
  const handler = async (event: HttpEvent, context: CallContext): Promise<HttpResult> => {
    const { call } = context;
    if (methodOf(event) === 'OPTIONS') return preflight();
    if (call.route === undefined) throw problem('route_not_found');
    return door.answer(event, call.route, context);
  };
  // Middy's early time-out costs every request a timer; surface.ts sets one where there is something to wait for.
  const callOf = callsOf(ports, door.find);
  const wrapped = middy<HttpEvent, HttpResult, Error, CallContext>(handler, { timeoutEarlyInMillis: 0 })
    .use(responseHeaders(ports))
    .use(httpErrorHandler({ logger: false }))
    .use(problemErrors(ports, door))
    .use(gates);
  return (event, context) => wrapped(event, Object.assign(context, { call: callOf(event) }));
};
