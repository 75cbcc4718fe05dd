// Compresses the bodies that CloudFront does not compress by itself: those whose type is not on its list, and all where
// it caches nothing.
import type { MiddlewareObj, Request } from '@middy/core';
import { mediaTypes } from '../../contract/media-types.ts';
import { type Coding, codingFor } from '../content-coding.ts';
import { type HttpEvent, type HttpResult, headerOf, methodOf, type Route } from '../event.ts';
import type { HandlerContext } from '../request-state.ts';

/**
 * Those of our types that CloudFront compresses by itself (Developer Guide, "File types that CloudFront compresses"). Not
 * on its list: Markdown, and everything that ends in `+json`.
 */
const COMPRESSED_BY_EDGE: ReadonlySet<string> = new Set([
  mediaTypes.html,
  mediaTypes.json,
  'application/xml',
  'image/svg+xml',
  'text/css',
  'text/javascript',
  'text/plain',
]);

/** CloudFront's own bound: below it a coding saves nothing that a packet does not have to spare. */
const MIN_BYTES = 1000;

/**
 * The quality at which Brotli is as fast as gzip at its default, and its result as small or smaller: 0.3 ms for 19 kB of
 * Markdown, 45 ms for the largest answer. At its own default it takes 18 ms for those 19 kB.
 */
const BROTLI_QUALITY = 4;

const encode = (text: string, coding: Coding): Buffer => {
  // Loaded when there is something to compress: most functions of constant answers start without it.
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib');
  const bytes = Buffer.from(text);
  if (coding === 'gzip') return gzipSync(bytes);
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
};

const essenceOf = (type: unknown): string => String(type).split(';', 1)[0]?.trim() ?? '';

/** What is private is never compressed: the length would tell of secrets that stand beside what a caller chose (BREACH). */
const isCompressible = (route: Route | undefined, type: unknown): boolean =>
  !route?.isPrivate && (route?.isUncached === true || !COMPRESSED_BY_EDGE.has(essenceOf(type)));

/** Between the answer and the headers of every answer: these say Vary, and leave the body out of HEAD. */
export const compression = (): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => {
  const compress = ({ event, context, response }: Request<HttpEvent, HttpResult, Error, HandlerContext>): void => {
    const body = response?.body;
    if (response === null || response === undefined || body === undefined || body === '') return;
    const { coding, isRequired } = codingFor(headerOf(event, 'accept-encoding'));
    if (coding === undefined || !isCompressible(context.state.route, response.headers['Content-Type'])) return;
    if (!isRequired && Buffer.byteLength(body) <= MIN_BYTES) return;
    response.headers = { ...response.headers, 'Content-Encoding': coding };
    if (methodOf(event) === 'HEAD') return;
    response.body = encode(body, coding).toString('base64');
    response.isBase64Encoded = true;
  };
  return { after: compress, onError: compress };
};
