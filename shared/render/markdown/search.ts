// Renders search results as Markdown.
import type { SearchResults } from '../../model/resources.ts';
import { byteLength } from '../content/format.ts';
import { feedTitles, noResults, searchTitle } from '../content/list-labels.ts';
import { truncateText } from '../content/truncate.ts';
import { type MarkdownBlock, renderBlock } from './block.ts';
import { escapeHeading, type PostStyle } from './escape.ts';
import type { ListDocument } from './list.ts';
import { headedPost } from './post.ts';
import { postItems } from './posts.ts';
import { userItems } from './users.ts';

const searchHead = (query: string): MarkdownBlock =>
  renderBlock((context) => `# ${escapeHeading(context, searchTitle(query))}`);

const shortSearchHead = (query: string, maxBytes: number): MarkdownBlock =>
  searchHead(truncateText(query, (text) => byteLength(searchHead(text).markdown) <= maxBytes)?.text ?? '…');

export const searchDocument = (
  { query, feed, posts = [], users = [] }: SearchResults,
  style: PostStyle,
): ListDocument => ({
  head: searchHead(query),
  subject: 'the query',
  shortenHead: (maxBytes) => shortSearchHead(query, maxBytes),
  section: `## ${feedTitles[feed]}`,
  ...(feed === 'users' ? userItems(users) : { ...postItems(posts, headedPost, style), between: '\n\n' }),
  none: noResults(feed),
});
