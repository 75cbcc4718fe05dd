// Deprecation, Sunset and Link of the deprecated aliases (spec 9.4), computed from the raw event: they are owed on
// every answer, also on one that never got as far as reading its parameters.
import { deprecationField, lifecycles, sunsetField, VERSIONING_PAGE } from '../contract/lifecycle.ts';
import { type Operation, operationRows, type ReadName } from '../contract/operations.ts';
import { parseHandle } from '../model/handle.ts';
import { type HttpEvent, queryOf, type Route } from './event.ts';

const single = (event: HttpEvent, name: string): string | undefined => {
  const values = queryOf(event).get(name);
  return values?.length === 1 ? values[0] : undefined;
};

const readOf = (operation: Operation, event: HttpEvent): ReadName | undefined => {
  if (typeof operation.reads === 'string') return operation.reads;
  const chosen = single(event, operation.reads.by);
  return chosen !== undefined && Object.hasOwn(operation.reads.choices, chosen)
    ? operation.reads.choices[chosen]
    : undefined;
};

const successorTemplate = (read: ReadName): string | undefined =>
  operationRows.find(([, row]) => row.kind === 'versioned' && row.reads === read)?.[1].path;

/** The successor's path with the handle filled in; none while a template is all there is (decisions 2). */
const successorPath = (operation: Operation, event: HttpEvent): string | undefined => {
  const read = readOf(operation, event);
  const template = read && successorTemplate(read);
  if (!template?.includes('{handle}')) return template;
  const handle = parseHandle(single(event, 'handle') ?? '');
  return handle && template.replace('{handle}', encodeURIComponent(handle));
};

export const lifecycleHeaders = (
  route: Route | undefined,
  event: HttpEvent,
  baseUrl: string,
): Readonly<Record<string, string>> | undefined => {
  if (route?.lifecycle === undefined || route.operation === undefined) return undefined;
  const row = lifecycles[route.lifecycle];
  const page = `${baseUrl}${VERSIONING_PAGE}`;
  const successor = successorPath(route.operation, event);
  return {
    Deprecation: deprecationField(row),
    Sunset: sunsetField(row),
    // RFC 8288: all relations in one field line.
    Link: [
      ...(successor === undefined ? [] : [`<${baseUrl}${successor}>; rel="successor-version"`]),
      `<${page}>; rel="deprecation"; type="text/html"`,
      `<${page}>; rel="sunset"; type="text/html"`,
    ].join(', '),
  };
};
