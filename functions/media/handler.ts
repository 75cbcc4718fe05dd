import type { Writable } from 'node:stream';
import { httpFromEnvironment } from '../../shared/composition/environment.ts';
import { linkCheckFromEnvironment, readPictureOrigins } from '../../shared/composition/pictures.ts';
import { userAgent } from '../../shared/composition/provider-settings.ts';
import { createOriginCheck, type HttpEvent, headerOf, methodOf } from '../../shared/http/event.ts';
import { createFileRequester } from '../../shared/upstream/pictures.ts';
import { createMediaProxy, MEDIA_LIMITS } from './create-media-proxy.ts';

/** Lambda defines it for functions that stream (Lambda Developer Guide, "Response streaming for Lambda functions"). */
declare const awslambda: {
  streamifyResponse(handler: (event: HttpEvent, stream: Writable) => Promise<void>): unknown;
  readonly HttpResponseStream: {
    from(stream: Writable, head: { readonly statusCode: number; readonly headers: object }): Writable;
  };
};

const { clock, log, settings } = httpFromEnvironment();
const isFromEdge = createOriginCheck(settings.originSecrets);
const proxy = createMediaProxy({
  origins: readPictureOrigins(process.env),
  requestFile: createFileRequester(MEDIA_LIMITS).request,
  isLinked: linkCheckFromEnvironment(process.env),
  userAgent: userAgent(undefined),
  clock,
  log,
});

export const handler = awslambda.streamifyResponse((event, stream) =>
  proxy(
    {
      method: methodOf(event),
      path: event.rawPath,
      query: event.rawQueryString,
      range: headerOf(event, 'range'),
      ifNoneMatch: headerOf(event, 'if-none-match'),
      baseUrl: settings.baseUrl ?? '',
      isForbidden: !isFromEdge(event),
    },
    (statusCode, headers) => awslambda.HttpResponseStream.from(stream, { statusCode, headers }),
  ),
);
