// Tests each page of X that a link can name, and what the service shows for it.
import { describe, expect, test } from 'vitest';
import {
  decodeSegment,
  divideBelowPost,
  feedOfX,
  isPageOfX,
  POST_PAGES,
  PROFILE_PAGES,
  profilePageOfX,
} from '../../../shared/model/x-urls.ts';

// biome-ignore format: a list of names
const PAGES = [
  'about', 'account', 'bookmarks', 'communities', 'compose', 'download', 'explore', 'hashtag', 'home', 'i', 'intent', 'jobs', 'lists',
  'login', 'logout', 'messages', 'notifications', 'personalization', 'privacy', 'search', 'settings', 'share', 'signup', 'topics', 'tos',
  'who_to_follow',
];

test.each(PAGES)('/%s is a page of X in any letter case', (segment) => {
  expect([isPageOfX(segment), isPageOfX(segment.toUpperCase())]).toEqual([true, true]);
});

test.each(['', 'jack', 'homes', 'about login', 'who to follow'])('/%s is no page of X', (segment) => {
  expect(isPageOfX(segment)).toBe(false);
});

describe('profilePageOfX', () => {
  test.each<readonly [path: string, page: string]>([
    ...PROFILE_PAGES.map((page) => [page, page] as const),
    ['media/', 'media'],
    ['with_replies/rss', 'with_replies'],
    ['with_replies/rss/', 'with_replies'],
    ['verified_followers', 'followers'],
    ['followers_you_follow', 'followers'],
  ])('%s is the page %s', (path, page) => {
    expect(profilePageOfX(path)).toEqual({ page });
  });

  test.each(['', '/', 'rss', 'rss/', 'likes', 'likes/', 'highlights', 'affiliates', 'about', 'photo', 'header_photo'])(
    '"%s" has no page of its own, so it leads to the profile',
    (path) => {
      expect(profilePageOfX(path)).toEqual({});
    },
  );

  test.each(['lists', 'xrss', 'media/x', 'Media', 'rss/media', 'likes highlights', '//'])('%s is unknown', (path) => {
    expect(profilePageOfX(path)).toBeUndefined();
  });
});

describe('divideBelowPost', () => {
  const POST = '/jack/status/20';

  test.each<readonly [name: string, page: string | undefined]>([
    ...POST_PAGES.map((page) => [page, page] as const),
    ['quotes/', 'quotes'],
    ['retweets/with_comments', 'quotes'],
    ['retweets/with_comments/', 'quotes'],
    ['reposts', 'retweets'],
    ['likes', undefined],
    ['with_comments', undefined],
    ['analytics', undefined],
    ['en', undefined],
    ['zh-Hant', undefined],
    ['a'.repeat(20), undefined],
  ])('%s below a post is the page %s', (name, page) => {
    expect(divideBelowPost(`${POST}/${name}`)).toEqual({ postPath: POST, page });
  });

  test.each(['', '/', `/${'a'.repeat(21)}`, '/21', '/a.b', '/quotes//'])('"%s" below a post is no name', (name) => {
    expect(divideBelowPost(`${POST}${name}`)).toBeUndefined();
  });
});

test.each([
  ['', 'top'],
  ['?f=', 'top'],
  ['?f=top', 'top'],
  ['?f=live', 'latest'],
  ['?f=tweets', 'latest'],
  ['?f=media', 'media'],
  ['?f=image', 'media'],
  ['?f=images', 'media'],
  ['?f=video', 'media'],
  ['?f=videos', 'media'],
  ['?f=user', 'users'],
  ['?f=users', 'users'],
  ['?f=list', 'top'],
])('a search link with %s shows the feed %s', (search, feed) => {
  expect(feedOfX(new URL(`https://x.com/search${search}`))).toBe(feed);
});

test.each([
  ['%C3%A5da', 'åda'],
  ['a+b', 'a+b'],
  ['%ff', undefined],
  ['%', undefined],
])('decodeSegment(%s) is %s', (segment, text) => {
  expect(decodeSegment(segment)).toBe(text);
});
