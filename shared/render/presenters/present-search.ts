// What a search found -> the representation that was asked for.
import { queryString } from '../../contract/query-string.ts';
import type { Feed } from '../../model/feed.ts';
import type { Post } from '../../model/post.ts';
import type { SearchResults } from '../../model/search-results.ts';
import { byteLength } from '../content/format.ts';
import { truncateText } from '../content/truncate.ts';
import { listHtml, userHtml } from '../html/list.ts';
import * as html from '../html/post.ts';
import { type MarkdownBlock, renderBlock } from '../markdown/block.ts';
import { escapeHeading, type MarkdownContext } from '../markdown/escape.ts';
import type { ListDocument } from '../markdown/list.ts';
import { postItems } from '../markdown/list-posts.ts';
import { userItems } from '../markdown/list-users.ts';
import { contextMarkdown, postHeading, postMarkdown } from '../markdown/post.ts';
import { withArticleMarkdown } from './article-member.ts';
import { createListPresenter, type ListPageOptions } from './list-presenter.ts';

const sections: Readonly<Record<Feed, string>> = {
  latest: 'Latest posts',
  top: 'Top posts',
  media: 'Posts with media',
  users: 'Accounts',
};

/** What X calls its feeds; what is not said is top. */
const feedsOfX: Readonly<Record<Feed, string | undefined>> = {
  latest: 'live',
  top: undefined,
  media: 'media',
  users: 'user',
};

const noneOf = (feed: Feed): string => (feed === 'users' ? 'No accounts were found.' : 'No posts were found.');

const titleOf = (query: string): string => `Search: ${query}`;

const headOf = (query: string): MarkdownBlock => renderBlock((ink) => `# ${escapeHeading(ink, titleOf(query))}`);

const shortHead = (query: string, room: number): MarkdownBlock =>
  headOf(truncateText(query, (words) => byteLength(headOf(words).markdown) <= room)?.words ?? '…');

const foundPost = (ink: MarkdownContext, post: Post): string =>
  `### ${postHeading(ink, post.author)}\n\n${contextMarkdown(ink, post)}${postMarkdown(ink, post)}`;

const searchList = ({ query, feed, posts = [], users = [], next_cursor: cursor }: SearchResults): ListDocument => ({
  head: headOf(query),
  subject: 'the query',
  shortenHead: (room) => shortHead(query, room),
  section: `## ${sections[feed]}`,
  ...(feed === 'users' ? userItems(users) : { ...postItems(posts, foundPost), between: '\n\n' }),
  none: noneOf(feed),
  cursor,
});

const searchPage = (
  { query, feed, posts = [], users = [] }: SearchResults,
  { url, next, messages }: ListPageOptions,
): string => {
  const shown = queryString({ q: query.toWellFormed(), f: feedsOfX[feed] });
  return listHtml({
    head: {
      type: 'website',
      title: `${titleOf(query)} on X`,
      description: `${sections[feed]} on X for: ${query}`,
      canonical: `https://x.com/search?${shown}`,
      address: url,
      next,
    },
    heading: titleOf(query),
    section: sections[feed],
    items:
      feed === 'users'
        ? users.map(userHtml)
        : posts.map(
            (post) => `<article>${html.bylineHtml(post)}${html.contextHtml(post)}${html.bodyHtml(post)}</article>`,
          ),
    none: noneOf(feed),
    messages,
  });
};

export const presentSearch = createListPresenter<SearchResults>({
  members: ({ query, feed, posts, users, next_cursor, degraded }): SearchResults => ({
    query,
    feed,
    posts: posts?.map(withArticleMarkdown),
    users,
    next_cursor,
    degraded,
  }),
  list: searchList,
  page: searchPage,
  messages: ({ degraded }) => (degraded ? ['A source with less data answered.'] : []),
});
