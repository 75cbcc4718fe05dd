// Writes a feed in the format that the request chose: Atom, RSS or JSON Feed.
import { type FeedFormat, mediaTypes } from '../../contract/media-types.ts';
import { element, emptyElement, textElement, type Xml, xmlDocument } from '../data/write-xml.ts';
import { plainHtml } from '../embed/post-lines.ts';
import { createFeed, type Feed, type FeedAuthor, type FeedItem, type FeedSource } from './feed.ts';

// Atom (RFC 4287), with the pages of RFC 5005 section 3.

const linkTo = (rel: string, href: string | undefined, type: string): readonly Xml[] =>
  href === undefined ? [] : [emptyElement('link', { rel, type, href })];

const authorElement = (author: FeedAuthor | undefined): readonly Xml[] =>
  author === undefined
    ? []
    : [element('author', {}, [...textElement('name', author.name), ...textElement('uri', author.url)])];

/** RFC 4287 section 4.1.1: a feed has an author, unless each of its entries has one. */
const anyAuthor = ({ author, items }: Feed): readonly Xml[] =>
  author !== undefined || items.every((item) => item.author !== undefined)
    ? authorElement(author)
    : [element('author', {}, [...textElement('name', 'X')])];

const entryElement = (item: FeedItem): Xml => {
  const { id, url, title, html, author, publishedAt, updatedAt, lang, tags, enclosure } = item;
  return element('entry', { 'xml:lang': lang }, [
    ...textElement('id', id),
    ...textElement('title', title),
    ...textElement('updated', updatedAt.toISOString()),
    ...textElement('published', publishedAt.toISOString()),
    ...authorElement(author),
    ...linkTo('alternate', url, mediaTypes.html),
    ...linkTo('enclosure', enclosure?.url, enclosure?.type ?? ''),
    ...tags.map((term) => emptyElement('category', { term })),
    ...textElement('content', String(html), { type: 'html' }),
  ]);
};

const atomText = (feed: Feed, entries: readonly Xml[]): string =>
  xmlDocument(
    element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.lang }, [
      ...textElement('id', feed.id),
      ...textElement('title', feed.title),
      ...textElement('subtitle', feed.description),
      ...textElement('updated', feed.updatedAt.toISOString()),
      ...anyAuthor(feed),
      ...linkTo('self', feed.self, mediaTypes.atom),
      ...linkTo('next', feed.next, mediaTypes.atom),
      ...linkTo('alternate', feed.home, mediaTypes.html),
      ...textElement('generator', 'Postern'),
      ...textElement('icon', feed.author?.avatar),
      ...entries,
    ]),
  );

// RSS 2.0 (RSS Advisory Board) with links of Atom, authors of Dublin Core and whole contents.

const NAMESPACES = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
};

/** Asks readers to poll every quarter of an hour. */
const TTL_MINUTES = '15';

/** The length is not known (RSS Best Practices Profile: then 0). */
const NO_LENGTH = '0';

/** RFC 822 with a year of four digits. */
const dateElement = (name: string, date: Date): readonly Xml[] => textElement(name, date.toUTCString());

const atomLink = (rel: string, href: string | undefined): readonly Xml[] =>
  href === undefined ? [] : [emptyElement('atom:link', { href, rel, type: mediaTypes.rss })];

const itemElement = ({ id, url, title, summary, html, author, publishedAt, tags, enclosure }: FeedItem): Xml =>
  element('item', {}, [
    ...textElement('title', title),
    ...textElement('link', url),
    ...textElement('guid', id, { isPermaLink: 'false' }),
    // `author` must be an e-mail address.
    ...textElement('dc:creator', author?.name),
    ...dateElement('pubDate', publishedAt),
    ...tags.flatMap((tag) => textElement('category', tag)),
    // Readers take it for HTML.
    ...textElement('description', summary === '' ? undefined : String(plainHtml(summary))),
    ...textElement('content:encoded', String(html)),
    ...(enclosure === undefined
      ? []
      : [emptyElement('enclosure', { url: enclosure.url, length: NO_LENGTH, type: enclosure.type })]),
  ]);

/** RSS Best Practices Profile: title and link of the picture are those of the channel. */
const imageElement = ({ author, title, home }: Feed): readonly Xml[] =>
  author?.avatar === undefined
    ? []
    : [
        element('image', {}, [
          ...textElement('url', author.avatar),
          ...textElement('title', title),
          ...textElement('link', home),
        ]),
      ];

const rssText = (feed: Feed, items: readonly Xml[]): string =>
  xmlDocument(
    element('rss', { version: '2.0', ...NAMESPACES }, [
      element('channel', {}, [
        ...textElement('title', feed.title),
        ...textElement('link', feed.home),
        ...textElement('description', String(plainHtml(feed.description))),
        ...textElement('language', feed.lang),
        ...atomLink('self', feed.self),
        ...atomLink('next', feed.next),
        ...(feed.items.length === 0 ? [] : dateElement('pubDate', feed.updatedAt)),
        ...textElement('generator', 'Postern'),
        ...textElement('ttl', TTL_MINUTES),
        ...imageElement(feed),
        ...items,
      ]),
    ]),
  );

// JSON Feed 1.1 (jsonfeed.org). JSON leaves undefined members out.

const authorsOf = (author: FeedAuthor | undefined): readonly FeedAuthor[] | undefined =>
  author === undefined ? undefined : [author];

const itemObject = (item: FeedItem): object => {
  const { id, url, title, html, author, publishedAt, updatedAt, lang, tags, picture, enclosure } = item;
  return {
    id,
    url,
    title,
    content_html: String(html),
    image: picture,
    date_published: publishedAt.toISOString(),
    date_modified: updatedAt > publishedAt ? updatedAt.toISOString() : undefined,
    authors: authorsOf(author),
    tags: tags.length === 0 ? undefined : tags,
    language: lang,
    attachments: enclosure && [
      { url: enclosure.url, mime_type: enclosure.type, duration_in_seconds: enclosure.durationSeconds },
    ],
  };
};

const jsonFeedText = (feed: Feed, items: readonly string[]): string => {
  const members = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.home,
    feed_url: feed.self,
    description: feed.description,
    next_url: feed.next,
    icon: feed.author?.avatar,
    authors: authorsOf(feed.author),
    language: feed.lang,
  });
  return `${members.slice(0, -1)},"items":[${items.join(',')}]}\n`;
};

/** @returns a function that writes the feed around its items, which are written once */
const writers: Readonly<Record<FeedFormat, (items: readonly FeedItem[]) => (feed: Feed) => string>> = {
  rss: (items) => {
    const written = items.map(itemElement);
    return (feed) => rssText(feed, written);
  },
  atom: (items) => {
    const written = items.map(entryElement);
    return (feed) => atomText(feed, written);
  },
  jsonfeed: (items) => {
    const written = items.map((item) => JSON.stringify(itemObject(item)));
    return (feed) => jsonFeedText(feed, written);
  },
};

export interface FeedText {
  readonly body: string;
  /** The body without the next page, whose cursor differs from one provider call to the next. */
  readonly identity: string;
}

export const writeFeed = (format: FeedFormat, source: FeedSource): FeedText => {
  const feed = createFeed(source);
  const write = writers[format](feed.items);
  const identity = write({ ...feed, next: undefined });
  return { body: feed.next === undefined ? identity : write(feed), identity };
};
