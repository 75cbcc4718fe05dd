// Turns an error into the status, header fields and body that @middy/http-error-handler writes.
import type { MiddlewareObj } from '@middy/core';
import { cacheControl } from '../../contract/caching.ts';
import { documentRows } from '../../contract/documents.ts';
import { contentTypes, MACHINE_PATHS, negotiations } from '../../contract/media-types.ts';
import { fillBaseUrl } from '../../contract/placeholders.ts';
import { problemDocument } from '../../contract/problem-document.ts';
import { problemRow, toProblem } from '../../contract/problems.ts';
import type { HttpPorts } from '../../ports/http.ts';
import { type DirectoryEntry, type NotFoundPage, presentNotFound } from '../../render/presenters/not-found.ts';
import { negotiateFormat } from '../content-negotiation.ts';
import { type HttpEvent, type HttpResult, headerOf, problemInstance } from '../event.ts';
import { logProblem } from '../log-problem.ts';
import { PAGE_HEADERS } from '../page-headers.ts';
import type { HandlerContext } from '../request-state.ts';

const documentLinks = (baseUrl: string): readonly DirectoryEntry[] =>
  documentRows.flatMap(([, { path, title, rel }]) =>
    rel === undefined ? [] : [{ href: `${baseUrl}${path}`, rel, title }],
  );

/** @returns undefined: the client gets the problem document, as on paths for programs and for all other problems */
const notFoundPageFor = (
  event: HttpEvent,
  notFound: NotFoundPage,
): Pick<HttpResult, 'body' | 'headers'> | undefined => {
  if (MACHINE_PATHS.test(event.rawPath)) return undefined;
  const chosen = negotiateFormat(headerOf(event, 'accept'), negotiations.unknown);
  if (chosen === undefined || chosen === 'json') return undefined;
  return {
    body: presentNotFound(notFound)[chosen],
    headers: { 'Content-Type': contentTypes[chosen], ...PAGE_HEADERS },
  };
};

export const problemResponses = ({
  settings,
  log,
}: HttpPorts): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => ({
  onError: (request) => {
    const { event, context } = request;
    const thrown = toProblem(request.error);
    const row = problemRow(thrown.code);
    const { baseUrl } = context.state;
    const links = thrown.code === 'route_not_found' ? documentLinks(baseUrl) : undefined;
    const document = problemDocument(thrown, { baseUrl, instance: problemInstance(event), ...(links && { links }) });
    const notFoundPage =
      links && notFoundPageFor(event, { title: row.title, resolution: fillBaseUrl(row.resolution, baseUrl), links });
    const retryAfter = document['retry_after'];
    logProblem(log, thrown, { request_id: event.requestContext.requestId });
    // The error handler requires this shape. Without `expose` it would drop the body of a 5xx.
    request.error = Object.assign(new Error(notFoundPage?.body ?? `${JSON.stringify(document)}\n`), {
      code: thrown.code,
      statusCode: row.status,
      expose: true,
      headers: {
        'Content-Type': contentTypes.problem,
        'Cache-Control': cacheControl(row.cache ?? 'none', settings.cacheTtlSeconds),
        ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
        ...thrown.options.headers,
        ...notFoundPage?.headers,
      },
    });
  },
});
