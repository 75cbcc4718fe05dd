// Writes a feed as RSS 2.0 (RSS Advisory Board) with links of Atom, authors of Dublin Core and whole contents.
import { feedTypes } from '../../contract/media-types.ts';
import { plainHtml } from '../embed/post-lines.ts';
import type { Feed, FeedItem } from './feed.ts';
import { element, emptyElement, textElement, type Xml, xmlDocument } from './xml.ts';

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

const linkTo = (rel: string, href: string | undefined): readonly Xml[] =>
  href === undefined ? [] : [emptyElement('atom:link', { href, rel, type: feedTypes.rss })];

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
    ...textElement('description', summary === '' ? undefined : plainHtml(summary)),
    ...textElement('content:encoded', html),
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

export const rssText = (feed: Feed): string =>
  xmlDocument(
    element('rss', { version: '2.0', ...NAMESPACES }, [
      element('channel', {}, [
        ...textElement('title', feed.title),
        ...textElement('link', feed.home),
        ...textElement('description', plainHtml(feed.description)),
        ...textElement('language', feed.lang),
        ...linkTo('self', feed.self),
        ...linkTo('next', feed.next),
        ...(feed.items.length === 0 ? [] : dateElement('pubDate', feed.updatedAt)),
        ...textElement('generator', 'Postern'),
        ...textElement('ttl', TTL_MINUTES),
        ...imageElement(feed),
        ...feed.items.map(itemElement),
      ]),
    ]),
  );
