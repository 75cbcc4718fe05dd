// Builds paths within the service. A handle or id that the paths cannot hold has no path: it is shown as plain text.
import { queryString } from '../../contract/query-string.ts';
import { readOembed } from '../../contract/reads/oembed.ts';
import { handleListSegment, isReserved, parseHandle, parseId, profileUrl } from '../../model/handle.ts';
import { FEEDS, type SearchFeed, TIMELINE_KINDS, type TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import {
  decodeSegment,
  divideBelowPost,
  feedOfX,
  isPageOfX,
  kindOfPage,
  numberedPageOf,
  numberedPath,
  type PostPage,
  PROFILE_PAGES,
  type ProfilePage,
  parsePostUrl,
  profilePath as pathOfProfile,
} from '../../model/x-urls.ts';

const usableHandle = (handle: string): string | undefined => {
  const parsed = parseHandle(handle);
  return parsed === undefined || isReserved(parsed) || parsed === 'i' ? undefined : parsed;
};

export const profilePath = (handle: string): string | undefined => {
  const usable = usableHandle(handle);
  return usable === undefined ? undefined : pathOfProfile(usable);
};

export const belowProfile = (handle: string, page: ProfilePage): string | undefined => {
  const path = profilePath(handle);
  return path === undefined ? undefined : `${path}/${page}`;
};

/** Leads to the search among the posts of the account, and is no page of its own. */
export const searchBelowProfile = (handle: string): string | undefined => {
  const path = profilePath(handle);
  return path === undefined ? undefined : `${path}/search`;
};

/** @returns the page of a timeline; undefined: the posts are on the page of the profile */
const timelinePage = (kind: TimelineKind): ProfilePage | undefined =>
  PROFILE_PAGES.find((page) => kindOfPage[page] === kind);

const withPage = (url: string, page: ProfilePage | undefined): string => (page === undefined ? url : `${url}/${page}`);

/** @returns undefined if the paths cannot hold the handle */
export const timelinePath = (handle: string, kind: TimelineKind): string | undefined => {
  const path = profilePath(handle);
  return path === undefined ? undefined : withPage(path, timelinePage(kind));
};

/** @param handles at least one, in lower case, sorted @returns undefined if there is no page for the kind */
export const mergedTimelinePath = (handles: readonly string[], kind: TimelineKind): string | undefined =>
  kind === 'articles' ? undefined : withPage(`/${handleListSegment(handles.join(','))}`, timelinePage(kind));

/** X has no timeline of several accounts, but a search for it. */
const filters: Readonly<Record<TimelineKind, string>> = {
  posts: ' -filter:replies',
  replies: '',
  media: ' filter:media',
  articles: ' filter:articles',
};

export const mergedTimelineUrlOnX = (handles: readonly string[], kind: TimelineKind): string =>
  searchUrlOnX(`(${handles.map((handle) => `from:${handle}`).join(' OR ')})${filters[kind]}`, 'latest');

/** The URL of the timeline on X, which has the same paths. */
export const timelineUrlOnX = (handle: string, kind: TimelineKind): string =>
  withPage(profileUrl(handle), timelinePage(kind));

/** As on X, `i` stands for a handle that the paths cannot hold. */
export const postPath = (id: string, handle = ''): string | undefined =>
  parseId(id) === undefined ? undefined : `/${usableHandle(handle) ?? 'i'}/status/${id}`;

/** The path of a page below a post. @param handle as in postPath */
export const belowPost = (id: string, handle: string | undefined, page: PostPage): string | undefined => {
  const path = postPath(id, handle);
  return path === undefined ? undefined : `${path}/${page}`;
};

export const pathOfPost = ({ id, author }: Pick<Post, 'id' | 'author'>): string | undefined =>
  postPath(id, author?.handle);

/** @param feed @default the latest posts */
export const searchPath = (query: string, feed?: SearchFeed): string =>
  `/search?${queryString({ q: query.toWellFormed(), feed })}`;

/** The names of the feeds in X's own URLs; without a name X shows the top posts. */
const feedParameters: Readonly<Record<SearchFeed, string | undefined>> = {
  latest: 'live',
  top: undefined,
  media: 'media',
  users: 'user',
};

/** The URL of the search on X. */
export const searchUrlOnX = (query: string, feed: SearchFeed): string =>
  `https://x.com/search?${queryString({ q: query.toWellFormed(), f: feedParameters[feed] })}`;

const PROFILE_PATH = /^\/(?:@|%40)?([A-Za-z0-9_]{1,15})(?:\/([a-z_]+))?\/?$/;
const HASHTAG_PATH = /^\/hashtag\/([^/]+)\/?$/;

const listPath = (url: URL): string | undefined => {
  const { pathname, searchParams } = url;
  if (pathname === '/search') {
    const query = searchParams.get('q') ?? '';
    return query.trim() === '' ? undefined : searchPath(query, feedOfX(url));
  }
  const [, encodedTag] = HASHTAG_PATH.exec(pathname) ?? [];
  const tag = encodedTag === undefined ? undefined : decodeSegment(encodedTag);
  if (tag !== undefined) return searchPath(`#${tag}`);
  const numbered = numberedPageOf(url, pathname.split('/').slice(1));
  if (numbered !== undefined) return numberedPath(numbered);
  const [, handle, name] = PROFILE_PATH.exec(pathname) ?? [];
  if (handle === undefined || isPageOfX(handle)) return undefined;
  if (name === undefined) return profilePath(handle);
  const page = PROFILE_PAGES.find((candidate) => candidate === name);
  return page && belowProfile(handle, page);
};

const engagementsPath = ({ origin, pathname }: URL): string | undefined => {
  const below = divideBelowPost(pathname);
  if (below?.page === undefined) return undefined;
  const ref = parsePostUrl(origin + below.postPath);
  return 'error' in ref ? undefined : belowPost(ref.id, ref.handle, below.page);
};

/**
 * Finds the page of this service for a URL on X: a post, a profile, a page below one of them, an account by its id, a list, a search or a hashtag.
 *
 * @returns undefined if there is none
 */
export const innerPath = (url: string): string | undefined => {
  const ref = parsePostUrl(url);
  if (!('error' in ref)) return postPath(ref.id, ref.handle);
  // The host is of X, but the path is not of a post.
  if (ref.error !== 'invalid_path' || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.hash.startsWith('#!') ? undefined : (engagementsPath(parsed) ?? listPath(parsed));
};

/** An id that the paths cannot hold is written all the same: the page needs a URL. */
export const permalinkPath = (post: Pick<Post, 'author' | 'id'>): string => pathOfPost(post) ?? `/i/status/${post.id}`;

/** The URL of the embed (oEmbed 1.0 section 4). */
export const oembedUrl = (post: Pick<Post, 'author' | 'id'>, baseUrl: string): string =>
  `${baseUrl}${readOembed.path}?${queryString({ url: `${baseUrl}${permalinkPath(post)}`, format: 'json' })}`;

/** Says where links to pages lead. */
export interface LinkBase {
  /** `{base_url}` */
  readonly baseUrl: string;
  /** No service answers at the base URL, now or where a kept file is read: links lead to X. @default false */
  readonly isAlone?: boolean | undefined;
}

/** The pages of X at the same paths. X shows the replies below the post itself. */
const PROFILE_ON_X = /^\/(@?)(\w{1,15})(?:\/([a-z_]+))?$/;
const POST_ON_X = /^\/\w{1,15}\/status\/\d+(?:\/(?:quotes|retweets))?$/;
const NUMBERED_ON_X = /^\/i\/(?:lists|user)\/\d+$/;
const REPLIES = /\/replies$/;
const HANDLE_LIST_PATH = /^\/(\w+(?:,\w*)+)(?:\/(\w+))?$/;

/** @param path of a page of this service, with its query @returns undefined if X has no such page */
export const pageUrlOnX = (path: string): string | undefined => {
  const [pathname = '', query = ''] = path.split('?');
  if (pathname === '/search') {
    const parameters = new URLSearchParams(query);
    const feed = FEEDS.find((each) => each === parameters.get('feed')) ?? 'latest';
    return searchUrlOnX(parameters.get('q') ?? '', feed);
  }
  const [, at = '', handle, below] = PROFILE_ON_X.exec(pathname) ?? [];
  const isPage = below === undefined || PROFILE_PAGES.some((each) => each === below);
  if (handle !== undefined && isPage && (at !== '' || !isReserved(handle)))
    return `https://x.com/${pathname.slice(1 + at.length)}`;
  const same = pathname.replace(REPLIES, '');
  if (POST_ON_X.test(same) || NUMBERED_ON_X.test(same)) return `https://x.com${same}`;
  const [, handles, page] = HANDLE_LIST_PATH.exec(pathname) ?? [];
  const kind = TIMELINE_KINDS.find((each) => timelinePage(each) === page) ?? 'posts';
  return handles && mergedTimelineUrlOnX(handles.split(',').filter(Boolean), kind);
};

/** @returns undefined if the link would lead to X, which has no such page */
export const pageLink = ({ baseUrl, isAlone = false }: LinkBase, path: string): string | undefined =>
  isAlone ? pageUrlOnX(path) : `${baseUrl}${path}`;
