// Renders search results as an HTML page.
import { queryString } from '../../contract/query-string.ts';
import type { Feed } from '../../model/feed.ts';
import type { SearchResults } from '../../model/search-results.ts';
import { feedTitles, noResults, searchTitle } from '../content/list-labels.ts';
import { type ListPageOptions, listHtml } from './list.ts';
import { postItemHtml } from './post-item.ts';
import { userHtml } from './users.ts';

/** The names of the feeds in X's own URLs; without a name X shows the top posts. */
const feedParameters: Readonly<Record<Feed, string | undefined>> = {
  latest: 'live',
  top: undefined,
  media: 'media',
  users: 'user',
};

export const searchHtml = (
  { query, feed, posts = [], users = [] }: SearchResults,
  { url, next, messages }: ListPageOptions,
): string => {
  const parameters = queryString({ q: query.toWellFormed(), f: feedParameters[feed] });
  return listHtml({
    head: {
      type: 'website',
      title: `${searchTitle(query)} on X`,
      description: `${feedTitles[feed]} on X for: ${query}`,
      canonical: `https://x.com/search?${parameters}`,
      url,
      next,
    },
    heading: searchTitle(query),
    section: feedTitles[feed],
    items: feed === 'users' ? users.map(userHtml) : posts.map((post) => postItemHtml(post)),
    none: noResults(feed),
    messages,
  });
};
