// Writes a feed as JSON Feed 1.1 (jsonfeed.org). JSON leaves undefined members out.
import type { Feed, FeedAuthor, FeedItem } from './feed.ts';

const authorsOf = (author: FeedAuthor | undefined): readonly FeedAuthor[] | undefined =>
  author === undefined ? undefined : [author];

const itemObject = (item: FeedItem): object => {
  const { id, url, title, html, author, publishedAt, lang, tags, picture, enclosure } = item;
  return {
    id,
    url,
    title,
    content_html: html,
    image: picture,
    date_published: publishedAt.toISOString(),
    authors: authorsOf(author),
    tags: tags.length === 0 ? undefined : tags,
    language: lang,
    attachments: enclosure && [
      { url: enclosure.url, mime_type: enclosure.type, duration_in_seconds: enclosure.durationSeconds },
    ],
  };
};

export const jsonFeedText = (feed: Feed): string =>
  `${JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.home,
    feed_url: feed.self,
    description: feed.description,
    next_url: feed.next,
    icon: feed.author?.avatar,
    authors: authorsOf(feed.author),
    language: feed.lang,
    items: feed.items.map(itemObject),
  })}\n`;
