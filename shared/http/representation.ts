// Turns a view into the representation that HTTP sends: a body, a cache class and header fields.
import type { CacheClass } from '../contract/caching.ts';
import { isTransient } from '../contract/warnings.ts';
import type { View, ViewUrls } from '../render/presenters/view.ts';
import { serialize } from '../render/serializers/serialize.ts';
import type { SerializedView, SerializerOptions } from '../render/serializers/serialized-view.ts';
import { PAGE_HEADERS } from './page-headers.ts';

/** One answer (RFC 9110 section 3.2). */
export interface Representation extends Pick<SerializedView, 'format' | 'body' | 'identity'> {
  readonly cache: CacheClass;
  readonly headers: Readonly<Record<string, string>>;
}

/** Caches keep an answer only briefly if a later one may be more complete. */
export const cacheClassFor = (
  useCase: { readonly cache: CacheClass },
  view: View,
  { truncation }: Pick<SerializedView, 'truncation'>,
): CacheClass => {
  const isIncomplete = truncation !== undefined || view.warnings.some(isTransient);
  return isIncomplete || (view.kind === 'resource' && view.isDegraded) ? 'degraded' : useCase.cache;
};

/** A list that continues names its next page (RFC 8288). */
const nextLink = (view: View, { pageUrl }: ViewUrls): Readonly<Record<string, string>> =>
  view.kind === 'resource' && view.nextCursor !== undefined
    ? { Link: `<${pageUrl(view.nextCursor)}>; rel="next"` }
    : {};

export interface RepresentationOptions extends SerializerOptions {
  readonly urls: ViewUrls;
}

export const createRepresentation = (
  useCase: { readonly cache: CacheClass },
  view: View,
  { urls, ...options }: RepresentationOptions,
): Representation => {
  const serialized = serialize(view, options);
  const { format, body, identity } = serialized;
  return {
    format,
    body,
    identity,
    cache: cacheClassFor(useCase, view, serialized),
    headers: { ...(format === 'html' && PAGE_HEADERS), ...nextLink(view, urls) },
  };
};
