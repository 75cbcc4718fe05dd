// Checks that feeds are well-formed, harmless and stable, and that two parsers read what the posts say.
import { describe, expect, test } from 'vitest';
import { FEED_FORMATS } from '../../shared/contract/media-types.ts';
import type { Media, Post } from '../../shared/model/post.ts';
import { visibleText } from '../../shared/model/visible-text.ts';
import { postTitle } from '../../shared/render/content/post-title.ts';
import type { FeedSource } from '../../shared/render/feeds/feed.ts';
import { writeFeed } from '../../shared/render/feeds/write-feed.ts';
import { hostileFragments } from '../generators/hostile-text.ts';
import { BASE, recordedPosts } from '../support/list-models.ts';
import { postOf, userOf } from '../support/post-models.ts';
import { type Element, elementOf, elementsIn } from '../unit/render/xml.ts';
import { type ReadFeed, type ReadItem, readFeed, readTitlesStrictly } from './feed-readers.ts';

const sourceOf = (posts: readonly Post[], members: Partial<FeedSource> = {}): FeedSource => ({
  id: 'https://x.com/ada',
  title: 'Ada (@ada)',
  description: 'Posts of Ada (@ada) on X',
  self: `${BASE}/ada/rss`,
  home: `${BASE}/ada`,
  posts,
  baseUrl: BASE,
  ...members,
});

const textOf = (format: (typeof FEED_FORMATS)[number], ...source: Parameters<typeof sourceOf>): string =>
  writeFeed(format, sourceOf(...source)).body;

const readAll = (...source: Parameters<typeof sourceOf>): readonly ReadFeed[] =>
  FEED_FORMATS.map((format) => readFeed(format, textOf(format, ...source)));

/** The item of one post, which every format tells alike. */
const itemOf = (post: Post): ReadItem => {
  const [first, ...others] = readAll([post]).map(({ items }) => items[0]);
  for (const other of others) expect(other).toEqual(first);
  if (first === undefined) throw new Error('no item');
  return first;
};

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  div: [],
  p: ['lang', 'dir'],
  a: ['href', 'rel', 'target'],
  img: ['src', 'alt', 'width', 'height'],
  blockquote: ['cite'],
  br: [],
  hr: [],
  strong: [],
  em: [],
  s: [],
  pre: [],
  code: [],
  ul: [],
  ol: [],
  li: ['dir'],
  h2: ['dir'],
  h3: ['dir'],
  h4: ['dir'],
};

/** Requires well-formed HTML that contains only allowed elements and attributes, and no relative URL. */
const contentOf = (post: Post): Element => {
  const root = elementOf(`<div>${itemOf(post).html}</div>`);
  for (const { name, attributes } of elementsIn(root)) {
    expect(ALLOWED).toHaveProperty(name);
    for (const attribute of Object.keys(attributes)) expect(ALLOWED[name]).toContain(attribute);
    if (name === 'a') expect(attributes['href']).toMatch(/^https?:\/\//);
    if (name === 'img') expect(attributes['src']).toMatch(/^https:\/\/(?:pbs|video|abs)\.twimg\.com\//);
  }
  return root;
};

const photo = (members: Partial<Media> = {}): Media => ({
  type: 'photo',
  url: 'https://pbs.twimg.com/media/A.jpg?name=orig',
  width: 1600,
  height: 900,
  ...members,
});

/** Removes the two characters that XML cannot represent. */
const readable = (text: string): string => visibleText(text).replace(/[\ufffe\uffff]/g, '');

describe('feeds with third-party text', () => {
  test('[lists 9] a strict XML parser reads the titles of RSS and Atom with hostile texts', async () => {
    const posts = hostileFragments.map((fragment, index) => postOf({ id: String(index + 1), text: `a${fragment}z` }));
    const titles = posts.map((post) => readable(postTitle(post)));
    for (const format of ['rss', 'atom'] as const) {
      const text = textOf(format, posts, {
        title: ']]>\u0000<x>',
        description: '&\u0001\ufffe',
        account: userOf('<&>'),
      });
      expect((await readTitlesStrictly(text)).map((title) => title?.trim())).toEqual(titles);
    }
  });

  test('[lists 9] the description of an RSS item is HTML, so a reader shows markup of a post as text', () => {
    const text = textOf('rss', [postOf({ text: '<img src=x onerror=y> & more' })]);
    expect(text).toContain('<description>&amp;lt;img src=x onerror=y&amp;gt; &amp;amp; more</description>');
  });
});

describe('feeds of recorded posts', () => {
  test.each([
    'statuses/p1_default',
    'statuses/user_md_breaker',
    'statuses/with_replies',
    'search/unicode',
    'search/media_p1',
  ])('[lists 9] RSS, Atom and JSON Feed of %s tell the same items', (file) => {
    const posts = recordedPosts(file);
    const [rss, atom, json] = readAll(posts, { next: `${BASE}/ada/rss?cursor=1&limit=2` });
    expect(rss).toEqual({
      title: 'Ada (@ada)',
      self: `${BASE}/ada/rss`,
      next: `${BASE}/ada/rss?cursor=1&limit=2`,
      home: `${BASE}/ada`,
      items: posts.map((post) => ({
        id: post.url,
        url: post.url.replace('https://x.com', BASE),
        title: postTitle(post),
        html: expect.stringContaining('</a></p>'),
        author: `${post.author?.name} (@${post.author?.handle})`,
        time: Date.parse(post.created_at ?? ''),
        tags: [...new Set(post.hashtags)],
        enclosure: post.media.length === 0 && post.article?.cover_url === undefined ? undefined : expect.anything(),
      })),
    });
    expect([atom, json]).toEqual([rss, rss]);
    for (const post of posts) contentOf(post);
  });
});

describe('feed', () => {
  test('[lists 9] the validator input is the same with another cursor and differs with another post', () => {
    for (const format of FEED_FORMATS) {
      const identity = (posts: readonly Post[], cursor?: string): string =>
        writeFeed(format, sourceOf(posts, cursor === undefined ? {} : { next: `${BASE}/?cursor=${cursor}` })).identity;
      expect(identity([postOf()], 'one')).toBe(identity([postOf()], 'two'));
      expect(identity([postOf()], 'one')).not.toBe(identity([postOf({ text: 'Other' })], 'one'));
      expect(identity([postOf()], 'one')).not.toContain('cursor');
    }
  });
});

describe('item of a feed', () => {
  test('[lists 9] a post of unknown time has the time of its id', () => {
    expect(itemOf(postOf({ id: '2028036267832246272', created_at: undefined })).time).toBe(1_772_356_500_000);
    expect(itemOf(postOf({ id: '20', created_at: 'never' })).time).toBe(Date.parse('2010-11-04T01:42:54Z'));
  });

  test('[lists 9] a picture of another host is neither shown nor an enclosure', () => {
    const post = postOf({ media: [photo({ url: 'https://tracker.example/a.jpg', alt_text: 'A fjord' })] });
    expect(itemOf(post).enclosure).toBeUndefined();
    expect(contentOf(post).content[1]).toMatchObject({
      name: 'p',
      content: [{ name: 'a', content: ['Photo: A fjord'] }],
    });
  });
});
