// Turns whatever was thrown into the status, headers and body that @middy/http-error-handler writes.
import type { MiddlewareObj } from '@middy/core';
import { cacheControl } from '../../contract/caching.ts';
import { contentTypes } from '../../contract/media-types.ts';
import { documentRows } from '../../contract/operations.ts';
import { Problem, problem, problemDocument, problemRow } from '../../contract/problems.ts';
import type { DoorPorts } from '../../ports.ts';
import type { CallContext } from '../call.ts';
import type { Door } from '../chain.ts';
import { type HttpEvent, type HttpResult, instanceOf } from '../event.ts';

const directory = (baseUrl: string): readonly object[] =>
  documentRows.map(([, { path, title, kind }]) => ({
    href: `${baseUrl}${path}`,
    rel: kind === 'page' ? 'help' : 'service-meta',
    title,
  }));

const causeText = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

export const problemErrors = (
  { settings, log }: DoorPorts,
  door: Pick<Door, 'notFound'>,
): MiddlewareObj<HttpEvent, HttpResult, Error, CallContext> => ({
  onError: (request) => {
    const { event, context } = request;
    const thrown =
      request.error instanceof Problem ? request.error : problem('internal_error', { cause: request.error });
    const row = problemRow(thrown.code);
    const { baseUrl } = context.call;
    const unknownRoute = thrown.code === 'route_not_found';
    const document = problemDocument(thrown, {
      baseUrl,
      instance: instanceOf(event),
      ...(unknownRoute && { links: directory(baseUrl) }),
    });
    const other = unknownRoute ? door.notFound?.(event, document) : undefined;
    const retryAfter = document['retry_after'];
    if (thrown.cause !== undefined) {
      log({
        level: row.status >= 500 ? 'error' : 'info',
        event: 'problem',
        request_id: event.requestContext.requestId,
        code: thrown.code,
        cause: causeText(thrown.cause),
      });
    }
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
