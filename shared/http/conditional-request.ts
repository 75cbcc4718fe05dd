// Conditional requests (RFC 9110 section 13), apart from what makes validators: documents bring theirs along.
import { type HttpEvent, type HttpResult, headerOf } from './event.ts';

const OPAQUE_TAG = /(?:W\/)?("[^"]*")/g;

/** RFC 9110 section 13.1.2: `*` or a list, compared weakly. What is neither matches nothing. */
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
  /** Of 200 and 304 alike, Cache-Control among them (RFC 9110 section 15.4.5). */
  readonly headers: Readonly<Record<string, string>>;
}

/** 304 without content where the client has it already. */
export const conditionalResponse = (
  event: HttpEvent,
  { etag, contentType, body, headers: own }: ValidatedResponse,
): HttpResult => {
  const headers = { ...own, ETag: etag };
  if (matchesIfNoneMatch(headerOf(event, 'if-none-match'), etag)) return { statusCode: 304, headers };
  return { statusCode: 200, headers: { 'Content-Type': contentType, ...headers }, body };
};
