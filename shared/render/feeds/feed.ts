// Builds a feed from posts, before any format is chosen: plain texts without invisible characters, and HTML.
//
// Nothing depends on the time of reading, so that a reader with the same posts gets 304. The id of an item is a URL of the
// post on X: it stays the same when the service moves. Its link leads to the post on this service.

import { isSameHandle, postUrl } from '../../model/handle.ts';
import { isLanguageTag } from '../../model/languages.ts';
import type { Post } from '../../model/post.ts';
import { byAge, snowflakeTime, timeInId } from '../../model/snowflake.ts';
import type { User } from '../../model/user.ts';
import { visibleLine, visibleText, visibleUrl } from '../../model/visible-text.ts';
import { cutExcerpt } from '../content/cut.ts';
import { nameAndHandle } from '../content/labels.ts';
import { previewAvatar, previewLines } from '../content/link-preview.ts';
import { isOwn, type SeenThread, threadStarts } from '../content/own-threads.ts';
import { postTitle } from '../content/post-title.ts';
import { type Html, html, joinHtml } from '../html/html.ts';
import { type LinkBase, pageLink, permalinkPath } from '../html/inner-links.ts';
import { filesOf, type ItemFiles, itemHtml, threadHtml } from './item-html.ts';

export interface FeedUrls extends LinkBase {
  /** The URL of the feed itself; unset: nothing serves it. */
  readonly self?: string | undefined;
  /** The URL of the next page of the feed; unset: there is none. */
  readonly next?: string | undefined;
  /** The parts of a thread are one item. @default false */
  readonly isMerged?: boolean | undefined;
  /** The threads of the list, by the id of their first post. @default none */
  readonly threads?: ReadonlyMap<string, SeenThread> | undefined;
  /** What readers must know of the posts. @default nothing */
  readonly note?: string | undefined;
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

export interface FeedItem extends ItemFiles {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Plain text. */
  readonly summary: string;
  readonly html: Html;
  readonly author: FeedAuthor | undefined;
  readonly publishedAt: Date;
  /** The time of the latest part of a thread. */
  readonly updatedAt: Date;
  /** BCP 47; unset: not known. */
  readonly lang: string | undefined;
  readonly tags: readonly string[];
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

/**
 * The id knows the millisecond, so that the parts of a thread of one second keep their order. It counts where it agrees with
 * the time that the provider says, or where that is not known.
 */
const publishedAt = ({ id, created_at: created }: Post): Date => {
  const time = Date.parse(created ?? '');
  const inId = timeInId(id);
  const known = Number.isNaN(time) ? (inId ?? Number(snowflakeTime(id))) : time;
  const second = known - (known % SECOND);
  return new Date(inId !== undefined && inId - (inId % SECOND) === second ? inId : second);
};

/** Without empty and repeated tags. */
const tagsOf = ({ hashtags }: Post): readonly string[] =>
  [...new Set(hashtags.map((tag) => visibleLine(tag)))].filter((tag) => tag !== '');

/** A post, or the parts of a thread, the first one first. */
type Parts = readonly [Post, ...Post[]];

/** @returns each post, with the parts of its thread at the place of the latest */
const threadsIn = (posts: readonly Post[]): readonly Parts[] => {
  const startOf = threadStarts(posts);
  const threads = new Map<string, Post[]>();
  for (const post of posts) {
    const key = isOwn(post) ? startOf(post).id : `repost ${post.id}`;
    threads.set(key, [...(threads.get(key) ?? []), post]);
  }
  return [...threads.values()].flatMap((parts): Parts[] => {
    const [first, ...others] = parts.toSorted(byAge);
    return first === undefined ? [] : [[first, ...others]];
  });
};

/**
 * From this instant on, the id of an item is that of the post alone: a handle and its letter case can change, and then a reader
 * would show each item again. Older items keep the ids that readers know.
 */
const WITHOUT_HANDLE_SINCE = Date.UTC(2026, 10, 15);

/** @param id of a post of the account */
const itemId = (id: string, { id: own, url, author }: Post): string => {
  if ((timeInId(id) ?? 0) >= WITHOUT_HANDLE_SINCE) return postUrl(id);
  return id === own ? url : postUrl(id, author?.handle);
};

/** The first known post of a thread stays the same while the thread grows: also one that the page does not hold. */
const firstId = ({ id, author, in_reply_to: parent }: Post): string =>
  parent?.id !== undefined && isSameHandle(parent.handle, author?.handle ?? '') ? parent.id : id;

const latest = (a: Date, b: Date): Date => (a < b ? b : a);

const itemOf = (
  [post, ...others]: Parts,
  { isMerged = false, threads, ...base }: Pick<FeedUrls, 'isMerged' | 'threads' | keyof LinkBase>,
): FeedItem => {
  const url = pageLink(base, permalinkPath(post)) ?? post.url;
  const thread = isOwn(post) ? threads?.get(post.id) : undefined;
  const published = publishedAt(post);
  const last = others.at(-1);
  const updatedAt = last === undefined ? published : publishedAt(last);
  return {
    id: visibleUrl(itemId(isMerged && isOwn(post) ? firstId(post) : post.id, post)),
    url,
    title: postTitle(post),
    summary: previewLines(post)
      .map((line) => visibleText(cutExcerpt(line.trim())).trim())
      .filter((line) => line !== '')
      .join('\n'),
    html: html`${joinHtml(
      [...[post, ...others].map(itemHtml), thread && threadHtml(thread.parts, url)],
      others.length > 0 && html`<hr/>`,
    )}`,
    author: post.author && authorOf(post.author),
    publishedAt: published,
    updatedAt: thread === undefined ? updatedAt : latest(updatedAt, publishedAt(thread.last)),
    lang: isLanguageTag(post.lang ?? '') ? post.lang : undefined,
    tags: tagsOf(post),
    ...filesOf(post),
  };
};

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
  threads,
  note = '',
  ...urls
}: FeedSource): Feed => {
  const parts = isMerged ? threadsIn(posts) : posts.map((post): Parts => [post]);
  const items = parts.map((each) => itemOf(each, { baseUrl, isAlone, isMerged, threads }));
  return {
    ...urls,
    title: visibleLine(title),
    description: `${visibleLine(description) || visibleLine(title)} ${note}`.trimEnd(),
    author: account && authorOf(account),
    lang: commonLanguage(items),
    updatedAt: new Date(items.reduce((latest, item) => Math.max(latest, item.updatedAt.getTime()), FIRST_POST)),
    items,
  };
};
