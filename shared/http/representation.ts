// Turns a view into the representation that HTTP sends: a body, a cache class and header fields.
import { type CacheClass, postClassOfAge } from '../contract/caching.ts';
import { type Format, isFeedFormat, mediaTypes, negotiations, OEMBED_TYPE } from '../contract/media-types.ts';
import { percentEncode, urlOfFormat } from '../contract/query-string.ts';
import { isTransient } from '../contract/warnings.ts';
import type { FileName } from '../render/content/file-name.ts';
import type { View, ViewUrls } from '../render/presenters/view.ts';
import { serialize } from '../render/serializers/serialize.ts';
import type { SerializedView, SerializerOptions } from '../render/serializers/serialized-view.ts';
import { FEED_HEADERS, PAGE_HEADERS } from './page-headers.ts';

/** One answer (RFC 9110 section 3.2). */
export interface Representation extends Pick<SerializedView, 'format' | 'body' | 'identityStart' | 'identity'> {
  readonly cache: CacheClass;
  readonly headers: Readonly<Record<string, string>>;
}

/** Caches keep an answer only briefly if a later one may be more complete. */
export const cacheClassFor = (
  useCase: { readonly cache: CacheClass },
  view: View,
  { truncation, format }: Pick<SerializedView, 'truncation' | 'format'>,
  now: number,
): CacheClass => {
  const isIncomplete = truncation !== undefined || view.warnings.some(isTransient);
  if (isIncomplete || (view.kind === 'resource' && view.isDegraded)) return 'degraded';
  if (isFeedFormat(format)) return 'feed';
  const { newestPostAt } = view;
  return useCase.cache === 'post' && newestPostAt !== undefined ? postClassOfAge(now - newestPostAt) : useCase.cache;
};

interface LinkTarget {
  readonly url: string;
  readonly rel: 'alternate' | 'next';
  readonly type?: string;
}

/**
 * The other formats and the embed of a post (oEmbed 1.0 section 4), because Markdown and JSON have no link elements. The HTML
 * page has no `format`: its URL selects it by Accept.
 */
const alternatesOf = (url: string, oembedUrl: string, format: Format): readonly LinkTarget[] => [
  ...negotiations.permalink.offers
    .filter((offer) => offer !== format)
    .map(
      (offer): LinkTarget => ({
        url: offer === 'html' ? url : urlOfFormat(url, offer),
        rel: 'alternate',
        type: mediaTypes[offer],
      }),
    ),
  { url: oembedUrl, rel: 'alternate', type: OEMBED_TYPE },
];

const linksOf = (
  view: View,
  serialized: SerializedView,
  { urls, format, isPermalink = false }: RepresentationOptions,
): readonly LinkTarget[] => {
  if (view.kind !== 'resource') return [];
  const { oembedUrl } = view;
  const { nextCursor } = 'nextCursor' in serialized ? serialized : view;
  return [
    // A list that continues names its next page.
    ...(nextCursor === undefined ? [] : [{ url: urls.pageUrl(nextCursor), rel: 'next' } as const]),
    ...(isPermalink && oembedUrl !== undefined ? alternatesOf(urls.pageUrl(), oembedUrl, format) : []),
  ];
};

/** RFC 8288: all relations in one field line. The URLs are percent-encoded, so they contain no delimiter. */
const linkField = (links: readonly LinkTarget[]): Readonly<Record<string, string>> => {
  if (links.length === 0) return {};
  const values = links.map(
    ({ url, rel, type }) => `<${url}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`,
  );
  return { Link: values.join(', ') };
};

export interface RepresentationOptions extends SerializerOptions {
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly urls: ViewUrls;
  /** The answer of a permalink names the other formats and the embed of a post. */
  readonly isPermalink?: boolean;
}

export const createRepresentation = (
  useCase: { readonly cache: CacheClass },
  view: View,
  options: RepresentationOptions,
): Representation => {
  const serialized = serialize(view, options);
  const { format, body, identityStart, identity, fileName } = serialized;
  return {
    format,
    body,
    ...(identityStart !== undefined && { identityStart }),
    ...(identity !== undefined && { identity }),
    cache: cacheClassFor(useCase, view, serialized, options.now),
    headers: {
      ...(format === 'html' && PAGE_HEADERS),
      ...(isFeedFormat(format) && FEED_HEADERS),
      ...linkField(linksOf(view, serialized, options)),
      ...(fileName && { 'Content-Disposition': contentDisposition(fileName) }),
    },
  };
};

/** RFC 8187 section 3.2.1. */
const extendedValue = (text: string): string => `UTF-8''${percentEncode(text)}`;

/**
 * RFC 6266: browsers show the body and use the name when a person saves it; `curl -OJ` reads only the ASCII name.
 *
 * @param file `ascii` has no quotation marks, backslashes and percent signs
 */
export const contentDisposition = ({ name, ascii }: FileName): string =>
  `inline; filename="${ascii}"${name === ascii ? '' : `; filename*=${extendedValue(name)}`}`;
