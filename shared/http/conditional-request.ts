// Answers conditional requests (RFC 9110 section 13). The caller of this module provides the validator.

import { mediaTypes } from '../contract/media-types.ts';
import { BYTES_PER_TOKEN, byteLength } from '../render/content/format.ts';
import { type HttpEvent, type HttpResult, requestHeader } from './event.ts';

const OPAQUE_TAG = /(?:W\/)?("[^"]*")/g;

/** RFC 9110 section 13.1.2: `*` or a list of entity tags, compared weakly. A malformed field matches nothing. */
export const matchesIfNoneMatch = (field: string | undefined, etag: string): boolean => {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = etag.slice(2);
  return [...field.matchAll(OPAQUE_TAG)].some(([, tag]) => tag === opaque);
};

export interface ValidatedResponse {
  readonly etag: string;
  readonly contentType: string;
  readonly body: string;
  /** The size of the body in UTF-8. @default it is measured */
  readonly bytes?: number;
  /** The body is bytes in base64. @default false */
  readonly isBase64Encoded?: boolean;
  /** Sent with 200 and 304 alike, such as Cache-Control (RFC 9110 section 15.4.5). */
  readonly headers: Readonly<Record<string, string>>;
}

/** Markdown says how much of a model's context it takes, in tokens of 4 bytes (requirements: headers). */
const sizeField = ({ contentType, body, bytes }: ValidatedResponse): Readonly<Record<string, string>> =>
  contentType.startsWith(mediaTypes.markdown)
    ? { 'X-Markdown-Tokens': String(Math.ceil((bytes ?? byteLength(body)) / BYTES_PER_TOKEN)) }
    : {};

/** @returns 304 without content if the client has the same representation */
export const conditionalResponse = (event: HttpEvent, response: ValidatedResponse): HttpResult => {
  const { etag, contentType, body, isBase64Encoded = false, headers: representationHeaders } = response;
  const headers = { ...representationHeaders, ETag: etag };
  if (matchesIfNoneMatch(requestHeader(event, 'if-none-match'), etag)) return { statusCode: 304, headers };
  return {
    statusCode: 200,
    headers: { 'Content-Type': contentType, ...sizeField(response), ...headers },
    body,
    ...(isBase64Encoded && { isBase64Encoded }),
  };
};
