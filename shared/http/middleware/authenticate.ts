// The key step (spec 5): who asks, found out before any parameter counts, and what the answer then costs him.
import type { MiddlewareObj, Request } from '@middy/core';
import { EDGE_HEADERS } from '../../contract/headers.ts';
import { type Problem, problem, requestOutcome } from '../../contract/problems.ts';
import type { AccessControl } from '../../ports/access-control.ts';
import { type HttpEvent, type HttpResult, headerOf, methodOf } from '../event.ts';
import type { HandlerContext } from '../request-state.ts';

type KeyRequest = Request<HttpEvent, HttpResult, Error, HandlerContext>;

/**
 * The store is asked while the request is read; its verdict is waited for before a provider is asked, and before
 * anything is answered. An unknown key is refused whatever else is wrong with the request.
 */
export const authenticate = (access: AccessControl): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => {
  const begin = ({ event, context: { state } }: KeyRequest): void => {
    if (!state.route?.honoursKey || methodOf(event) === 'OPTIONS') return;
    state.caller = access.identify({
      authorization: headerOf(event, 'authorization'),
      address: headerOf(event, EDGE_HEADERS.viewerIp),
    });
    // Known without asking: nothing is read for a key that is none.
    if (state.caller.status === 'invalid') throw problem('invalid_key');
  };

  /** @returns the problem that goes before whatever was answered */
  const invalidKeyProblem = async ({ context: { state } }: KeyRequest): Promise<Problem | undefined> => {
    if (state.caller === undefined) return undefined;
    state.keyStatus = await state.caller.status;
    return state.keyStatus === 'invalid' ? problem('invalid_key') : undefined;
  };

  return {
    before: begin,
    after: async (request) => {
      const refusal = await invalidKeyProblem(request);
      await request.context.state.caller?.settle('answered');
      if (refusal !== undefined) throw refusal;
    },
    onError: async (request) => {
      request.error = (await invalidKeyProblem(request)) ?? request.error;
      await request.context.state.caller?.settle(requestOutcome(request.error));
    },
  };
};
