// Turns a representation into an HTTP response with a validator and freshness.
import { hash } from 'node:crypto';
import { cacheControl } from '../contract/caching.ts';
import { contentTypes, type Format } from '../contract/media-types.ts';
import { conditionalResponse } from './conditional-request.ts';
import type { HttpEvent, HttpResult } from './event.ts';
import type { Representation } from './representation.ts';

const HASH_CHARACTERS = 21; // 126 bits

/**
 * RFC 9110 section 8.8.3: weak, because an intermediary may compress. The tag starts with the format, so that two formats
 * never share a tag. The hash covers UTF-16, the form in memory: a conversion to UTF-8 would take longer than the hash.
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
