// What is known of one request before anything is read from it: worked out once, kept on
// the Lambda context, which is where Middy's handlers look for what middleware found.
import type { Context } from 'aws-lambda';
import type { DoorPorts } from '../ports.ts';
import { baseUrlOf, type FindRoute, type HttpEvent, type Route } from './event.ts';
import { originCheck } from './origin.ts';

export interface Call {
  /** undefined: no such route. */
  readonly route: Route | undefined;
  readonly fromEdge: boolean;
  readonly baseUrl: string;
  /** Milliseconds on the port's clock. */
  readonly startedAt: number;
}

export interface CallContext extends Context {
  readonly call: Call;
}

export const callsOf = ({ settings, clock }: DoorPorts, find: FindRoute): ((event: HttpEvent) => Call) => {
  const isFromEdge = originCheck(settings.originSecrets);
  return (event) => {
    const fromEdge = isFromEdge(event);
    return { route: find(event), fromEdge, baseUrl: baseUrlOf(event, settings, fromEdge), startedAt: clock() };
  };
};
