// Authenticates the caller of a request (requirements: keys) before any parameter counts, and settles what was charged.
import { EDGE_HEADERS } from '../contract/headers.ts';
import { problem, requestOutcome } from '../contract/problems.ts';
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

type Attempt<T> = { readonly value: T } | { readonly error: unknown };

const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { value: await work() };
  } catch (error) {
    return { error }; // thrown again after the charges are settled
  }
};

/**
 * The key store is read while the work runs. An unknown key is rejected whatever else is wrong with the request; if it
 * is known to be unknown, the work does not start.
 *
 * @param caller undefined: no API key counts here, and nothing is charged
 * @param options.waitsForKey the work also charges the address, which does not wait for the API key. @default false
 * @throws Problem `invalid_key`, or whatever the work throws
 */
export const runAsCaller = async <T>(
  caller: Caller | undefined,
  work: () => Promise<T>,
  { waitsForKey = false } = {},
): Promise<T> => {
  if (caller === undefined) return work();
  const known = waitsForKey ? await caller.status : caller.status;
  const attempted = known === 'invalid' ? undefined : await attempt(work);
  const isInvalid = (await caller.status) === 'invalid';
  const result = isInvalid || attempted === undefined ? { error: problem('invalid_key') } : attempted;
  await caller.settle('error' in result ? requestOutcome(result.error) : 'answered');
  if ('error' in result) throw result.error;
  return result.value;
};
