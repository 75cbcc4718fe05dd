// RateLimit-Policy and RateLimit of what an allowance governs. The policy is the same for all who ask alike, so caches
// may keep it; what is left is said only where no shared cache keeps the answer.
import { type Read, reads } from '../contract/operations.ts';
import type { Access } from '../ports.ts';
import type { Call } from './call.ts';
import { type HttpEvent, presentsKey } from './event.ts';
import { readOf } from './read-of.ts';

const TOO_MANY_REQUESTS = 429;

export const rateLimitHeaders = (
  { route, caller }: Call,
  event: HttpEvent,
  status: number,
  access: Access,
): Readonly<Record<string, string>> => {
  const name = route?.operation && readOf(route.operation, event);
  const row: Read | undefined = name && reads[name];
  if (row === undefined || row.spends === 'fair-use') return {};
  const { policy, limit } = caller?.stateOf(row.spends) ?? { policy: access.policyOf(row.spends) };
  const isStored = !presentsKey(event) && status !== TOO_MANY_REQUESTS;
  return { 'RateLimit-Policy': policy, ...(limit !== undefined && !isStored && { RateLimit: limit }) };
};
