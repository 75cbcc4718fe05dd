// Reads feeds with two independent parsers: feedsmith (fast-xml-parser) and rss-parser (sax). feedsmith also reads JSON
// Feed.
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import RssParser from 'rss-parser';
import { expect } from 'vitest';
import type { FeedFormat } from '../../shared/contract/media-types.ts';

/** An item, as far as all formats have its members. */
export interface ReadItem {
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly title: string | undefined;
  readonly html: string | undefined;
  readonly author: string | undefined;
  readonly time: number;
  readonly tags: readonly string[];
  readonly enclosure: { readonly url: string | undefined; readonly type: string | undefined } | undefined;
}

export interface ReadFeed {
  readonly title: string | undefined;
  readonly self: string | undefined;
  readonly next: string | undefined;
  readonly home: string | undefined;
  readonly items: readonly ReadItem[];
}

/** XML 1.0 section 2.2. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

interface AtomLink {
  readonly rel?: string | undefined;
  readonly href?: string | undefined;
  readonly type?: string | undefined;
}

const linkOf = (links: readonly AtomLink[] | undefined, rel: string): AtomLink | undefined =>
  links?.find((link) => link.rel === rel);

const readRss = (text: string): ReadFeed => {
  const feed = parseRssFeed(text);
  return {
    title: feed.title,
    self: linkOf(feed.atom?.links, 'self')?.href,
    next: linkOf(feed.atom?.links, 'next')?.href,
    home: feed.link,
    items: (feed.items ?? []).map((item) => ({
      id: item.guid?.value,
      url: item.link,
      title: item.title,
      html: item.content?.encoded,
      author: item.dc?.creators?.[0],
      time: Date.parse(item.pubDate ?? ''),
      tags: (item.categories ?? []).map(({ name }) => name ?? ''),
      enclosure: item.enclosures?.[0] && { url: item.enclosures[0].url, type: item.enclosures[0].type },
    })),
  };
};

const readAtom = (text: string): ReadFeed => {
  const feed = parseAtomFeed(text);
  return {
    title: feed.title?.value,
    self: linkOf(feed.links, 'self')?.href,
    next: linkOf(feed.links, 'next')?.href,
    home: linkOf(feed.links, 'alternate')?.href,
    items: (feed.entries ?? []).map((entry) => {
      const enclosure = linkOf(entry.links, 'enclosure');
      return {
        id: entry.id,
        url: linkOf(entry.links, 'alternate')?.href,
        title: entry.title?.value,
        html: entry.content?.value,
        author: entry.authors?.[0]?.name,
        time: Date.parse(entry.updated ?? ''),
        tags: (entry.categories ?? []).map(({ term }) => term ?? ''),
        enclosure: enclosure && { url: enclosure.href, type: enclosure.type },
      };
    }),
  };
};

/** Without the two characters that only JSON can represent, so that the formats are comparable. */
const readJson = (text: string): ReadFeed => {
  const feed = parseJsonFeed(text.replace(/[\ufffe\uffff]/g, ''));
  return {
    title: feed.title,
    self: feed.feed_url,
    next: feed.next_url,
    home: feed.home_page_url,
    items: (feed.items ?? []).map((item) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      html: item.content_html,
      author: item.authors?.[0]?.name,
      time: Date.parse(item.date_published ?? ''),
      tags: item.tags ?? [],
      enclosure: item.attachments?.[0] && { url: item.attachments[0].url, type: item.attachments[0].mime_type },
    })),
  };
};

const readers: Readonly<Record<FeedFormat, (text: string) => ReadFeed>> = {
  rss: readRss,
  atom: readAtom,
  jsonfeed: readJson,
};

/** @throws if the text has a character that its format forbids, or the parser does not accept it */
export const readFeed = (format: FeedFormat, text: string): ReadFeed => {
  if (format !== 'jsonfeed') expect(text).toMatch(CHARACTERS);
  return readers[format](text);
};

/** The second opinion on RSS and Atom: a strict parser that knows nothing of feeds reads the XML. */
export const readTitlesStrictly = async (text: string): Promise<readonly (string | undefined)[]> => {
  const { items } = await new RssParser({ xml2js: { strict: true } }).parseString(text);
  return items.map(({ title }) => title);
};
