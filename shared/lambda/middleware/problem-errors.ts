// Turns whatever was thrown into the status, headers and body that @middy/http-error-handler writes.
import type { MiddlewareObj } from '@middy/core';
import { fillBaseUrl } from '../../contract/addresses.ts';
import { cacheControl } from '../../contract/caching.ts';
import { documentRows } from '../../contract/documents.ts';
import { contentTypes, FOR_PROGRAMS, negotiations } from '../../contract/media-types.ts';
import { asProblem, problemDocument, problemRow } from '../../contract/problems.ts';
import type { DoorPorts } from '../../ports.ts';
import { type DirectoryEntry, type NotFound, notFoundPage } from '../../render/not-found.ts';
import { PAGE_HEADERS } from '../../render/page.ts';
import type { CallContext } from '../call.ts';
import { type HttpEvent, type HttpResult, headerOf, instanceOf } from '../event.ts';
import { logProblem } from '../log-problem.ts';
import { chooseRepresentation } from '../negotiate.ts';

const directory = (baseUrl: string): readonly DirectoryEntry[] =>
  documentRows.flatMap(([, { path, title, rel }]) =>
    rel === undefined ? [] : [{ href: `${baseUrl}${path}`, rel, title }],
  );

/** People and agents who took a wrong turn get a page; where programs look, and whatever else fails, a problem. */
const otherForm = (event: HttpEvent, notFound: NotFound): Pick<HttpResult, 'body' | 'headers'> | undefined => {
  if (FOR_PROGRAMS.test(event.rawPath)) return undefined;
  const chosen = chooseRepresentation(headerOf(event, 'accept'), negotiations.unknown);
  if (chosen === undefined || chosen === 'json') return undefined;
  return { body: notFoundPage(notFound)[chosen], headers: { 'Content-Type': contentTypes[chosen], ...PAGE_HEADERS } };
};

export const problemErrors = ({
  settings,
  log,
}: DoorPorts): MiddlewareObj<HttpEvent, HttpResult, Error, CallContext> => ({
  onError: (request) => {
    const { event, context } = request;
    const thrown = asProblem(request.error);
    const row = problemRow(thrown.code);
    const { baseUrl } = context.call;
    const links = thrown.code === 'route_not_found' ? directory(baseUrl) : undefined;
    const document = problemDocument(thrown, { baseUrl, instance: instanceOf(event), ...(links && { links }) });
    const other =
      links && otherForm(event, { title: row.title, resolution: fillBaseUrl(row.resolution, baseUrl), links });
    const retryAfter = document['retry_after'];
    logProblem(log, thrown, { request_id: event.requestContext.requestId });
    // The error handler wants exactly this shape; `expose` also for 5xx, or it would drop the body.
    request.error = Object.assign(new Error(other?.body ?? `${JSON.stringify(document)}\n`), {
      code: thrown.code,
      statusCode: row.status,
      expose: true,
      headers: {
        'Content-Type': contentTypes.problem,
        'Cache-Control': cacheControl(row.cache ?? 'none', settings.cacheTtlSeconds),
        ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
        ...thrown.facts.headers,
        ...other?.headers,
      },
    });
  },
});
