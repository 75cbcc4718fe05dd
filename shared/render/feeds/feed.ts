// Builds a feed from posts, before any format is chosen: plain texts without invisible characters, and HTML.
//
// Nothing depends on the time of reading, so that a reader with the same posts gets 304. The id of an item is the URL of
// the post on X: it stays the same when the service moves. Its link leads to the post on this service.

import { isSameHandle } from '../../model/handle.ts';
import { isLanguageTag } from '../../model/languages.ts';
import type { Post } from '../../model/post.ts';
import { byAge, snowflakeTime } from '../../model/snowflake.ts';
import type { User } from '../../model/user.ts';
import { visibleLine, visibleText, visibleUrl } from '../../model/visible-text.ts';
import { cutExcerpt } from '../content/cut.ts';
import { nameAndHandle } from '../content/labels.ts';
import { previewAvatar, previewText } from '../content/link-preview.ts';
import { postTitle } from '../content/post-title.ts';
import { type LinkBase, pageLink, permalinkPath } from '../html/inner-links.ts';
import { type Enclosure, enclosureOf, itemHtml, pictureUrl } from './item-html.ts';

export interface FeedUrls extends LinkBase {
  /** The URL of the feed itself; unset: nothing serves it. */
  readonly self?: string | undefined;
  /** The URL of the next page of the feed; unset: there is none. */
  readonly next?: string | undefined;
  /** The parts of a thread are one item. @default false */
  readonly isMerged?: boolean | undefined;
}

export interface FeedSource extends FeedUrls {
  /** The URL of the list on X. All pages and formats of the feed have it as their id. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The URL of the page for people. */
  readonly home: string;
  /** The account whose posts they are; unset: the posts are by several. */
  readonly account?: User | undefined;
  readonly posts: readonly Post[];
}

export interface FeedAuthor {
  readonly name: string;
  readonly url: string;
  readonly avatar: string | undefined;
}

export interface FeedItem {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Plain text. */
  readonly summary: string;
  readonly html: string;
  readonly author: FeedAuthor | undefined;
  readonly publishedAt: Date;
  /** The time of the latest part of a thread. */
  readonly updatedAt: Date;
  /** BCP 47; unset: not known. */
  readonly lang: string | undefined;
  readonly tags: readonly string[];
  readonly picture: string | undefined;
  readonly enclosure: Enclosure | undefined;
}

export interface Feed extends Pick<FeedSource, 'id' | 'self' | 'next' | 'home' | 'title' | 'description'> {
  readonly author: FeedAuthor | undefined;
  /** The language of all items; unset: they have several, or none is known. */
  readonly lang: string | undefined;
  /** The time of the newest item; without items, that of the first post on X. */
  readonly updatedAt: Date;
  readonly items: readonly FeedItem[];
}

/** The name has the handle, because names can repeat. */
const authorOf = (user: User): FeedAuthor => ({
  name: nameAndHandle(user),
  url: visibleUrl(user.url),
  avatar: previewAvatar(user)?.url,
});

const SECOND = 1000;

/** In whole seconds. The id names the time of a post whose time the provider does not know. */
const publishedAt = ({ id, created_at: created }: Post): Date => {
  const time = Date.parse(created ?? '');
  const known = Number.isNaN(time) ? Number(snowflakeTime(id)) : time;
  return new Date(known - (known % SECOND));
};

/** Without empty and repeated tags. */
const tagsOf = ({ hashtags }: Post): readonly string[] =>
  [...new Set(hashtags.map((tag) => visibleLine(tag)))].filter((tag) => tag !== '');

/** A post, or the parts of a thread, the first one first. */
type Parts = readonly [Post, ...Post[]];

const isOwn = ({ reposted_by: reposter }: Post): boolean => reposter === undefined;

/** @returns each post, with the parts of its thread at the place of the latest */
const threadsIn = (posts: readonly Post[]): readonly Parts[] => {
  const byId = new Map(posts.filter(isOwn).map((post) => [post.id, post]));
  const answeredBy = (post: Post): Post | undefined => {
    const parent = isOwn(post) ? byId.get(post.in_reply_to?.id ?? '') : undefined;
    return isSameHandle(parent?.author?.handle, post.author?.handle ?? '') ? parent : undefined;
  };
  const threads = new Map<string, Post[]>();
  for (const post of posts) {
    let first = post;
    // An answer has a larger id than its parent, so this ends.
    for (let parent = answeredBy(first); parent && byAge(parent, first) < 0; parent = answeredBy(parent))
      first = parent;
    const key = isOwn(post) ? first.id : `repost ${post.id}`;
    threads.set(key, [...(threads.get(key) ?? []), post]);
  }
  return [...threads.values()].flatMap((parts): Parts[] => {
    const [first, ...others] = parts.toSorted(byAge);
    return first === undefined ? [] : [[first, ...others]];
  });
};

/** The first known post of a thread stays the same while the thread grows: also one that the page does not hold. */
const firstUrl = ({ url, id, author, in_reply_to: parent }: Post): string =>
  parent?.id !== undefined && isSameHandle(parent.handle, author?.handle ?? '')
    ? url.replace(new RegExp(`${id}$`), parent.id)
    : url;

const itemOf = ([post, ...others]: Parts, base: LinkBase, isMerged: boolean): FeedItem => ({
  id: visibleUrl(isMerged && isOwn(post) ? firstUrl(post) : post.url),
  url: pageLink(base, permalinkPath(post)) ?? post.url,
  title: postTitle(post),
  summary: visibleText(cutExcerpt(previewText(post))).trim(),
  html: [post, ...others].map(itemHtml).join('<hr/>'),
  author: post.author && authorOf(post.author),
  publishedAt: publishedAt(post),
  updatedAt: publishedAt(others.at(-1) ?? post),
  lang: isLanguageTag(post.lang ?? '') ? post.lang : undefined,
  tags: tagsOf(post),
  picture: pictureUrl(post),
  enclosure: enclosureOf(post),
});

/** Atom requires a time, and validators reject 1970. */
const FIRST_POST = Date.UTC(2006, 2, 21, 20, 50, 14);

const commonLanguage = (items: readonly FeedItem[]): string | undefined => {
  const [first, ...others] = new Set(items.flatMap(({ lang }) => lang ?? []));
  return others.length === 0 ? first : undefined;
};

export const createFeed = ({
  account,
  posts,
  baseUrl,
  isAlone,
  title,
  description,
  isMerged = false,
  ...urls
}: FeedSource): Feed => {
  const parts = isMerged ? threadsIn(posts) : posts.map((post): Parts => [post]);
  const items = parts.map((each) => itemOf(each, { baseUrl, isAlone }, isMerged));
  return {
    ...urls,
    title: visibleLine(title),
    description: visibleLine(description) || visibleLine(title),
    author: account && authorOf(account),
    lang: commonLanguage(items),
    updatedAt: new Date(items.reduce((latest, item) => Math.max(latest, item.updatedAt.getTime()), FIRST_POST)),
    items,
  };
};
