// Writes a feed in the format that the request chose.
import type { FeedFormat } from '../../contract/media-types.ts';
import { atomText } from './atom.ts';
import { createFeed, type Feed, type FeedSource } from './feed.ts';
import { jsonFeedText } from './json-feed.ts';
import { rssText } from './rss.ts';

const writers: Readonly<Record<FeedFormat, (feed: Feed) => string>> = {
  rss: rssText,
  atom: atomText,
  jsonfeed: jsonFeedText,
};

export interface FeedText {
  readonly body: string;
  /** The body without the next page, whose cursor differs from one provider call to the next. */
  readonly identity: string;
}

export const writeFeed = (format: FeedFormat, source: FeedSource): FeedText => {
  const feed = createFeed(source);
  const write = writers[format];
  const identity = write({ ...feed, next: undefined });
  return { body: feed.next === undefined ? identity : write(feed), identity };
};
