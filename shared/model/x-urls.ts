// Knows the URLs of X's own pages: which first segments are not handles, which pages are below a profile and below a post,
// and how a search names its feed.
import type { Feed, TimelineKind } from './lists.ts';

/** First segments of X that are pages. Each has the form of a handle. */
const PAGES_OF_X: ReadonlySet<string> = new Set(
  'about account bookmarks communities compose download explore hashtag home i intent jobs lists login logout messages notifications personalization privacy search settings share signup topics tos who_to_follow'.split(
    ' ',
  ),
);

export const isPageOfX = (segment: string): boolean => PAGES_OF_X.has(segment.toLowerCase());

/** The path of a profile in this service. Without the @, the paths of pages of X are no profiles. */
export const profilePath = (handle: string): string => `/${isPageOfX(handle) ? '@' : ''}${handle}`;

/** The pages below a profile, as X and this service name them. */
export const PROFILE_PAGES = ['with_replies', 'media', 'articles', 'followers', 'following'] as const;
export type ProfilePage = (typeof PROFILE_PAGES)[number];

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

/** The pages below a post, as X and this service name them. On X, the replies are on the page of the post. */
export const POST_PAGES = ['replies', 'quotes', 'retweets'] as const;
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

/** The values of `f` in search links of X and of its mirrors. */
const FEEDS_OF_X: ReadonlyMap<string, Feed> = new Map([
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

/** @returns the feed that a search link of X shows; X shows the top posts if the link names no other feed */
export const feedOfX = ({ searchParams }: URL): Feed => FEEDS_OF_X.get(searchParams.get('f') ?? '') ?? 'top';

/** @returns undefined if the segment is not valid percent-encoding (RFC 3986 section 2.1) in UTF-8 */
export const decodeSegment = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};
