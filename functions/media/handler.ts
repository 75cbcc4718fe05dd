// Binds the functions of pictures and videos: `parts` answers at once, `handler` streams a large file that is asked for whole.
import { Writable } from 'node:stream';
import { httpFromEnvironment } from '../../shared/composition/environment.ts';
import { linkCheckFromEnvironment, readPictureOrigins } from '../../shared/composition/pictures.ts';
import { userAgent } from '../../shared/composition/provider-settings.ts';
import { PUBLIC_HEADERS } from '../../shared/contract/headers.ts';
import { streamPath, withoutStreamPath } from '../../shared/contract/other-functions.ts';
import {
  createOriginCheck,
  type HttpEvent,
  type HttpResult,
  methodOf,
  requestHeader,
} from '../../shared/http/event.ts';
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

const withQuery = (path: string, { rawQueryString: query }: HttpEvent): string =>
  query === '' ? path : `${path}?${query}`;

const requestOf = (event: HttpEvent) => ({
  method: methodOf(event),
  path: withoutStreamPath(event.rawPath),
  query: event.rawQueryString,
  baseUrl: settings.baseUrl ?? '',
  isForbidden: !isFromEdge(event),
});

/** Lambda loses the length of a stream, so a part is not streamed, and no answer that may be empty. */
export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const request = requestOf(event);
  const respond = (statusCode: number, headers: object): Writable =>
    awslambda.HttpResponseStream.from(stream, { statusCode, headers });
  if (!request.isForbidden && (request.method !== 'GET' || requestHeader(event, 'range') !== undefined)) {
    const Location = withQuery(request.path, event);
    const headers = { ...PUBLIC_HEADERS, Location, 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' };
    respond(307, headers).end('The file is elsewhere.\n');
    return;
  }
  await proxy(request, respond);
});

export const parts = async (event: HttpEvent): Promise<HttpResult> => {
  const request = {
    ...requestOf(event),
    range: requestHeader(event, 'range'),
    ifNoneMatch: requestHeader(event, 'if-none-match'),
    streamAt: withQuery(streamPath(event.rawPath), event),
  };
  const chunks: Buffer[] = [];
  const body = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  let head: Pick<HttpResult, 'statusCode' | 'headers'> = { statusCode: 502, headers: {} };
  await proxy(request, (statusCode, headers) => {
    head = { statusCode, headers };
    return body;
  });
  // The host of X broke off.
  if (!body.writableEnded)
    return {
      statusCode: 502,
      headers: { ...PUBLIC_HEADERS, 'Cache-Control': 'no-store' },
      body: '',
      isBase64Encoded: false,
    };
  return { ...head, body: Buffer.concat(chunks).toString('base64'), isBase64Encoded: true };
};
