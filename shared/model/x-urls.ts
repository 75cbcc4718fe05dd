// Knows the URLs of X's own pages: which first segments are not handles, and how a search names its feed.
import type { Feed } from './feed.ts';

/** First segments of X that are pages. Each has the form of a handle. */
const PAGES_OF_X: ReadonlySet<string> = new Set(
  'about account bookmarks communities compose download explore hashtag home i intent jobs lists login logout messages notifications personalization privacy search settings share signup topics tos who_to_follow'.split(
    ' ',
  ),
);

export const isPageOfX = (segment: string): boolean => PAGES_OF_X.has(segment.toLowerCase());

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
