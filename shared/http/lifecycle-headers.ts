// Deprecation, Sunset and Link of the deprecated aliases (spec 9.4), computed from the raw event: they are owed on
// every answer, also on one that never got as far as reading its parameters.
import { deprecationField, lifecycleLinks, lifecycles, sunsetField } from '../contract/lifecycle.ts';
import { type Operation, versionedPath } from '../contract/operations.ts';
import { parseHandle } from '../model/handle.ts';
import { type HttpEvent, type Route, singleQueryValue } from './event.ts';
import { findUseCase } from './resolve-use-case.ts';

/** The successor's path with the handle filled in; none while a template is all there is. */
const successorPath = (operation: Operation, event: HttpEvent): string | undefined => {
  const read = findUseCase(operation, event);
  const template = read && versionedPath(read);
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
