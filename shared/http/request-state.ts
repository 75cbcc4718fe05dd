// Creates the state of one request. It is on the Lambda context, where Middy's handlers expect the results of middleware.
import type { Context } from 'aws-lambda';
import type { Caller } from '../ports/access-control.ts';
import type { HttpPorts } from '../ports/http.ts';
import { baseUrlOf, type HttpEvent, type Route } from './event.ts';
import { createOriginCheck } from './origin-secret.ts';
import type { ReadFacts } from './read-facts.ts';

export interface RequestState<Found extends Route = Route> {
  /** undefined: no such route */
  readonly route: Found | undefined;
  readonly fromEdge: boolean;
  readonly baseUrl: string;
  /** Milliseconds on the port's clock. */
  readonly startedAt: number;
  /** The first request of the function instance. */
  readonly isColdStart: boolean;
  /** For the log line. */
  readonly facts: ReadFacts;
  /** Set by authentication; unset: the route ignores API keys and charges no allowance. */
  caller?: Caller;
}

export interface HandlerContext<Found extends Route = Route> extends Context {
  readonly state: RequestState<Found>;
}

export const createRequestState = <Found extends Route>(
  { settings, clock }: HttpPorts,
  findRoute: (event: HttpEvent) => Found | undefined,
): ((event: HttpEvent) => RequestState<Found>) => {
  const isFromEdge = createOriginCheck(settings.originSecrets);
  let isFirst = true;
  return (event) => {
    const fromEdge = isFromEdge(event);
    const isColdStart = isFirst;
    isFirst = false;
    return {
      route: findRoute(event),
      fromEdge,
      baseUrl: baseUrlOf(event, settings, fromEdge),
      startedAt: clock(),
      isColdStart,
      facts: {},
    };
  };
};
