// Turns an error into the status, header fields and body that @middy/http-error-handler writes.
import type { MiddlewareObj } from '@middy/core';
import { cacheControl } from '../../contract/caching.ts';
import { documentRows } from '../../contract/documents.ts';
import { contentTypes, MACHINE_PATHS, negotiations } from '../../contract/media-types.ts';
import { problemDocument } from '../../contract/problem-document.ts';
import { type Problem, problemRow, resolutionOf, toProblem } from '../../contract/problems.ts';
import type { HttpPorts, HttpSettings } from '../../ports/http.ts';
import { type DirectoryEntry, presentError, unknownRouteMarkdown } from '../../render/presenters/present-error.ts';
import { negotiateFormat } from '../content-negotiation.ts';
import { errorPageFacts, UNKNOWN_ROUTE } from '../error-page.ts';
import { type HttpEvent, type HttpResult, headerOf, problemInstance } from '../event.ts';
import { PAGE_HEADERS } from '../page-headers.ts';
import { logProblem } from '../request-log.ts';
import type { HandlerContext } from '../request-state.ts';
import { withSampleBar } from '../sample-bar.ts';

const documentLinks = (baseUrl: string): readonly DirectoryEntry[] =>
  documentRows.flatMap(([, { path, title, rel }]) =>
    rel === undefined ? [] : [{ href: `${baseUrl}${path}`, rel, title }],
  );

/** The part of a response that replaces the problem document. */
type Page = Pick<HttpResult, 'body' | 'headers'>;

const htmlPage = (body: string, { isSample }: HttpSettings): Page => ({
  body: isSample ? withSampleBar(body) : body,
  headers: { 'Content-Type': contentTypes.html, ...PAGE_HEADERS },
});

/** @returns undefined: the client gets the problem document, as on all paths for programs */
const unknownRoutePage = (
  event: HttpEvent,
  thrown: Problem,
  links: readonly DirectoryEntry[],
  baseUrl: string,
  settings: HttpSettings,
): Page | undefined => {
  if (MACHINE_PATHS.test(event.rawPath)) return undefined;
  const chosen = negotiateFormat(headerOf(event, 'accept'), negotiations.unknown);
  const { detail, onX } = thrown.options;
  if (chosen === 'html') return htmlPage(presentError({ ...UNKNOWN_ROUTE, ...(onX && { onX }) }), settings);
  if (chosen !== 'markdown') return undefined;
  const { title } = problemRow('route_not_found');
  const body = unknownRouteMarkdown({ title, detail, resolution: resolutionOf(thrown, baseUrl), links });
  return { body, headers: { 'Content-Type': contentTypes.markdown, ...PAGE_HEADERS } };
};

export const problemResponses = ({
  settings,
  log,
  clock,
  wall = { now: clock },
}: HttpPorts): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => ({
  onError: (request) => {
    const { event, context } = request;
    const thrown = toProblem(request.error);
    const row = problemRow(thrown.code);
    const { baseUrl, route } = context.state;
    const links = thrown.code === 'route_not_found' ? documentLinks(baseUrl) : undefined;
    const document = problemDocument(thrown, { baseUrl, instance: problemInstance(event), ...(links && { links }) });
    const facts = errorPageFacts(event, thrown, route, wall.now());
    const page = links
      ? unknownRoutePage(event, thrown, links, baseUrl, settings)
      : facts && htmlPage(presentError({ ...facts, isSample: settings.isSample }), settings);
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
        ...thrown.options.headers,
        ...page?.headers,
      },
    });
  },
});
