// RateLimit-Policy and RateLimit of what an allowance governs. The policy is the same for all who ask alike, so caches
// may keep it; what is left is said only where no shared cache keeps the answer.
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
  access: AccessControl,
): Readonly<Record<string, string>> => {
  const name = route?.operation && findUseCase(route.operation, event);
  const row: UseCase | undefined = name && useCases[name];
  if (row === undefined || row.allowance === 'fair-use') return {};
  const { policy, limit } = caller?.allowanceState(row.allowance) ?? { policy: access.anonymousPolicy(row.allowance) };
  const isStored = !presentsBearer(event) && status !== TOO_MANY_REQUESTS;
  return { 'RateLimit-Policy': policy, ...(limit !== undefined && !isStored && { RateLimit: limit }) };
};
