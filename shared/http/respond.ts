// Turns a representation into an HTTP response with a validator and freshness.
import { hash } from 'node:crypto';
import { cacheControl } from '../contract/caching.ts';
import { contentTypes, type Format } from '../contract/media-types.ts';
import { conditionalResponse } from './conditional-request.ts';
import type { HttpEvent, HttpResult } from './event.ts';
import type { ReadFacts } from './read-facts.ts';
import type { Representation } from './representation.ts';
import { utf8Of } from './utf8.ts';

const HASH_CHARACTERS = 21; // 126 bits

/**
 * RFC 9110 section 8.8.3: weak, because an intermediary may compress. The tag starts with the format, so that two formats
 * never share a tag.
 */
const etagOf = (format: Format, identity: Buffer): string =>
  `W/"${format.charAt(0)}${hash('sha256', identity, 'base64url').slice(0, HASH_CHARACTERS)}"`;

/** @param facts gets the size of the body, which is known once it is encoded for the hash */
export const respond = (
  event: HttpEvent,
  { body, identity, identityStart = 0, format, headers, cache }: Representation,
  { cacheTtlSeconds, facts }: { readonly cacheTtlSeconds: number; readonly facts: ReadFacts },
): HttpResult => {
  const bytes = utf8Of(body);
  facts.body = { text: body, bytes: bytes.length };
  return conditionalResponse(event, {
    etag: etagOf(format, identity === undefined ? bytes.subarray(identityStart) : utf8Of(identity)),
    contentType: contentTypes[format],
    body,
    headers: { ...headers, 'Cache-Control': cacheControl(cache, cacheTtlSeconds) },
  });
};
