// Turns a view into the representation that HTTP sends, and the representation into a response with a validator and
// freshness.
import { transcode } from 'node:buffer';
import { hash } from 'node:crypto';
import { type CacheClass, cacheControl, postClassOfAge } from '../contract/caching.ts';
import {
  contentTypes,
  type Format,
  isFeedFormat,
  mediaTypes,
  negotiations,
  OEMBED_TYPE,
} from '../contract/media-types.ts';
import { percentEncode, urlOfFormat } from '../contract/query-string.ts';
import type { UseCase } from '../contract/use-cases.ts';
import { isTransient } from '../contract/warnings.ts';
import type { KeptFile } from '../keep/keep-post.ts';
import type { ListKey } from '../model/lists.ts';
import type { Instant } from '../model/time.ts';
import type { HttpSettings } from '../ports/http.ts';
import { type FileName, listFileName } from '../render/content/post-title.ts';
import { type SerializedView, type SerializerOptions, serialize } from '../render/presenters/serialize.ts';
import type { View, ViewContext } from '../render/presenters/view.ts';
import { conditionalResponse } from './conditional-request.ts';
import { offersOf } from './content-negotiation.ts';
import type { HttpEvent, HttpResult, ReadFacts } from './event.ts';
import { FEED_HEADERS, pageHeaders } from './page-headers.ts';

/** One answer (RFC 9110 section 3.2). */
export interface Representation extends Pick<SerializedView, 'format' | 'body' | 'identityStart' | 'identity'> {
  /** The body is bytes in base64. @default false */
  readonly isBase64Encoded?: boolean;
  readonly cache: CacheClass;
  readonly headers: Readonly<Record<string, string>>;
}

/** Caches keep an answer only briefly if a later one may be more complete. */
const cacheClassFor = (
  useCase: Pick<UseCase, 'cache' | 'feedCache'>,
  view: View,
  { truncation, format }: Pick<SerializedView, 'truncation' | 'format'>,
  now: Instant,
): CacheClass => {
  const isIncomplete = truncation !== undefined || view.warnings.some(isTransient);
  if (isIncomplete || (view.kind === 'resource' && view.isDegraded)) return 'degraded';
  if (isFeedFormat(format)) return useCase.feedCache ?? 'feed';
  const { newestPostAt } = view;
  return useCase.cache === 'post' && newestPostAt !== undefined ? postClassOfAge(now - newestPostAt) : useCase.cache;
};

const linkValue = (url: string, rel: 'alternate' | 'next'): string => `<${url}>; rel="${rel}"`;

const alternate = (url: string, type: string): string => `${linkValue(url, 'alternate')}; type="${type}"`;

/**
 * The other formats and the embed of a post (oEmbed 1.0 section 4), because Markdown and JSON have no link elements. The HTML
 * page has no `format`: its URL selects it by Accept.
 */
const alternatesOf = (url: string, oembedUrl: string, format: Format): readonly string[] => {
  const values: string[] = [];
  for (const offer of offersOf(negotiations.permalink))
    if (offer !== format) values.push(alternate(offer === 'html' ? url : urlOfFormat(url, offer), mediaTypes[offer]));
  values.push(alternate(oembedUrl, OEMBED_TYPE));
  return values;
};

/** RFC 8288: all relations in one field line. The URLs are percent-encoded, so they contain no delimiter. */
const linkField = (
  view: View,
  serialized: SerializedView,
  { urls, format, isPermalink = false }: RepresentationOptions,
): Readonly<Record<string, string>> => {
  if (view.kind !== 'resource') return {};
  const { oembedUrl } = view;
  const { nextCursor } = 'nextCursor' in serialized ? serialized : view;
  const values = isPermalink && oembedUrl !== undefined ? alternatesOf(urls.pageUrl(), oembedUrl, format) : [];
  // A list that continues names its next page.
  const all = nextCursor === undefined ? values : [linkValue(urls.pageUrl(nextCursor), 'next'), ...values];
  return all.length === 0 ? {} : { Link: all.join(', ') };
};

/** A table has no place for warnings. */
const warningField = ({ warnings }: View): Readonly<Record<string, string>> =>
  warnings.length === 0 ? {} : { 'X-Warnings': warnings.map(({ code }) => code).join(', ') };

/** Several posts that a request names are no list with a key. @returns undefined unless programs and not people read the format */
const dataFileName = (format: Format, list: ListKey = ['posts']): FileName | undefined =>
  format === 'csv' || format === 'graphml' || format === 'ndjson' ? listFileName(list, `.${format}`) : undefined;

export interface RepresentationOptions extends SerializerOptions, Pick<HttpSettings, 'proxyPath'> {
  readonly now: Instant;
  readonly urls: ViewContext;
  /** The key of the list. Unset: the answer is no list with pages. */
  readonly list?: ListKey | undefined;
  /** The answer of a permalink names the other formats and the embed of a post. */
  readonly isPermalink?: boolean;
}

export const createRepresentation = (
  useCase: Pick<UseCase, 'cache' | 'feedCache'>,
  view: View,
  options: RepresentationOptions,
): Representation => {
  const serialized = serialize(view, options);
  const { format, body, identityStart, identity } = serialized;
  const { fileName = dataFileName(format, options.list) } = serialized;
  return {
    format,
    body,
    ...(identityStart !== undefined && { identityStart }),
    ...(identity !== undefined && { identity }),
    cache: cacheClassFor(useCase, view, serialized, options.now),
    headers: {
      ...(format === 'html' && pageHeaders(options)),
      ...((isFeedFormat(format) || format === 'opml') && FEED_HEADERS),
      ...((format === 'csv' || format === 'graphml') && warningField(view)),
      ...linkField(view, serialized, options),
      ...(fileName && { 'Content-Disposition': contentDisposition(fileName) }),
    },
  };
};

/** A file that readers keep. @param view of the whole result */
export const keptRepresentation = (
  format: Format,
  { body, isBase64Encoded, fileName, isIncomplete }: KeptFile,
  view: View,
  {
    useCase,
    now,
    proxyPath,
  }: { readonly useCase: Pick<UseCase, 'cache'>; readonly now: Instant } & Pick<HttpSettings, 'proxyPath'>,
): Representation => ({
  format,
  body,
  isBase64Encoded,
  cache: isIncomplete ? 'degraded' : cacheClassFor(useCase, view, { format }, now),
  headers: {
    ...(format === 'html' && pageHeaders({ proxyPath })),
    'Content-Disposition': contentDisposition(fileName, 'attachment'),
  },
});

/** RFC 8187 section 3.2.1. */
const extendedValue = (text: string): string => `UTF-8''${percentEncode(text)}`;

/**
 * RFC 6266: browsers show the body and use the name when a person saves it; `curl -OJ` reads only the ASCII name.
 *
 * @param file `ascii` has no quotation marks, backslashes and percent signs
 */
export const contentDisposition = ({ name, ascii }: FileName, type: 'inline' | 'attachment' = 'inline'): string =>
  `${type}; filename="${ascii}"${name === ascii ? '' : `; filename*=${extendedValue(name)}`}`;

/** Below this length the call of `transcode` takes longer than it saves. */
const MIN_CODE_UNITS = 1000;
/** The memory that stays reserved. A longer text gets memory of its own. */
const SCRATCH_BYTES = 1_000_000;

let scratch: Buffer | undefined;

/** The next text overwrites the reserved memory. */
const utf16Of = (text: string): Buffer => {
  const size = 2 * text.length;
  if (size > SCRATCH_BYTES) return Buffer.from(text, 'utf16le');
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return scratch.subarray(0, scratch.write(text, 'utf16le'));
};

/**
 * Does the same as `Buffer.from(text)` in a quarter of the time if the text has a character above U+00FF: V8 encodes such a
 * text one character at a time, and `transcode` uses vector instructions.
 */
export const utf8Of = (text: string): Buffer => {
  if (text.length < MIN_CODE_UNITS) return Buffer.from(text);
  try {
    return transcode(utf16Of(text), 'utf16le', 'utf8');
  } catch {
    return Buffer.from(text); // a lone surrogate, which becomes U+FFFD
  }
};

const HASH_CHARACTERS = 21; // 126 bits

/**
 * RFC 9110 section 8.8.3: weak, because an intermediary may compress. The tag starts with the format, so that two formats
 * never share a tag.
 */
const etagOf = (format: Format, identity: Buffer): string =>
  `W/"${format.charAt(0)}${hash('sha256', identity, 'base64url').slice(0, HASH_CHARACTERS)}"`;

/**
 * Turns a representation into an HTTP response with a validator and freshness.
 *
 * @param facts gets the size of the body, which is known once it is encoded for the hash
 */
export const respond = (
  event: HttpEvent,
  { body, isBase64Encoded = false, identity, identityStart = 0, format, headers, cache }: Representation,
  { cacheTtlSeconds, facts }: { readonly cacheTtlSeconds: number; readonly facts: ReadFacts },
): HttpResult => {
  const bytes = isBase64Encoded ? Buffer.from(body, 'base64') : utf8Of(body);
  facts.body = { text: body, bytes: bytes.length };
  return conditionalResponse(event, {
    etag: etagOf(format, identity === undefined ? bytes.subarray(identityStart) : utf8Of(identity)),
    contentType: contentTypes[format],
    body,
    isBase64Encoded,
    bytes: bytes.length,
    headers: { ...headers, 'Cache-Control': cacheControl(cache, cacheTtlSeconds) },
  });
};
