// Authenticates the caller of an HTTP request (requirements: keys) before any parameter counts.
import { EDGE_HEADERS } from '../contract/headers.ts';
import type { AccessControl, Caller } from '../ports/access-control.ts';
import { type HttpEvent, headerOf } from './event.ts';
import type { RequestState } from './request-state.ts';

/** @returns undefined if nothing about the caller counts: the route ignores API keys and charges no allowance */
export const authenticate = (
  accessControl: AccessControl | undefined,
  event: HttpEvent,
  state: RequestState,
): Caller | undefined => {
  const { honoursKey = false, chargesAllowance = false } = state.route ?? {};
  if (accessControl === undefined || !(honoursKey || chargesAllowance)) return undefined;
  state.caller = accessControl.identify({
    authorization: honoursKey ? headerOf(event, 'authorization') : undefined,
    address: headerOf(event, EDGE_HEADERS.viewerIp),
  });
  return state.caller;
};
