// What is known of one request before anything is read from it; worked out once, asked for by every middleware.
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

export type CallOf = (event: HttpEvent) => Call;

export const callsOf = ({ settings, clock }: DoorPorts, find: FindRoute): CallOf => {
  const isFromEdge = originCheck(settings.originSecrets);
  const calls = new WeakMap<HttpEvent, Call>();
  return (event) => {
    const known = calls.get(event);
    if (known !== undefined) return known;
    const fromEdge = isFromEdge(event);
    const call = { route: find(event), fromEdge, baseUrl: baseUrlOf(event, settings, fromEdge), startedAt: clock() };
    calls.set(event, call);
    return call;
  };
};
