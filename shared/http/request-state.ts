// Creates the state of one request. It is on the Lambda context, where Middy's handlers expect the results of middleware.
import type { Context } from 'aws-lambda';
import type { Caller } from '../ports/access-control.ts';
import type { HttpPorts } from '../ports/http.ts';
import { baseUrlOf, type HttpEvent, type Route } from './event.ts';
import { createOriginCheck } from './origin-secret.ts';

export interface RequestState<Found extends Route = Route> {
  /** undefined: no such route */
  readonly route: Found | undefined;
  readonly fromEdge: boolean;
  readonly baseUrl: string;
  /** Milliseconds on the port's clock. */
  readonly startedAt: number;
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
  return (event) => {
    const fromEdge = isFromEdge(event);
    return { route: findRoute(event), fromEdge, baseUrl: baseUrlOf(event, settings, fromEdge), startedAt: clock() };
  };
};
