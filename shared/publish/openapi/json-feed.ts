// Describes a feed in JSON Feed 1.1, with the members that the service writes.
import { ref } from './responses.ts';

const text = { type: 'string' };
const url = { type: 'string', format: 'uri' };

const authors = { type: 'array', items: ref('schemas', 'JsonFeedAuthor') };

const author = {
  type: 'object',
  description: 'The author of a post or of a feed.',
  required: ['name', 'url'],
  properties: { name: text, url, avatar: url },
};

const attachment = {
  type: 'object',
  description: 'A picture or video.',
  required: ['url', 'mime_type'],
  properties: { url, mime_type: text, duration_in_seconds: { type: 'integer', format: 'int32', minimum: 0 } },
};

const item = {
  type: 'object',
  description: 'A post.',
  required: ['id', 'url', 'title', 'content_html', 'date_published'],
  properties: {
    id: { ...url, description: 'URL of the post on X.' },
    url: { ...url, description: 'URL of the post on this service.' },
    title: { ...text, description: 'Plain text.' },
    content_html: { ...text, description: 'The post as HTML, with pictures from hosts of X only.' },
    image: { ...url, description: 'The first picture.' },
    date_published: { type: 'string', format: 'date-time' },
    authors,
    tags: { type: 'array', items: text, description: 'Hashtags without #.' },
    language: { ...text, description: 'BCP 47.' },
    attachments: {
      type: 'array',
      items: ref('schemas', 'JsonFeedAttachment'),
      description: 'The first picture or video.',
    },
  },
};

const feed = {
  type: 'object',
  description: 'A feed in JSON Feed 1.1.',
  required: ['version', 'title', 'home_page_url', 'feed_url', 'description', 'items'],
  properties: {
    version: { type: 'string', const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: url,
    feed_url: url,
    description: text,
    next_url: { ...url, description: 'The next page of the feed.' },
    icon: url,
    authors,
    language: { ...text, description: 'BCP 47, if all items have it.' },
    items: { type: 'array', items: ref('schemas', 'JsonFeedItem') },
  },
};

export const jsonFeedSchemas = {
  JsonFeed: feed,
  JsonFeedItem: item,
  JsonFeedAuthor: author,
  JsonFeedAttachment: attachment,
};
