// Parses the text of the box that every page has: a link on X, a link of this service, an @handle, the id of a post, or
// words to search for. Every text has exactly one meaning, and no text leads to another host.
import { FEEDS, type Feed } from './feed.ts';
import { accountPath, isReserved, PROVIDER_HANDLE, parseHandle, parseId } from './handle.ts';
import { isKnownHost, type PostRef, type PostUrlError, parsePostUrl, parseWebUrl, pathOf } from './post-ref.ts';
import { MAX_SEARCH_UNITS } from './search-text.ts';
import {
  decodeSegment,
  divideBelowPost,
  feedOfX,
  isPageOfX,
  type PostPage,
  type ProfilePage,
  profilePageOfX,
} from './x-urls.ts';

export type BoxError = PostUrlError | 'invalid_query';

export type BoxMeaning =
  | { readonly kind: 'post'; readonly ref: PostRef; readonly page?: PostPage }
  | { readonly kind: 'profile'; readonly handle: string; readonly page?: ProfilePage }
  | { readonly kind: 'account'; readonly id: string }
  /** Without a feed the search takes its default. */
  | { readonly kind: 'search'; readonly query: string; readonly feed?: Feed }
  | { readonly kind: 'error'; readonly code: BoxError };

/** Hosts of X that have no posts of their own. Their links are not resolved. */
const OTHER_HOSTS_OF_X = /(?:^|\.)(?:x\.com|twitter\.com|t\.co)$/;

const ID = /^[0-9]{15,19}$/;
const MENTION = /^[@\uff20]([A-Za-z0-9_]{1,30})$/;

const failure = (code: BoxError): BoxMeaning => ({ kind: 'error', code });

const wordsOf = (text: string, feed?: Feed): BoxMeaning =>
  text.length > MAX_SEARCH_UNITS
    ? failure('invalid_query')
    : { kind: 'search', query: text, ...(feed !== undefined && { feed }) };

/** A reserved handle and a handle of more than 15 characters have no page here, so their posts are searched. */
const person = (handle: string, page?: ProfilePage): BoxMeaning =>
  isReserved(handle) || parseHandle(handle) === undefined
    ? wordsOf(`from:${handle}`)
    : { kind: 'profile', handle, ...(page && { page }) };

const feedOf = (url: URL, isOwn: boolean): Feed | undefined =>
  isOwn ? FEEDS.find((feed) => feed === url.searchParams.get('feed')) : feedOfX(url);

/** @returns undefined if the path is not of a search */
const searchOf = (url: URL, segments: readonly string[], isOwn: boolean): BoxMeaning | undefined => {
  const [first, second = '', ...more] = segments;
  const hashtag = first === 'hashtag' && more.join('') === '' ? decodeSegment(second)?.trim() : undefined;
  const query = first === 'search' && second === '' ? url.searchParams.get('q')?.trim() : hashtag && `#${hashtag}`;
  return query ? wordsOf(query, feedOf(url, isOwn)) : undefined;
};

/** X has two links to an account by its id: `/i/user/12` and `/intent/user?user_id=12`. */
const accountOf = ({ searchParams }: URL, segments: readonly string[]): BoxMeaning | undefined => {
  const [first, second, third, ...more] = segments;
  if (second !== 'user' || more.join('') !== '') return undefined;
  const text = first === 'i' ? third : first === 'intent' ? searchParams.get('user_id') : undefined;
  const id = text ? parseId(text) : undefined;
  return id === undefined ? undefined : { kind: 'account', id };
};

const handleOf = (segment: string): string => segment.replace(/^(?:@|%40)/, '');

const personOf = ([first = '', ...more]: readonly string[], isOwn: boolean): BoxMeaning | undefined => {
  const handle = handleOf(first);
  const isPage = isOwn ? isReserved(handle) : isPageOfX(handle);
  const below = PROVIDER_HANDLE.test(handle) && !isPage ? profilePageOfX(more.join('/')) : undefined;
  return below && person(handle, below.page);
};

/** Old accounts have handles that the paths of this service cannot hold. The id is enough to find the post. */
const refAt = (path: string, { origin: host }: URL, origin: string | undefined): ReturnType<typeof parsePostUrl> => {
  const ref = parsePostUrl(host + path, origin);
  const [, first = ''] = path.split('/');
  if (!('error' in ref) || ref.error !== 'invalid_handle' || !PROVIDER_HANDLE.test(handleOf(first))) return ref;
  const known = parsePostUrl(`${host}/x${path.slice(1 + first.length)}`, origin);
  return 'error' in known ? known : { id: known.id };
};

const postOf = (url: URL, origin: string | undefined): BoxMeaning | undefined => {
  const path = pathOf(url);
  const ref = refAt(path, url, origin);
  if (!('error' in ref)) return { kind: 'post', ref };
  if (ref.error !== 'invalid_path') return failure(ref.error);
  const divided = divideBelowPost(path);
  if (divided === undefined) return undefined;
  const { postPath, page } = divided;
  const above = refAt(postPath, url, origin);
  return 'error' in above ? undefined : { kind: 'post', ref: above, ...(page && { page }) };
};

const linkMeaning = (url: URL, origin: string | undefined): BoxMeaning => {
  if (!isKnownHost(url, origin)) return failure('unsupported_host');
  if (url.username !== '' || url.password !== '') return failure('invalid_url');
  const isOwn = url.origin === origin;
  const segments = pathOf(url).split('/').slice(1);
  return (
    postOf(url, origin) ??
    searchOf(url, segments, isOwn) ??
    accountOf(url, segments) ??
    personOf(segments, isOwn) ??
    failure('invalid_path')
  );
};

const isLink = (url: URL, origin: string | undefined): boolean =>
  isKnownHost(url, origin) || OTHER_HOSTS_OF_X.test(url.hostname.replace(/\.$/, ''));

/** `name@x.com` is the address of a mailbox. */
const MAILBOX = /^[^/:@]*@[^/:@]*$/;

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
  const url = MAILBOX.test(text) ? undefined : parseWebUrl(text);
  return url !== undefined && isLink(url, origin) ? linkMeaning(url, origin) : wordsOf(text);
};

export interface BoxTarget {
  readonly path: string;
  readonly query?: { readonly q: string; readonly feed?: Feed | undefined };
}

const below = (path: string, page: string | undefined): string => (page === undefined ? path : `${path}/${page}`);

/** @returns the permalink or search, whose paths are those of X */
export const boxTarget = (meaning: Exclude<BoxMeaning, { readonly kind: 'error' }>): BoxTarget => {
  switch (meaning.kind) {
    case 'post': {
      const { id, handle } = meaning.ref;
      const author = handle === undefined || isReserved(handle) ? 'i' : handle;
      return { path: below(`/${author}/status/${id}`, meaning.page) };
    }
    case 'account':
      return { path: accountPath(meaning.id) };
    case 'profile':
      return { path: below(`/${meaning.handle}`, meaning.page) };
    case 'search':
      return { path: '/search', query: { q: meaning.query, feed: meaning.feed } };
  }
};
