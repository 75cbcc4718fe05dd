// Sets up the search of the documentation. The build and the browser must use the same options.
import type { Options } from 'minisearch';

export interface SearchSection {
  /** Path and fragment. */
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** The beginning of the text. */
  readonly excerpt: string;
}

export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['page', 'title', 'excerpt'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    // One wrong letter in a word of five to nine letters, two in a longer word.
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
} satisfies Options<SearchSection>;
