// Creates the state of one request. It is on the Lambda context, where Middy's handlers expect the results of middleware. A
// request came through CloudFront if it has the secret header, which only CloudFront sends.
import type { Context } from 'aws-lambda';
import { EDGE_HEADERS } from '../contract/headers.ts';
import type { Caller } from '../ports/access-control.ts';
import type { HttpPorts } from '../ports/http.ts';
import { baseUrlOf, type HttpEvent, headerOf, type Route } from './event.ts';
import type { ReadFacts } from './request-log.ts';

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

/**
 * The time depends only on the length of the presented value. It does not use node:crypto, because loading that takes longer
 * than the rest of the cold start of the discovery Lambda.
 */
const isEqualConstantTime = (secret: string, presented: string): boolean => {
  let difference = secret.length ^ presented.length;
  for (let index = 0; index < presented.length; index += 1) {
    difference |= presented.charCodeAt(index) ^ secret.charCodeAt(index % secret.length);
  }
  return difference === 0;
};

/** @param secrets the current and, during a rotation, the previous value; an empty list rejects every request */
export const createOriginCheck = (secrets: readonly string[]): ((event: HttpEvent) => boolean) => {
  const accepted = secrets.filter((secret) => secret !== '');
  return (event) => {
    const presented = headerOf(event, EDGE_HEADERS.originSecret) ?? '';
    let matches = false;
    // No early exit: each secret is compared.
    for (const secret of accepted) {
      if (isEqualConstantTime(secret, presented)) matches = true;
    }
    return matches;
  };
};
