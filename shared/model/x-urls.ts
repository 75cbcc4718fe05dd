// Knows the URLs of X's own pages: which first segments are not handles, which pages are below a profile and below a post,
// and how a search names its feed.
import { accountPath, isReserved, PROVIDER_HANDLE, parseHandle, parseId, xListPath } from './handle.ts';
import { keysOf } from './json.ts';
import type { SearchFeed, TimelineKind } from './lists.ts';

// Parses URLs of posts. The service only takes handle and id from such a URL and never sends a request to it.

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

/** Hosts whose links X writes in place of other addresses. Only X knows where they lead. */
const SHORT_LINK_HOSTS: ReadonlySet<string> = new Set(['t.co', 'pic.x.com', 'pic.twitter.com']);

export const isShortLink = ({ hostname, port }: URL): boolean => SHORT_LINK_HOSTS.has(hostname) && port === '';

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

/** First segments of X that are pages. Each has the form of a handle. */
const PAGES_OF_X: ReadonlySet<string> = new Set(
  'about account bookmarks communities compose download explore hashtag home i intent jobs lists login logout messages notifications personalization privacy search settings share signup topics tos who_to_follow'.split(
    ' ',
  ),
);

export const isPageOfX = (segment: string): boolean => PAGES_OF_X.has(segment.toLowerCase());

/** The path of a profile in this service. Without the @, the paths of pages of X are no profiles. */
export const profilePath = (handle: string): string => `/${isPageOfX(handle) ? '@' : ''}${handle}`;

/** The pages below a profile, as X and this service name them, with their tabs. */
export const profilePages = {
  with_replies: 'Replies',
  media: 'Media',
  articles: 'Articles',
  followers: 'Followers',
  following: 'Following',
} as const;
export type ProfilePage = keyof typeof profilePages;
export const PROFILE_PAGES = /* @__PURE__ */ keysOf(profilePages);

/** The kind of the posts that a page below a profile lists. The other pages list accounts. */
export const kindOfPage: Readonly<Partial<Record<ProfilePage, TimelineKind>>> = {
  with_replies: 'replies',
  media: 'media',
  articles: 'articles',
};

/** Pages on X that have no page of their own here. */
const OTHER_FOLLOWERS: ReadonlySet<string> = new Set(['verified_followers', 'followers_you_follow']);
const OTHER_PROFILE_PAGES: ReadonlySet<string> = new Set(
  ' likes highlights affiliates about photo header_photo'.split(' '),
);

/** Mirrors have feeds at these paths. */
const FEED_SUFFIX = /(?:^|\/)rss$/;

/** @param path below the profile @returns undefined if it is not the path of a page of the profile */
export const profilePageOfX = (path: string): { readonly page?: ProfilePage } | undefined => {
  const name = path.replace(/\/$/, '').replace(FEED_SUFFIX, '');
  const page = OTHER_FOLLOWERS.has(name) ? 'followers' : PROFILE_PAGES.find((candidate) => candidate === name);
  if (page !== undefined) return { page };
  return OTHER_PROFILE_PAGES.has(name) ? {} : undefined;
};

/** The pages below a post, as X and this service name them. On X, the replies are on the page of the post, as is the conversation. */
export const POST_PAGES = ['replies', 'quotes', 'retweets', 'conversation'] as const;
export type PostPage = (typeof POST_PAGES)[number];

/** Other names of these pages, by path. */
const OTHER_POST_PAGES: ReadonlyMap<string, PostPage> = new Map([
  ['retweets/with_comments', 'quotes'],
  ['reposts', 'retweets'],
]);

const BELOW_POST = /\/([A-Za-z_-]{1,20}(?:\/with_comments)?)\/?$/;

/**
 * Divides a path below a post, such as `/jack/status/20/quotes`. There are other pages below a post, such as `/likes` or the
 * language of a translation.
 */
export const divideBelowPost = (
  path: string,
): { readonly postPath: string; readonly page: PostPage | undefined } | undefined => {
  const match = BELOW_POST.exec(path);
  if (match === null) return undefined;
  const [, name = ''] = match;
  const page = POST_PAGES.find((candidate) => candidate === name) ?? OTHER_POST_PAGES.get(name);
  return { postPath: path.slice(0, match.index), page };
};

export interface NumberedPage {
  readonly kind: 'account' | 'list';
  readonly id: string;
}

/** The buttons of other sites lead to `/intent/user` and `/intent/follow`. */
const isOfAccount = (first: string | undefined, second: string | undefined): boolean =>
  second === 'user' || (first === 'intent' && second === 'follow');

/** X has two links to an account by its id, `/i/user/12` and `/intent/user?user_id=12`, and one to a list, `/i/lists/12`. */
export const numberedPageOf = (
  { searchParams }: URL,
  [first, second, third, ...more]: readonly string[],
): NumberedPage | undefined => {
  const kind = isOfAccount(first, second) ? 'account' : first === 'i' && second === 'lists' ? 'list' : undefined;
  const text = first === 'i' ? third : first === 'intent' ? searchParams.get('user_id') : undefined;
  const id = text && kind && more.join('') === '' ? parseId(text) : undefined;
  return kind && id ? { kind, id } : undefined;
};

/** @returns the handle in `/intent/follow?screen_name=jack` and `/intent/user?screen_name=jack` */
export const handleOfIntent = (
  { searchParams }: URL,
  [first, second, ...more]: readonly string[],
): string | undefined => {
  const name = searchParams.get('screen_name')?.trim().replace(/^@/, '') ?? '';
  return first === 'intent' && isOfAccount(first, second) && more.join('') === '' && PROVIDER_HANDLE.test(name)
    ? name
    : undefined;
};

/** The path in this service, which is that of X. */
export const numberedPath = ({ kind, id }: NumberedPage): string =>
  kind === 'account' ? accountPath(id) : xListPath(id);

/** The values of `f` in search links of X and of its mirrors. */
const FEEDS_OF_X: ReadonlyMap<string, SearchFeed> = new Map([
  ['live', 'latest'],
  ['tweets', 'latest'],
  ['media', 'media'],
  ['image', 'media'],
  ['images', 'media'],
  ['video', 'media'],
  ['videos', 'media'],
  ['user', 'users'],
  ['users', 'users'],
]);

/** @returns the feed that a search link of X or of a mirror names; undefined if it names none */
export const feedNamedOnX = ({ searchParams }: URL): SearchFeed | undefined =>
  FEEDS_OF_X.get(searchParams.get('f') ?? '');

/** @returns the feed that a search link of X shows; X shows the top posts if the link names no other feed */
export const feedOfX = (url: URL): SearchFeed => feedNamedOnX(url) ?? 'top';

/** @returns undefined if the segment is not valid percent-encoding (RFC 3986 section 2.1) in UTF-8 */
export const decodeSegment = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};
