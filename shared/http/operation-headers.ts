// Builds the header fields that the route of an operation adds to every response, also to one whose parameters were never
// parsed: Deprecation, Sunset and Link of the aliases (requirements: lifecycle), RateLimit-Policy and RateLimit. The policy is
// the same for equal requests, so caches may store it. The remaining units are sent only if no shared cache stores the
// response.
import { deprecationField, lifecycleLinks, lifecycles, sunsetField } from '../contract/lifecycle.ts';
import { type Operation, versionedPath } from '../contract/operations.ts';
import { type UseCase, useCases } from '../contract/use-cases.ts';
import { parseHandle } from '../model/handle.ts';
import type { AccessControl } from '../ports/access-control.ts';
import { type HttpEvent, presentsBearer, type Route, singleQueryValue } from './event.ts';
import { findUseCase } from './operation-routes.ts';
import type { RequestState } from './request-state.ts';

/** The path of the successor. @returns undefined: the handle of its template is missing */
const successorPath = (operation: Operation, event: HttpEvent): string | undefined => {
  const useCase = findUseCase(operation, event);
  const template = useCase && versionedPath(useCase);
  if (!template?.includes('{handle}')) return template;
  const handle = parseHandle(singleQueryValue(event, 'handle') ?? '');
  return handle && template.replace('{handle}', encodeURIComponent(handle));
};

export const lifecycleHeaders = (
  route: Route | undefined,
  event: HttpEvent,
  baseUrl: string,
): Readonly<Record<string, string>> => {
  if (route?.lifecycle === undefined || route.operation === undefined) return {};
  const row = lifecycles[route.lifecycle];
  const successor = successorPath(route.operation, event);
  return {
    Deprecation: deprecationField(row),
    Sunset: sunsetField(row),
    // RFC 8288: all relations in one field line.
    Link: [
      ...(successor === undefined ? [] : [`<${baseUrl}${successor}>; rel="successor-version"`]),
      ...lifecycleLinks(baseUrl),
    ].join(', '),
  };
};

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
