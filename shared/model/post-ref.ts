// The only parser of addresses on X. Nothing is ever fetched from one: it is read for handle and id alone.
import { isReserved, parseHandle, parseId } from './handle.ts';

export interface PostRef {
  readonly id: string;
  /** As the caller wrote it; never trusted: author and canonical address come from the post. */
  readonly handle?: string;
}

export type PostUrlError = 'invalid_url' | 'unsupported_host' | 'invalid_path' | 'invalid_handle' | 'invalid_id';

const MAX_ADDRESS_LENGTH = 2048;

const HOSTS: ReadonlySet<string> = new Set([
  ...['x.com', 'twitter.com'].flatMap((host) => [host, `www.${host}`, `mobile.${host}`, `m.${host}`]),
  ...['fxtwitter.com', 'vxtwitter.com', 'fixupx.com', 'fixvx.com', 'twittpr.com', 'nitter.net', 'xcancel.com'].flatMap(
    (host) => [host, `www.${host}`],
  ),
]);

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HTTP = /^https?:\/\//i;
const HOST_WITH_PORT = /^[^/?#:@]+:[0-9]+(?:[/?#]|$)/;
const STATUS_PATH = /^\/(?:i\/(?:web\/)?|([^/]+)\/)status(?:es)?\/([^/]+)(?:\/(?:photo|video)\/[0-9]{1,2})?\/?$/;

const parseUrl = (address: string): URL | undefined => {
  const text = address.trim();
  // Tabs and line breaks are dropped by the URL parser, so that two texts would mean one address.
  if (text === '' || text.length > MAX_ADDRESS_LENGTH || /[\u0000-\u001f\u007f\ud800-\udfff\\\s]/u.test(text))
    return undefined;
  const absolute = HTTP.test(text)
    ? text
    : SCHEME.test(text) && !HOST_WITH_PORT.test(text)
      ? undefined
      : `https://${text.replace(/^\/\//, '')}`;
  if (absolute === undefined) return undefined;
  return URL.canParse(absolute) ? new URL(absolute) : undefined;
};

const isKnown = (url: URL, ownOrigin: string | undefined): boolean =>
  url.origin === ownOrigin || (HOSTS.has(url.hostname.replace(/\.$/, '')) && url.port === '');

/**
 * Reads a post address in any spelling that people paste.
 *
 * @param ownOrigin this service's own origin: its permalinks are accepted as well
 */
export const parsePostUrl = (address: string, ownOrigin?: string): PostRef | { readonly refused: PostUrlError } => {
  const url = parseUrl(address);
  if (url === undefined) return { refused: 'invalid_url' };
  if (!isKnown(url, ownOrigin)) return { refused: 'unsupported_host' };
  if (url.username !== '' || url.password !== '') return { refused: 'invalid_url' };
  // `/#!/jack/status/20` is how old clients wrote it.
  const path = url.hash.startsWith('#!/') ? url.hash.slice(2).replace(/[?#].*$/, '') : url.pathname;
  const match = STATUS_PATH.exec(path);
  if (match === null) return { refused: 'invalid_path' };
  const [, rawHandle, rawId = ''] = match;
  const id = parseId(rawId);
  if (id === undefined) return { refused: 'invalid_id' };
  if (rawHandle === undefined || rawHandle === 'i') return { id };
  const handle = parseHandle(rawHandle.startsWith('%40') ? rawHandle.slice(3) : rawHandle);
  return handle === undefined ? { refused: 'invalid_handle' } : { id, handle };
};

const FIRST_SEGMENT = /^\/(?:@|%40)?([A-Za-z0-9_]{1,15})(?:\/|$)/;

/**
 * Reads whose profile an address is, or is below.
 *
 * @param ownOrigin as above
 * @returns undefined: nobody's
 */
export const parseProfileUrl = (address: string, ownOrigin?: string): string | undefined => {
  const url = parseUrl(address);
  if (url === undefined || !isKnown(url, ownOrigin) || url.username !== '' || url.password !== '') return undefined;
  const [, handle] = FIRST_SEGMENT.exec(url.pathname) ?? [];
  return handle === undefined || handle === 'i' || isReserved(handle) ? undefined : handle;
};
