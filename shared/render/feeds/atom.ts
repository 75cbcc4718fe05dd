// Writes a feed as Atom (RFC 4287), with the pages of RFC 5005 section 3.
import { feedTypes, mediaTypes } from '../../contract/media-types.ts';
import type { Feed, FeedAuthor, FeedItem } from './feed.ts';
import { element, emptyElement, textElement, type Xml, xmlDocument } from './xml.ts';

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
  const { id, url, title, html, author, publishedAt, lang, tags, enclosure } = item;
  const time = publishedAt.toISOString();
  return element('entry', { 'xml:lang': lang }, [
    ...textElement('id', id),
    ...textElement('title', title),
    ...textElement('updated', time),
    ...textElement('published', time),
    ...authorElement(author),
    ...linkTo('alternate', url, mediaTypes.html),
    ...linkTo('enclosure', enclosure?.url, enclosure?.type ?? ''),
    ...tags.map((term) => emptyElement('category', { term })),
    ...textElement('content', html, { type: 'html' }),
  ]);
};

export const atomText = (feed: Feed): string =>
  xmlDocument(
    element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.lang }, [
      ...textElement('id', feed.id),
      ...textElement('title', feed.title),
      ...textElement('subtitle', feed.description),
      ...textElement('updated', feed.updatedAt.toISOString()),
      ...anyAuthor(feed),
      ...linkTo('self', feed.self, feedTypes.atom),
      ...linkTo('next', feed.next, feedTypes.atom),
      ...linkTo('alternate', feed.home, mediaTypes.html),
      ...textElement('generator', 'Postern'),
      ...textElement('icon', feed.author?.avatar),
      ...feed.items.map(entryElement),
    ]),
  );
