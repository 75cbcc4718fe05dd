// Lists the hosts of X that have pictures and videos, and maps their URLs to the paths under which this service passes the
// files on. The pages, the Content-Security-Policy and the picture proxy take both from here. A path has a signature, which
// shared/auth/picture-signatures.ts makes: the proxy passes on only what a page of this service links.

/** The segment below `/assets/` by host. Nothing else of X is reachable through the service. */
export const proxiedHosts = { pbs: 'pbs.twimg.com', video: 'video.twimg.com' } as const;

export type ProxiedHost = keyof typeof proxiedHosts;

/** The hosts that pages and Markdown may load pictures from. A picture from another host would be a tracker. */
export const PICTURE_HOSTS: readonly string[] = ['pbs.twimg.com', 'video.twimg.com', 'abs.twimg.com'];

/** The URLs of these hosts. */
export const PICTURE_URL = /^https:\/\/(?:pbs|video|abs)\.twimg\.com\//i;

/** The parameters of each host, in the order in which they are sent. */
const PARAMETERS: Readonly<Record<ProxiedHost, readonly string[]>> = { pbs: ['format', 'name'], video: ['tag'] };

/** All of them, for the cache key. */
export const PICTURE_PARAMETERS: readonly string[] = ['format', 'name', 'tag'];

const MAX_PATH = 300;
/** Segments without percent-encoding and without leading dots; an old form of the URL ends with `:large`. */
const PATH = /^(?:\/[\w-]+(?:\.[\w-]+)*){1,10}(?::[a-z0-9]{1,12})?$/;
const VALUE = /^[\w-]{1,20}$/;
/** A list of the pieces of a stream is no picture and no video. */
const PLAYLIST = /\.m3u8$/i;

/** A file of a proxied host. */
export interface HostedFile {
  readonly host: ProxiedHost;
  readonly path: string;
  /** With `?`, unless it is empty. */
  readonly query: string;
}

export type HostedFileError = 'path' | 'query';

/** @param query without `?` */
const parseFile = (host: ProxiedHost, path: string, query: string): HostedFile | HostedFileError => {
  if (path.length > MAX_PATH || !PATH.test(path) || PLAYLIST.test(path)) return 'path';
  const names = PARAMETERS[host];
  const values = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', value = '', ...more] = pair.split('=');
    if (!names.includes(name) || values.has(name) || more.length > 0 || !VALUE.test(value)) return 'query';
    values.set(name, value);
  }
  const pairs = names.flatMap((name) => (values.has(name) ? [`${name}=${values.get(name)}`] : []));
  return { host, path, query: pairs.length === 0 ? '' : `?${pairs.join('&')}` };
};

/** Characters of base64url: 96 bits. */
export const PICTURE_SIGNATURE_CHARACTERS = 16;

/** A file as a page of this service names it. The path has the signature, because every cache has the path in its key. */
export interface SignedFile extends HostedFile {
  readonly signature: string;
}

const PROXY_PATH = /* @__PURE__ */ new RegExp(
  `^/assets/(pbs|video)/([\\w-]{${PICTURE_SIGNATURE_CHARACTERS}})(/.*)$`,
  's',
);

/**
 * Does not check the signature.
 *
 * @param path still percent-encoded
 * @param query without `?`
 * @returns the part of the request that is wrong, if one is
 */
export const parseProxyPath = (path: string, query: string): SignedFile | HostedFileError => {
  const [, host, signature = '', file = ''] = PROXY_PATH.exec(path) ?? [];
  const parsed = host === 'pbs' || host === 'video' ? parseFile(host, file, query) : 'path';
  return typeof parsed === 'string' ? parsed : { ...parsed, signature };
};

const FILE_URL = /^https:\/\/(pbs|video)\.twimg\.com(\/[^?#]*)(?:\?([^#]*))?$/i;

/** @returns the picture or video of a URL of X; undefined if the proxy would refuse it */
export const parseFileUrl = (url: string): HostedFile | undefined => {
  const [, name = '', path = '', query = ''] = FILE_URL.exec(url) ?? [];
  const host = name.toLowerCase();
  const file = host === 'pbs' || host === 'video' ? parseFile(host, path, query) : 'path';
  return typeof file === 'string' ? undefined : file;
};

/** The inverse of parseFileUrl. */
export const fileUrl = ({ host, path, query }: HostedFile): string => `https://${proxiedHosts[host]}${path}${query}`;

/** The inverse of parseProxyPath. */
export const signedPath = ({ host, path, query, signature }: SignedFile): string =>
  `/assets/${host}/${signature}${path}${query}`;

/** @returns the path and query of a picture or video in this service; undefined if the proxy would refuse the file */
export type ProxyPath = (url: string) => string | undefined;
