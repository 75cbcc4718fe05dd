// Shows the results of a search as Markdown and JSON.
import type { SearchResults } from '../../model/resources.ts';
import { truncateText } from '../../render/content/cut.ts';
import { byteLength } from '../../render/content/format.ts';
import { feedTitles } from '../../render/content/list-labels.ts';
import type { MarkdownBlock, PostStyle } from '../../render/markdown/context.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts, headingOf, userItems } from '../../render/markdown/list-items.ts';
import type { ListData } from '../paging/list-presenter.ts';

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
