// Presents search results.
import type { SearchResults } from '../../model/resources.ts';
import { searchDescription, searchPageTitle } from '../content/list-labels.ts';
import { writeFeed } from '../feeds/write-feed.ts';
import { feedPath, searchHtml, searchUrlOnX } from '../html/search.ts';
import { searchFormHtml } from '../html/search-form.ts';
import { searchDocument } from '../markdown/list-documents.ts';
import { createListPresenter, withArticleMarkdown } from './list-presenter.ts';

export const presentSearch = createListPresenter<SearchResults>({
  members: ({ query, feed, posts, users, next_cursor, degraded }) => ({
    query,
    feed,
    posts: posts?.map(withArticleMarkdown),
    users,
    next_cursor,
    degraded,
  }),
  document: searchDocument,
  html: searchHtml,
  feed: ({ query, feed, posts = [] }, format, urls) =>
    writeFeed(format, {
      ...urls,
      id: searchUrlOnX(query, feed),
      title: searchPageTitle(query, feed),
      description: searchDescription(query, feed),
      home: `${urls.baseUrl}${feedPath(query, feed)}`,
      posts,
    }),
  messages: ({ degraded }) => (degraded ? ['A source with less data answered.'] : []),
});

/** @returns the HTML page of a search without a search text */
export const presentSearchForm = (baseUrl: string): string => searchFormHtml(baseUrl);
