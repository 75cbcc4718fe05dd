// A representation -> the HTTP answer: validator and freshness.
import { hash } from 'node:crypto';
import { cacheControl } from '../contract/caching.ts';
import { contentTypes, type Format } from '../contract/media-types.ts';
import { conditionalResponse } from './conditional-request.ts';
import type { HttpEvent, HttpResult } from './event.ts';
import type { Representation } from './representation.ts';

const HASH_CHARACTERS = 21; // 126 bits

/**
 * RFC 9110 section 8.8.3: weak, since an intermediary may compress. The format leads, so that no two share a tag.
 *
 * UTF-16 is how the text lies in memory: hashing it spares the conversion, which would cost more than the hash.
 */
const etagOf = (format: Format, identity: string): string =>
  `W/"${format.charAt(0)}${hash('sha256', Buffer.from(identity, 'utf16le'), 'base64url').slice(0, HASH_CHARACTERS)}"`;

export const respond = (event: HttpEvent, representation: Representation, cacheTtlSeconds: number): HttpResult =>
  conditionalResponse(event, {
    etag: etagOf(representation.format, representation.identity),
    contentType: contentTypes[representation.format],
    body: representation.body,
    headers: { ...representation.headers, 'Cache-Control': cacheControl(representation.cache, cacheTtlSeconds) },
  });
