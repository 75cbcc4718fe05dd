// Parses the text of the box that every page has: a link on X, a link of this service, an @handle, the id of a post, or
// words to search for. Every text has exactly one meaning, and no text leads to another host.
import { FEEDS, type Feed } from './feed.ts';
import { isReserved, PROVIDER_HANDLE, parseHandle, parseId } from './handle.ts';
import { isKnownHost, type PostRef, type PostUrlError, parsePostUrl, parseWebUrl, pathOf } from './post-ref.ts';
import { MAX_SEARCH_UNITS } from './search-text.ts';
import { decodeSegment, feedOfX, isPageOfX } from './x-urls.ts';

export type BoxError = PostUrlError | 'invalid_query';

export type BoxMeaning =
  | { readonly kind: 'post'; readonly ref: PostRef }
  | { readonly kind: 'profile' | 'followers' | 'following'; readonly handle: string }
  /** Without a feed the search takes its default. */
  | { readonly kind: 'search'; readonly query: string; readonly feed?: Feed }
  | { readonly kind: 'error'; readonly code: BoxError };

/** Hosts of X that have no posts of their own. Their links are not resolved. */
const OTHER_HOSTS_OF_X = /(?:^|\.)(?:x\.com|twitter\.com|t\.co)$/;

/** The second segments of profile pages on X. This service shows all of them as the profile. */
const PROFILE_TABS: ReadonlySet<string> = new Set([
  ...['', 'with_replies', 'media', 'likes', 'articles', 'highlights', 'affiliates', 'about', 'photo', 'header_photo'],
  'rss',
]);

const FOLLOW_LISTS: ReadonlyMap<string, 'followers' | 'following'> = new Map([
  ['followers', 'followers'],
  ['verified_followers', 'followers'],
  ['following', 'following'],
]);

const ID = /^[0-9]{15,19}$/;
const MENTION = /^[@\uff20]([A-Za-z0-9_]{1,30})$/;
/** Pages below a post, such as `/quotes`, `/likes` or the language of a translation. */
const BELOW_POST = /\/[A-Za-z_-]{1,20}\/?$/;

const failure = (code: BoxError): BoxMeaning => ({ kind: 'error', code });

const wordsOf = (text: string, feed?: Feed): BoxMeaning =>
  text.length > MAX_SEARCH_UNITS
    ? failure('invalid_query')
    : { kind: 'search', query: text, ...(feed !== undefined && { feed }) };

/** A reserved handle and a handle of more than 15 characters have no page here, so their posts are searched. */
const person = (kind: 'profile' | 'followers' | 'following', handle: string): BoxMeaning =>
  isReserved(handle) || parseHandle(handle) === undefined ? wordsOf(`from:${handle}`) : { kind, handle };

const feedOf = (url: URL, isOwn: boolean): Feed | undefined =>
  isOwn ? FEEDS.find((feed) => feed === url.searchParams.get('feed')) : feedOfX(url);

/** @returns undefined if the path is not of a search */
const searchOf = (url: URL, segments: readonly string[], isOwn: boolean): BoxMeaning | undefined => {
  const [first, second = '', ...more] = segments;
  const hashtag = first === 'hashtag' && more.join('') === '' ? decodeSegment(second)?.trim() : undefined;
  const query = first === 'search' && second === '' ? url.searchParams.get('q')?.trim() : hashtag && `#${hashtag}`;
  return query ? wordsOf(query, feedOf(url, isOwn)) : undefined;
};

const handleOf = (segment: string): string => segment.replace(/^(?:@|%40)/, '');

const personOf = ([first = '', second = '', ...more]: readonly string[], isOwn: boolean): BoxMeaning | undefined => {
  const handle = handleOf(first);
  const isPage = isOwn ? isReserved(handle) : isPageOfX(handle);
  if (!PROVIDER_HANDLE.test(handle) || isPage || more.join('') !== '') return undefined;
  const list = FOLLOW_LISTS.get(second);
  if (list !== undefined) return person(list, handle);
  return PROFILE_TABS.has(second) ? person('profile', handle) : undefined;
};

/** Old accounts have handles that the paths of this service cannot hold. The id is enough to find the post. */
const postOfLongHandle = (url: URL, origin: string | undefined): BoxMeaning => {
  const [, first = ''] = pathOf(url).split('/');
  if (!PROVIDER_HANDLE.test(handleOf(first))) return failure('invalid_handle');
  const ref = parsePostUrl(`${url.origin}/x${pathOf(url).slice(1 + first.length)}`, origin);
  return 'error' in ref ? failure(ref.error) : { kind: 'post', ref: { id: ref.id } };
};

const postOf = (url: URL, origin: string | undefined): BoxMeaning | undefined => {
  const ref = parsePostUrl(url.href, origin);
  if (!('error' in ref)) return { kind: 'post', ref };
  if (ref.error === 'invalid_handle') return postOfLongHandle(url, origin);
  if (ref.error !== 'invalid_path') return failure(ref.error);
  const above = parsePostUrl(`${url.origin}${pathOf(url).replace(BELOW_POST, '')}`, origin);
  return 'error' in above ? undefined : { kind: 'post', ref: above };
};

const linkMeaning = (url: URL, origin: string | undefined): BoxMeaning => {
  if (!isKnownHost(url, origin)) return failure('unsupported_host');
  if (url.username !== '' || url.password !== '') return failure('invalid_url');
  const isOwn = url.origin === origin;
  const segments = pathOf(url).split('/').slice(1);
  return postOf(url, origin) ?? searchOf(url, segments, isOwn) ?? personOf(segments, isOwn) ?? failure('invalid_path');
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
  if (mentioned !== undefined) return person('profile', mentioned);
  const url = MAILBOX.test(text) ? undefined : parseWebUrl(text);
  return url !== undefined && isLink(url, origin) ? linkMeaning(url, origin) : wordsOf(text);
};

export interface BoxTarget {
  readonly path: string;
  readonly query?: { readonly q: string; readonly feed?: Feed | undefined };
}

/** @returns the permalink or search, whose paths are those of X */
export const boxTarget = (meaning: Exclude<BoxMeaning, { readonly kind: 'error' }>): BoxTarget => {
  switch (meaning.kind) {
    case 'post': {
      const { id, handle } = meaning.ref;
      return { path: `/${handle === undefined || isReserved(handle) ? 'i' : handle}/status/${id}` };
    }
    case 'profile':
      return { path: `/${meaning.handle}` };
    case 'followers':
    case 'following':
      return { path: `/${meaning.handle}/${meaning.kind}` };
    case 'search':
      return { path: '/search', query: { q: meaning.query, feed: meaning.feed } };
  }
};
