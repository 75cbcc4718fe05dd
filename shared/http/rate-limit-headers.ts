// Builds RateLimit-Policy and RateLimit of use cases that charge an allowance. The policy is the same for equal requests, so
// caches may store it. The remaining units are sent only if no shared cache stores the response.
import { type UseCase, useCases } from '../contract/use-cases.ts';
import type { AccessControl } from '../ports/access-control.ts';
import { type HttpEvent, presentsBearer } from './event.ts';
import type { RequestState } from './request-state.ts';
import { findUseCase } from './resolve-use-case.ts';

const TOO_MANY_REQUESTS = 429;

export const rateLimitHeaders = (
  { route, caller }: RequestState,
  event: HttpEvent,
  status: number,
  accessControl: AccessControl,
): Readonly<Record<string, string>> => {
  const name = route?.operation && findUseCase(route.operation, event);
  const row: UseCase | undefined = name && useCases[name];
  if (row === undefined || row.allowance === 'fair-use') return {};
  const { policy, limit } = caller?.allowanceState(row.allowance) ?? {
    policy: accessControl.anonymousPolicy(row.allowance),
  };
  const isStored = !(route?.honoursKey && presentsBearer(event)) && status !== TOO_MANY_REQUESTS;
  return { 'RateLimit-Policy': policy, ...(limit !== undefined && !isStored && { RateLimit: limit }) };
};
