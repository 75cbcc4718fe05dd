// Searches the documentation in the browser. Loaded together with the index when the search field gets the focus.
import MiniSearch from 'minisearch';
import { type SearchSection, searchOptions } from './search-options.ts';

export interface SearchResult {
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

export type Search = (words: string) => readonly SearchResult[];

const MAX_RESULTS = 8;

/** @param json the index that the build has made */
export const createSearch = (json: string): Search => {
  const index = MiniSearch.loadJSON<SearchSection>(json, searchOptions);
  return (words) =>
    index
      .search(words)
      .slice(0, MAX_RESULTS)
      .map(({ id, ...stored }) => ({
        href: String(id),
        page: String(stored['page']),
        title: String(stored['title']),
        excerpt: String(stored['excerpt']),
      }));
};
