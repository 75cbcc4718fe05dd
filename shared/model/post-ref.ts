// Parses URLs on X. The service only takes handle and id from such a URL and never sends a request to it.
import { isReserved, parseHandle, parseId } from './handle.ts';
import { divideBelowPost } from './x-urls.ts';

export interface PostRef {
  readonly id: string;
  /** As the caller wrote it, so it can be wrong. The author and the canonical URL come from the post. */
  readonly handle?: string;
}

export type PostUrlError = 'invalid_url' | 'unsupported_host' | 'invalid_path' | 'invalid_handle' | 'invalid_id';

const MAX_URL_CHARACTERS = 2048;

const HOSTS: ReadonlySet<string> = new Set([
  ...['x.com', 'twitter.com'].flatMap((host) => [host, `www.${host}`, `mobile.${host}`, `m.${host}`]),
  ...['fxtwitter.com', 'vxtwitter.com', 'fixupx.com', 'fixvx.com', 'twittpr.com', 'nitter.net', 'xcancel.com'].flatMap(
    (host) => [host, `www.${host}`],
  ),
]);

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HTTP = /^https?:\/\//i;
const HOST_WITH_PORT = /^[^/?#:@]+:[0-9]+(?:[/?#]|$)/;
/** The id of an article is the id of its post, except below `/i/`, where X numbers articles on their own. */
const POST_PATH =
  /^\/(?:(?:i\/(?:web\/)?|([^/]+)\/)status(?:es)?\/([^/]+)(?:\/(?:photo|video)\/[0-9]{1,2})?|(?!(?:@|%40)?[iI]\/)([^/]+)\/article\/([^/]+))\/?$/;

/** @returns undefined if the text is not the URL of a web page; the scheme is optional */
export const parseWebUrl = (input: string): URL | undefined => {
  const text = input.trim();
  // The URL parser drops tabs and line breaks, so two texts would have the same URL.
  if (text.length > MAX_URL_CHARACTERS || /[\u0000-\u001f\u007f\ud800-\udfff\\\s]/u.test(text)) return undefined;
  const absolute = HTTP.test(text)
    ? text
    : SCHEME.test(text) && !HOST_WITH_PORT.test(text)
      ? undefined
      : `https://${text.replace(/^\/\//, '')}`;
  if (absolute === undefined) return undefined;
  return URL.canParse(absolute) ? new URL(absolute) : undefined;
};

/** @returns true for hosts of X, for its mirrors and for this service */
export const isKnownHost = (url: URL, serviceOrigin: string | undefined): boolean =>
  url.origin === serviceOrigin || (HOSTS.has(url.hostname.replace(/\.$/, '')) && url.port === '');

/** Old clients wrote `/#!/jack/status/20`. */
export const pathOf = (url: URL): string =>
  url.hash.startsWith('#!/') ? url.hash.slice(2).replace(/[?#].*$/, '') : url.pathname;

/**
 * Parses the URL of a post in every spelling that people paste.
 *
 * @param serviceOrigin the origin of this service, whose permalinks are also accepted
 */
export const parsePostUrl = (text: string, serviceOrigin?: string): PostRef | { readonly error: PostUrlError } => {
  const url = parseWebUrl(text);
  if (url === undefined) return { error: 'invalid_url' };
  if (!isKnownHost(url, serviceOrigin)) return { error: 'unsupported_host' };
  if (url.username !== '' || url.password !== '') return { error: 'invalid_url' };
  const match = POST_PATH.exec(pathOf(url));
  if (match === null) return { error: 'invalid_path' };
  const [, author, postId, articleAuthor, articleId] = match;
  const rawHandle = author ?? articleAuthor;
  const rawId = postId ?? articleId ?? '';
  const id = parseId(rawId);
  if (id === undefined) return { error: 'invalid_id' };
  if (rawHandle === undefined) return { id };
  const handle = parseHandle(rawHandle.startsWith('%40') ? rawHandle.slice(3) : rawHandle);
  return handle === undefined ? { error: 'invalid_handle' } : { id, handle };
};

/**
 * As parsePostUrl, and also parses the URL of the replies, quotes or reposts of a post: people copy the link of the page
 * that they see.
 */
export const parsePostLink = (text: string, serviceOrigin?: string): ReturnType<typeof parsePostUrl> => {
  const ref = parsePostUrl(text, serviceOrigin);
  const url = 'error' in ref && ref.error === 'invalid_path' ? parseWebUrl(text) : undefined;
  const below = url && divideBelowPost(pathOf(url));
  if (url === undefined || below?.page === undefined) return ref;
  const above = parsePostUrl(url.origin + below.postPath, serviceOrigin);
  return 'error' in above ? ref : above;
};

const FIRST_SEGMENT = /^\/(?:@|%40)?([A-Za-z0-9_]{1,15})(?:\/|$)/;

/**
 * Parses the URL of a profile, or of a page below a profile.
 *
 * @param serviceOrigin the origin of this service, whose permalinks are also accepted
 * @returns the handle; undefined if the URL names no profile
 */
export const parseProfileUrl = (text: string, serviceOrigin?: string): string | undefined => {
  const url = parseWebUrl(text);
  if (url === undefined || !isKnownHost(url, serviceOrigin) || url.username !== '' || url.password !== '')
    return undefined;
  const [, handle] = FIRST_SEGMENT.exec(url.pathname) ?? [];
  return handle === undefined || handle === 'i' || isReserved(handle) ? undefined : handle;
};
