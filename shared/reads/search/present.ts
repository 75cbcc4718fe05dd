// Shows the results of a search: as Markdown and JSON, and in every format.
import type { SearchResults } from '../../model/resources.ts';
import { truncateText } from '../../render/content/cut.ts';
import { byteLength } from '../../render/content/format.ts';
import { feedTitles, searchDescription, searchPageTitle } from '../../render/content/list-labels.ts';
import { writeFeed } from '../../render/feeds/write-feed.ts';
import { pageLink, searchUrlOnX } from '../../render/html/inner-links.ts';
import type { MarkdownBlock, PostStyle } from '../../render/markdown/context.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts, headingOf, userItems } from '../../render/markdown/list-items.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';
import { feedPath, searchHtml } from './page.ts';

const searchDocument = ({ query, feed, posts = [], users = [] }: SearchResults, style: PostStyle): ListDocument => {
  const head = (text: string): MarkdownBlock => headingOf(`Search: ${text}`);
  return {
    head: head(query),
    shortHead: {
      subject: 'the query',
      within: (maxBytes) =>
        head(truncateText(query, (text) => byteLength(head(text).markdown) <= maxBytes)?.text ?? '…'),
    },
    section: `## ${feedTitles[feed]}`,
    ...(feed === 'users' ? userItems(users) : headedPosts(posts, style)),
    none: feed === 'users' ? 'No accounts were found.' : 'No posts were found.',
  };
};

export const searchData: ListData<SearchResults> = { document: searchDocument };

export const presentSearch = /* @__PURE__ */ createListPresenter<'search'>(searchData, {
  html: searchHtml,
  feed: ({ query, feed, posts = [] }, format, urls) =>
    writeFeed(format, {
      ...urls,
      id: searchUrlOnX(query, feed),
      title: searchPageTitle(query, feed),
      description: searchDescription(query, feed),
      home: pageLink(urls, feedPath(query, feed)) ?? searchUrlOnX(query, feed),
      posts,
    }),
});
