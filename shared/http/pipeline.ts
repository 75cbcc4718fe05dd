// Builds the pipeline of a Lambda: the guards of every request, and the ordered list of middleware, outermost first. `after` and
// `onError` run bottom to top.
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { EDGE_HEADERS, preflightHeaders, READ_METHODS } from '../contract/headers.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import type { OperatorEvent } from '../contract/metrics.ts';
import { type ProblemOptions, problem } from '../contract/problems.ts';
import type { HttpPorts } from '../ports/http.ts';
import {
  asDeployed,
  createRequestState,
  type HandlerContext,
  type HttpEvent,
  type HttpResult,
  methodOf,
  type Route,
  requestHeader,
  targetBytes,
} from './event.ts';
import { compression } from './middleware/compression.ts';
import { type FindErrorPage, problemResponses } from './middleware/problem-responses.ts';
import { type ExtraHeaders, responseHeaders } from './middleware/response-headers.ts';
import { asksForOAuth, NO_OAUTH } from './oauth-requests.ts';

/** The time to write the problem document. */
const EARLY_MILLISECONDS = 500;

/**
 * Ends a request before Lambda does, because API Gateway would answer with its own error page. All deadlines of the service
 * end earlier.
 *
 * @throws Problem `upstream_unavailable` shortly before the function times out
 */
export const withLambdaTimeout = async <T>(
  work: Promise<T>,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(problem('upstream_unavailable', { cause: 'the function ran out of time' }));
    timer = setTimeout(giveUp, Math.max(0, getRemainingTimeInMillis() - EARLY_MILLISECONDS));
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
};

/** The bound of path and query, in bytes. CloudFront accepts no more either. */
export const MAX_TARGET_BYTES = 8192;

/** The parts of a pipeline that differ between Lambdas. */
export interface PipelineOptions<Found extends Route> {
  /** For the log, as `surface`. */
  readonly lambda: LambdaName;
  /** @returns undefined: no such route */
  findRoute(event: HttpEvent): Found | undefined;
  /** Describes the 404 of a path that no route has. */
  readonly describeUnknown?: (event: HttpEvent) => ProblemOptions | undefined;
  /** Unset: no person opens the routes, and each error is a problem document. */
  readonly findErrorPage?: FindErrorPage;
  /** Not called for a CORS preflight. @throws Problem */
  handleRequest(event: HttpEvent, route: Found, context: HandlerContext): Promise<HttpResult>;
  /** Header fields of every response, in addition to those of all Lambdas. */
  readonly extraHeaders?: ExtraHeaders;
}

export type LambdaHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

const EDGE_ERROR: OperatorEvent = 'edge_error';

const preflight = (methods: readonly string[]): HttpResult => ({
  statusCode: 204,
  headers: { ...preflightHeaders(methods), 'Cache-Control': 'no-store' },
});

/** Adds what all routes have in common: the origin check, methods, problem documents, compression and header fields. */
export const createPipeline = <Found extends Route>(
  ports: HttpPorts,
  options: PipelineOptions<Found>,
): LambdaHandler => {
  const handler = async (event: HttpEvent, context: HandlerContext<Found>): Promise<HttpResult> => {
    const { fromEdge, route } = context.state;
    if (!fromEdge) throw problem('forbidden_origin');
    if (targetBytes(event) > MAX_TARGET_BYTES) throw problem('uri_too_long');
    if (route === undefined)
      throw problem('route_not_found', asksForOAuth(event) ? NO_OAUTH : options.describeUnknown?.(event));
    // Private routes check methods after authentication.
    if (!route.isPrivate) {
      const { methods = READ_METHODS } = route;
      const method = methodOf(event);
      if (!methods.includes(method)) throw problem('method_not_allowed', { headers: { Allow: methods.join(', ') } }); // RFC 9110 section 15.5.6
      if (method === 'OPTIONS') return preflight(methods);
    }
    return options.handleRequest(event, route, context);
  };
  // Middy's early timeout would start a timer for every request; withLambdaTimeout is used only if there is something to await.
  const stateOf = createRequestState(ports, (event) => (asksForOAuth(event) ? undefined : options.findRoute(event)));
  const wrapped = middy<HttpEvent, HttpResult, Error, HandlerContext<Found>>(handler, { timeoutEarlyInMillis: 0 })
    .use(responseHeaders(ports, options))
    .use(compression())
    .use(httpErrorHandler({ logger: false }))
    .use(problemResponses(ports, options.findErrorPage));
  return (given, context) => {
    const event = asDeployed(given);
    const state = stateOf(event);
    if (state.fromEdge && requestHeader(event, EDGE_HEADERS.edgeError) !== undefined)
      ports.log({ level: 'error', event: EDGE_ERROR, request_id: event.requestContext.requestId });
    return wrapped(event, Object.assign(context, { state }));
  };
};
