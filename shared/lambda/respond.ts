// A representation -> the HTTP answer: validator, freshness, conditional requests.
import { hash } from 'node:crypto';
import { cacheControl } from '../contract/caching.ts';
import { contentTypes, type Format } from '../contract/media-types.ts';
import type { Represented } from '../render/represent.ts';
import { type HttpEvent, type HttpResult, headerOf } from './event.ts';

const HASH_CHARACTERS = 21; // 126 bits

/**
 * RFC 9110 section 8.8.3: weak, since an intermediary may compress. The format leads, so that no two share a tag.
 *
 * UTF-16 is how the text lies in memory: hashing it spares the conversion, which would cost more than the hash.
 */
const etagOf = (format: Format, identity: string): string =>
  `W/"${format.charAt(0)}${hash('sha256', Buffer.from(identity, 'utf16le'), 'base64url').slice(0, HASH_CHARACTERS)}"`;

const OPAQUE_TAG = /(?:W\/)?("[^"]*")/g;

/** RFC 9110 section 13.1.2: `*` or a list, compared weakly. What is neither matches nothing. */
export const ifNoneMatch = (field: string | undefined, etag: string): boolean => {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = etag.slice(2);
  return [...field.matchAll(OPAQUE_TAG)].some(([, tag]) => tag === opaque);
};

export const respond = (event: HttpEvent, representation: Represented, cacheTtlSeconds: number): HttpResult => {
  const etag = etagOf(representation.format, representation.identity);
  const headers = {
    ...representation.headers,
    ETag: etag,
    'Cache-Control': cacheControl(representation.cache, cacheTtlSeconds),
  };
  // RFC 9110 section 15.4.5: what the 200 would have said of caching, and no content.
  if (ifNoneMatch(headerOf(event, 'if-none-match'), etag)) return { statusCode: 304, headers };
  return {
    statusCode: 200,
    headers: { 'Content-Type': contentTypes[representation.format], ...headers },
    body: representation.body,
  };
};
