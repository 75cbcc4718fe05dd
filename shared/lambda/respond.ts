// A representation -> the HTTP answer: validator, freshness, conditional requests.
import { hash } from 'node:crypto';
import { type CacheClass, cacheControl } from '../contract/caching.ts';
import { contentTypes, type Format } from '../contract/media-types.ts';
import { type HttpEvent, type HttpResult, headerOf } from './event.ts';

const ETAG_CHARACTERS = 22; // 132 bits of the hash

/** RFC 9110 section 8.8.3: weak, since an intermediary may compress. */
export const etagOf = (representation: string): string =>
  `W/"${hash('sha256', representation, 'base64url').slice(0, ETAG_CHARACTERS)}"`;

const OPAQUE_TAG = /(?:W\/)?("[^"]*")/g;

/** RFC 9110 section 13.1.2: `*` or a list, compared weakly. What is neither matches nothing. */
export const ifNoneMatch = (field: string | undefined, etag: string): boolean => {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = etag.slice(2);
  return [...field.matchAll(OPAQUE_TAG)].some(([, tag]) => tag === opaque);
};

export interface Representation {
  readonly format: Format;
  readonly body: string;
  /** What the validator covers: the body without the time of reading (decisions 4). */
  readonly identity: string;
  readonly cache: CacheClass;
  readonly headers?: Readonly<Record<string, string>>;
}

export const respond = (event: HttpEvent, representation: Representation, cacheTtlSeconds: number): HttpResult => {
  const etag = etagOf(`${representation.format}\n${representation.identity}`);
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
