// Parses the text of the box that every page has: a link on X, a link of this service or of another service that has the
// id of a post, an @handle, the id of a post, or words to search for. A link can stand among words. Every text has exactly
// one meaning, and no text leads to another host. The work is linear in the length of the text.
import { isReserved, PROVIDER_HANDLE, parseHandle, parseId } from './handle.ts';
import { restoreLinks, withHostOfX } from './link-spellings.ts';
import { FEEDS, MAX_SEARCH_UNITS, type SearchFeed } from './lists.ts';
import {
  decodeSegment,
  divideBelowPost,
  feedNamedOnX,
  feedOfX,
  handleOfIntent,
  isKnownHost,
  isPageOfX,
  isShortLink,
  type NumberedPage,
  numberedPageOf,
  numberedPath,
  type PostPage,
  type PostRef,
  type PostUrlError,
  type ProfilePage,
  parsePostUrl,
  parseWebUrl,
  pathOf,
  profilePageOfX,
  profilePath,
} from './x-urls.ts';

export type BoxError = PostUrlError | 'invalid_query';

/** A link can lead to a page of X that is not here. Then the meaning has the path of the page. */
interface PathOnX {
  readonly path?: string;
}

export type BoxMeaning =
  | ({ readonly kind: 'post'; readonly ref: PostRef; readonly page?: PostPage } & PathOnX)
  | ({ readonly kind: 'profile'; readonly handle: string; readonly page?: ProfilePage } & PathOnX)
  | NumberedPage
  /** Without a feed the search takes its default. */
  | { readonly kind: 'search'; readonly query: string; readonly feed?: SearchFeed }
  /** `isShort`: a short link of X, which is not followed. */
  | ({ readonly kind: 'error'; readonly code: BoxError; readonly isShort?: true } & PathOnX);

/** Hosts of X that have no posts of their own. Their links are not resolved. */
const OTHER_HOSTS_OF_X = /(?:^|\.)(?:x\.com|twitter\.com|t\.co)$/;

const ID = /^[0-9]{15,19}$/;
const MENTION = /^[@\uff20]([A-Za-z0-9_]{1,30})$/;

/** Services whose links have the id of a post, with all their subdomains: mirrors, readers of threads, and archives. */
const OTHER_SERVICES: ReadonlySet<string> = new Set(
  `x.com twitter.com fxtwitter.com vxtwitter.com fixupx.com fixvx.com twittpr.com nitter.net xcancel.com twiiit.com
  farside.link lightbrd.com twstalker.com sotwe.com threadreaderapp.com unrollnow.com rattibha.com archive.org archive.ph
  archive.today archive.is archive.li archive.vn archive.fo archive.md twimg.com`.split(/\s+/),
);

/** Most instances of nitter have a host name such as `nitter.example.org`. */
const NITTER = /^nitter\./;

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

const failure = (code: BoxError, path?: string): BoxMeaning => ({
  kind: 'error',
  code,
  ...(path !== undefined && { path }),
});

const wordsOf = (text: string, feed?: SearchFeed): BoxMeaning =>
  text.length > MAX_SEARCH_UNITS
    ? failure('invalid_query')
    : { kind: 'search', query: text, ...(feed !== undefined && { feed }) };

/** A reserved handle and a handle of more than 15 characters have no page here, so their posts are searched. */
const person = (handle: string, page?: ProfilePage, path?: string): BoxMeaning =>
  isReserved(handle) || parseHandle(handle) === undefined
    ? wordsOf(`from:${handle}`)
    : { kind: 'profile', handle, ...(page && { page }), ...(path !== undefined && { path }) };

const feedOf = (url: URL, isOwn: boolean): SearchFeed | undefined =>
  isOwn ? FEEDS.find((feed) => feed === url.searchParams.get('feed')) : feedOfX(url);

const handleOf = (segment: string): string => segment.replace(/^(?:@|%40)/, '');

/** Without parentheses, `from:` would hold only for the words before it. */
const OR = /\sOR\s/;

/** Below an account, as `/jack/search?q=tide` on a mirror: a search among its posts, where people are no results. */
const searchBelow = (url: URL, segment: string): BoxMeaning | undefined => {
  const handle = handleOf(segment);
  // With the @, it is no page of X.
  if (!PROVIDER_HANDLE.test(handle) || (handle === segment && isPageOfX(handle))) return undefined;
  const feed = feedNamedOnX(url);
  const words = url.searchParams.get('q')?.trim() ?? '';
  return wordsOf(`from:${handle} ${OR.test(words) ? `(${words})` : words}`.trim(), feed === 'users' ? undefined : feed);
};

/** @returns undefined if the path is not of a search */
const searchOf = (url: URL, segments: readonly string[], isOwn: boolean): BoxMeaning | undefined => {
  const [first = '', second = '', ...more] = segments;
  if (second === 'search' && ['', 'rss'].includes(more.join('/'))) return searchBelow(url, first);
  const hashtag = first === 'hashtag' && more.join('') === '' ? decodeSegment(second)?.trim() : undefined;
  const query = first === 'search' && second === '' ? url.searchParams.get('q')?.trim() : hashtag && `#${hashtag}`;
  return query ? wordsOf(query, feedOf(url, isOwn)) : undefined;
};

const personOf = ([first = '', ...more]: readonly string[], pathOnX: string | undefined): BoxMeaning | undefined => {
  const handle = handleOf(first);
  const isPage = pathOnX === undefined ? isReserved(handle) : isPageOfX(handle);
  const name = more.join('/').replace(/\/$/, '');
  const below = PROVIDER_HANDLE.test(handle) && !isPage ? profilePageOfX(name) : undefined;
  return below && person(handle, below.page, name === (below.page ?? '') ? undefined : pathOnX);
};

/** Old accounts have handles that the paths of this service cannot hold. The id is enough to find the post. */
const refAt = (path: string, { origin: host }: URL, origin: string | undefined): ReturnType<typeof parsePostUrl> => {
  const ref = parsePostUrl(host + path, origin);
  const [, first = ''] = path.split('/');
  if (!('error' in ref) || ref.error !== 'invalid_handle' || !PROVIDER_HANDLE.test(handleOf(first))) return ref;
  const known = parsePostUrl(`${host}/x${path.slice(1 + first.length)}`, origin);
  return 'error' in known ? known : { id: known.id };
};

const postOf = (url: URL, origin: string | undefined, pathOnX: string | undefined): BoxMeaning | undefined => {
  const path = pathOf(url);
  const ref = refAt(path, url, origin);
  if (!('error' in ref)) return { kind: 'post', ref };
  if (ref.error !== 'invalid_path') return failure(ref.error);
  const divided = divideBelowPost(path);
  if (divided === undefined) return undefined;
  const { postPath, page } = divided;
  const above = refAt(postPath, url, origin);
  if ('error' in above) return undefined;
  return { kind: 'post', ref: above, ...(page ? { page } : pathOnX !== undefined && { path: pathOnX }) };
};

const linkMeaning = (url: URL, origin: string | undefined): BoxMeaning => {
  if (!isKnownHost(url, origin)) return failure('unsupported_host');
  if (url.username !== '' || url.password !== '') return failure('invalid_url');
  const isOwn = url.origin === origin;
  const path = pathOf(url);
  const segments = path.split('/').slice(1);
  const pathOnX = isOwn ? undefined : path;
  const ofIntent = handleOfIntent(url, segments);
  return (
    postOf(url, origin, pathOnX) ??
    searchOf(url, segments, isOwn) ??
    numberedPageOf(url, segments) ??
    (ofIntent === undefined ? personOf(segments, pathOnX) : person(ofIntent)) ??
    failure('invalid_path', pathOnX)
  );
};

const isLink = (url: URL, origin: string | undefined): boolean =>
  isKnownHost(url, origin) || OTHER_HOSTS_OF_X.test(hostOf(url));

/** `name@x.com` is the address of a mailbox. */
const MAILBOX = /^[^/:@]*@[^/:@]*$/;

/** Anything may stand above and below, such as the address of an archive or the extension of a picture. */
const POST_BELOW = /(?:^|\/)(?:i\/web|([^/]*))\/status(?:es)?\/([0-9]+)(?![0-9a-z_])/i;
const POST_ID = /(?:\/(?:thread|tweets?|status)\/|[?&](?:id|tweet_id|in_reply_to)=)([0-9]+)(?![0-9a-z_])/i;

const isOtherService = (host: string): boolean =>
  NITTER.test(host) || OTHER_SERVICES.has(host.split('.').slice(-2).join('.'));

/** Reads a link that is not written as X writes it. */
const postWithin = (url: URL, origin: string | undefined): BoxMeaning | undefined => {
  const isOwn = url.origin === origin;
  if (url.username !== '' || url.password !== '' || !(isOwn || (url.port === '' && isOtherService(hostOf(url)))))
    return undefined;
  const path = pathOf(url);
  const [, author = '', below] = POST_BELOW.exec(path) ?? [];
  const id = parseId(below ?? POST_ID.exec(path + url.search)?.[1] ?? '');
  const handle = parseHandle(author);
  return id === undefined ? undefined : { kind: 'post', ref: { id, ...(handle !== undefined && { handle }) } };
};

/** A text without a scheme is a link only if its host is known: `node.js` is a word. */
const EXPLICIT_LINK = /^(?:https?:\/\/|www\.)/i;

/** @returns undefined if the text as a whole is not a link */
export const parseLink = (text: string, origin: string | undefined): BoxMeaning | undefined => {
  const url = MAILBOX.test(text) ? undefined : parseWebUrl(text);
  if (url === undefined) return undefined;
  const meaning = isLink(url, origin) ? linkMeaning(url, origin) : undefined;
  if (meaning !== undefined && meaning.kind !== 'error') return meaning;
  if (isShortLink(url)) return { kind: 'error', code: 'unsupported_host', isShort: true };
  return postWithin(url, origin) ?? meaning ?? (EXPLICIT_LINK.test(text) ? failure('unsupported_host') : undefined);
};

/** The characters of links, without those that enclose a link in prose, Markdown and HTML. */
const RUNS = /[!#$%&*+,\-./0-9:;=?@A-Z_a-z~]+/g;
/** A link can be a part of another link: archives add the whole address. */
const SCHEME_WITHIN = /(?=https?:\/)/i;
/** Such as `Link:` or an asterisk of emphasis. */
const BEFORE_LINK = /^(?:[a-z]{1,20}:(?!\/)|[^0-9a-z@/])+/i;
const CLOSING = '!*,.:;?~';

/** A regular expression for the end of a text is not linear. */
const withoutClosing = (text: string): string => {
  let end = text.length;
  while (end > 0 && CLOSING.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

const linksIn = (text: string): readonly string[] =>
  (text.match(RUNS) ?? [])
    .flatMap((run) => run.split(SCHEME_WITHIN))
    // Archives and some programs write one slash after the scheme.
    .map((piece) => withoutClosing(piece.replace(BEFORE_LINK, '')).replace(/^(https?:)\/+/i, '$1//'))
    .filter((piece) => piece.includes('/') && piece.includes('.'));

/** A post precedes other pages, and a page precedes a link that cannot be read. */
const PRECEDENCE: readonly ((meaning: BoxMeaning) => boolean)[] = [
  ({ kind }) => kind === 'post',
  ({ kind }) => kind !== 'error',
  (meaning) => meaning.kind === 'error' && meaning.code !== 'unsupported_host',
  () => true,
];

/** @returns undefined if no link stands among the words */
const meaningAmongWords = (text: string, origin: string | undefined): BoxMeaning | undefined => {
  // Services that redirect percent-encode the target, and JSON escapes slashes.
  const decoded = text.replace(/%3a/gi, ':').replace(/%2f/gi, '/').replaceAll('\\/', '/');
  const links = linksIn(decoded);
  const isAlone = links.length === 1 && !/[\p{L}\p{N}]/u.test(decoded.replace(links[0] ?? '', ''));
  const meanings = links.flatMap((link) => {
    const meaning = parseLink(link, origin);
    // Without a scheme, the name of a page of X can be a word of a search.
    const counts = isAlone || meaning?.kind === 'post' || EXPLICIT_LINK.test(link);
    return meaning !== undefined && counts ? [meaning] : [];
  });
  return PRECEDENCE.map((precedes) => meanings.find(precedes)).find((meaning) => meaning !== undefined);
};

/** @returns undefined if the text has no link */
const meaningOfLinks = (text: string, origin: string | undefined): BoxMeaning | undefined => {
  const link = parseLink(text, origin);
  if (link !== undefined && link.kind !== 'error') return link;
  const found = meaningAmongWords(text, origin);
  return (found?.kind === 'error' ? link : undefined) ?? found ?? link;
};

/** @returns undefined if the text, with what people leave out or deface in a link, has no link that is read */
const meaningOfSpelling = (text: string, origin: string | undefined): BoxMeaning | undefined => {
  const restored = restoreLinks(text);
  for (const spelling of [withHostOfX(restored), restored]) {
    const meaning = spelling === undefined || spelling === text ? undefined : meaningOfLinks(spelling, origin);
    if (meaning !== undefined && meaning.kind !== 'error') return meaning;
  }
  return undefined;
};

/**
 * @param origin the origin of this service, whose links are also understood
 * @returns undefined if the box is empty
 */
export const parseBox = (input: string, origin?: string): BoxMeaning | undefined => {
  const text = input.toWellFormed().trim();
  if (text === '') return undefined;
  const id = ID.test(text) ? parseId(text) : undefined;
  if (id !== undefined) return { kind: 'post', ref: { id } };
  const [, mentioned] = MENTION.exec(text) ?? [];
  if (mentioned !== undefined) return person(mentioned);
  const meaning = meaningOfLinks(text, origin);
  if (meaning !== undefined && meaning.kind !== 'error') return meaning;
  return meaningOfSpelling(text, origin) ?? meaning ?? wordsOf(text);
};

export interface BoxTarget {
  readonly path: string;
  readonly query?: { readonly q: string; readonly feed?: SearchFeed | undefined };
}

const below = (path: string, page: string | undefined): string => (page === undefined ? path : `${path}/${page}`);

/** @returns the path of the permalink, or of a page below it */
export const postTarget = ({ id, handle }: PostRef, page?: PostPage): string => {
  const author = handle === undefined || isReserved(handle) ? 'i' : handle;
  return below(`/${author}/status/${id}`, page);
};

/** @returns the permalink or search, whose paths are those of X */
export const boxTarget = (meaning: Exclude<BoxMeaning, { readonly kind: 'error' }>): BoxTarget => {
  switch (meaning.kind) {
    case 'post':
      return { path: postTarget(meaning.ref, meaning.page) };
    case 'account':
    case 'list':
      return { path: numberedPath(meaning) };
    case 'profile':
      return { path: below(profilePath(meaning.handle), meaning.page) };
    case 'search':
      return { path: '/search', query: { q: meaning.query, feed: meaning.feed } };
  }
};
