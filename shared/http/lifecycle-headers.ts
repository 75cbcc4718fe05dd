// Builds Deprecation, Sunset and Link of the deprecated aliases (requirements: lifecycle). They are computed from the
// raw event, because every response has them, also one whose parameters were never parsed.
import { deprecationField, lifecycleLinks, lifecycles, sunsetField } from '../contract/lifecycle.ts';
import { type Operation, versionedPath } from '../contract/operations.ts';
import { parseHandle } from '../model/handle.ts';
import { type HttpEvent, type Route, singleQueryValue } from './event.ts';
import { findUseCase } from './resolve-use-case.ts';

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
