// Authenticates the caller of an HTTP request (spec 5) before any parameter counts.
import { EDGE_HEADERS } from '../contract/headers.ts';
import type { AccessControl, Caller } from '../ports/access-control.ts';
import { type HttpEvent, headerOf } from './event.ts';
import type { RequestState } from './request-state.ts';

/** @returns undefined if the route ignores API keys */
export const authenticate = (
  accessControl: AccessControl | undefined,
  event: HttpEvent,
  state: RequestState,
): Caller | undefined => {
  if (accessControl === undefined || !state.route?.honoursKey) return undefined;
  state.caller = accessControl.identify({
    authorization: headerOf(event, 'authorization'),
    address: headerOf(event, EDGE_HEADERS.viewerIp),
  });
  return state.caller;
};
