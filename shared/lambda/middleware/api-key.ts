// The key step (spec 5): who asks, found out before any parameter counts, and what the answer then costs him.
import type { MiddlewareObj, Request } from '@middy/core';
import { EDGE_HEADERS } from '../../contract/headers.ts';
import { type Problem, problem, requestOutcome } from '../../contract/problems.ts';
import type { Access } from '../../ports.ts';
import type { CallContext } from '../call.ts';
import { type HttpEvent, type HttpResult, headerOf, methodOf } from '../event.ts';

type KeyRequest = Request<HttpEvent, HttpResult, Error, CallContext>;

/**
 * The store is asked while the request is read; its verdict is waited for before a provider is asked, and before
 * anything is answered. An unknown key is refused whatever else is wrong with the request.
 */
export const apiKey = (access: Access): MiddlewareObj<HttpEvent, HttpResult, Error, CallContext> => {
  const begin = ({ event, context: { call } }: KeyRequest): void => {
    if (!call.route?.honoursKey || methodOf(event) === 'OPTIONS') return;
    call.caller = access.callerOf({
      authorization: headerOf(event, 'authorization'),
      address: headerOf(event, EDGE_HEADERS.viewerIp),
    });
    // Known without asking: nothing is read for a key that is none.
    if (call.caller.status === 'invalid') throw problem('invalid_key');
  };

  /** @returns the problem that goes before whatever was answered */
  const verdict = async ({ context: { call } }: KeyRequest): Promise<Problem | undefined> => {
    if (call.caller === undefined) return undefined;
    call.keyStatus = await call.caller.status;
    return call.keyStatus === 'invalid' ? problem('invalid_key') : undefined;
  };

  return {
    before: begin,
    after: async (request) => {
      const refusal = await verdict(request);
      await request.context.call.caller?.conclude('answered');
      if (refusal !== undefined) throw refusal;
    },
    onError: async (request) => {
      request.error = (await verdict(request)) ?? request.error;
      await request.context.call.caller?.conclude(requestOutcome(request.error));
    },
  };
};
