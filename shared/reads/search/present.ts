// Shows the results of a search in every format.
import { searchDescription, searchPageTitle } from '../../render/content/list-labels.ts';
import { writeFeed } from '../../render/feeds/write-feed.ts';
import { pageLink, searchUrlOnX } from '../../render/html/inner-links.ts';
import { createListPresenter } from '../paging/list-presenter.ts';
import { searchData } from './document.ts';
import { feedPath, searchHtml } from './page.ts';

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
