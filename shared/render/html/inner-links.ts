// Builds paths within the service. A handle or id that the paths cannot hold has no path: it is shown as plain text.
import { queryString } from '../../contract/query-string.ts';
import { handleListSegment, isReserved, parseHandle, parseId, profileUrl } from '../../model/handle.ts';
import type { SearchFeed, TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import {
  decodeSegment,
  divideBelowPost,
  feedOfX,
  isPageOfX,
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

/** The pages of the timelines. The posts are on the page of the profile. */
const timelinePages: Readonly<Record<TimelineKind, ProfilePage | undefined>> = {
  posts: undefined,
  replies: 'with_replies',
  media: 'media',
  articles: 'articles',
};

const withPage = (url: string, page: ProfilePage | undefined): string => (page === undefined ? url : `${url}/${page}`);

/** @returns undefined if the paths cannot hold the handle */
export const timelinePath = (handle: string, kind: TimelineKind): string | undefined => {
  const path = profilePath(handle);
  return path === undefined ? undefined : withPage(path, timelinePages[kind]);
};

/** @param handles at least one, in lower case, sorted @returns undefined if there is no page for the kind */
export const mergedTimelinePath = (handles: readonly string[], kind: TimelineKind): string | undefined =>
  kind === 'articles' ? undefined : withPage(`/${handleListSegment(handles.join(','))}`, timelinePages[kind]);

/** The URL of the timeline on X, which has the same paths. */
export const timelineUrlOnX = (handle: string, kind: TimelineKind): string =>
  withPage(profileUrl(handle), timelinePages[kind]);

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
