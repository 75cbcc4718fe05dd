// Turns an error into the status, header fields and body that @middy/http-error-handler writes.
import type { MiddlewareObj } from '@middy/core';
import { cacheControl } from '../../contract/caching.ts';
import { documentRows } from '../../contract/documents.ts';
import { contentTypes } from '../../contract/media-types.ts';
import { fillBaseUrl } from '../../contract/placeholders.ts';
import { type Problem, problemDocument, problemRow, toProblem } from '../../contract/problems.ts';
import type { HttpPorts } from '../../ports/http.ts';
import type { DirectoryEntry } from '../../render/presenters/present-error.ts';
import { type HandlerContext, type HttpEvent, type HttpResult, problemInstance, type Route } from '../event.ts';
import { logProblem } from '../request-log.ts';

const documentLinks = (baseUrl: string): readonly DirectoryEntry[] =>
  documentRows.flatMap(([, { path, title, rel }]) =>
    rel === undefined ? [] : [{ href: `${baseUrl}${path}`, rel, title }],
  );

/** The part of a response that replaces the problem document. */
export type ErrorPage = Pick<HttpResult, 'body' | 'headers'>;

/**
 * @param links of an unknown route
 * @param baseUrl empty: no service answers
 * @returns undefined: the client gets the problem document
 */
export type FindErrorPage = (
  event: HttpEvent,
  thrown: Problem,
  route: Route | undefined,
  links: readonly DirectoryEntry[] | undefined,
  baseUrl: string,
) => ErrorPage | undefined;

/** @param findPage unset: no person opens the routes */
export const problemResponses = (
  { settings, log }: HttpPorts,
  findPage?: FindErrorPage,
): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => ({
  onError: (request) => {
    const { event, context } = request;
    const thrown = toProblem(request.error);
    const row = problemRow(thrown.code);
    const { route } = context.state;
    // If no service answers, a problem names its documents by their paths.
    const baseUrl = settings.isAlone ? '' : context.state.baseUrl;
    const links = thrown.code === 'route_not_found' ? documentLinks(baseUrl) : undefined;
    const document = problemDocument(thrown, { baseUrl, instance: problemInstance(event), ...(links && { links }) });
    const page = findPage?.(event, thrown, route, links, baseUrl);
    const retryAfter = document['retry_after'];
    logProblem(log, thrown, { request_id: event.requestContext.requestId });
    // The error handler requires this shape. Without `expose` it would drop the body of a 5xx.
    request.error = Object.assign(new Error(page?.body ?? `${JSON.stringify(document)}\n`), {
      code: thrown.code,
      statusCode: row.status,
      expose: true,
      headers: {
        'Content-Type': contentTypes.problem,
        'Cache-Control': cacheControl(row.cache ?? 'none', settings.cacheTtlSeconds),
        ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
        ...(row.link !== undefined && { Link: fillBaseUrl(row.link, baseUrl) }),
        ...thrown.options.headers,
        ...page?.headers,
      },
    });
  },
});
