// What is known of one request before anything is read from it: worked out once, kept on
// the Lambda context, which is where Middy's handlers look for what middleware found.
import type { Context } from 'aws-lambda';
import type { KeyStatus } from '../contract/headers.ts';
import type { Caller, DoorPorts } from '../ports.ts';
import { baseUrlOf, type HttpEvent, type Route } from './event.ts';
import { originCheck } from './origin.ts';

export interface Call<Found extends Route = Route> {
  /** undefined: no such route. */
  readonly route: Found | undefined;
  readonly fromEdge: boolean;
  readonly baseUrl: string;
  /** Milliseconds on the port's clock. */
  readonly startedAt: number;
  /** Set by the key step, where the route has one; its status when it is known. */
  caller?: Caller;
  keyStatus?: KeyStatus;
}

export interface CallContext<Found extends Route = Route> extends Context {
  readonly call: Call<Found>;
}

export const callsOf = <Found extends Route>(
  { settings, clock }: DoorPorts,
  find: (event: HttpEvent) => Found | undefined,
): ((event: HttpEvent) => Call<Found>) => {
  const isFromEdge = originCheck(settings.originSecrets);
  return (event) => {
    const fromEdge = isFromEdge(event);
    return { route: find(event), fromEdge, baseUrl: baseUrlOf(event, settings, fromEdge), startedAt: clock() };
  };
};
