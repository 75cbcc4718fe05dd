// What a search found -> the representation that was asked for.
import { queryString } from '../contract/query-string.ts';
import type { Feed } from '../model/feed.ts';
import type { Post } from '../model/post.ts';
import type { SearchResults } from '../model/search-results.ts';
import { headingWords, type Ink } from './escape.ts';
import { type List, type Piece, pieceOf } from './list.ts';
import { listHtml, userHtml } from './list-html.ts';
import { postItems } from './list-posts.ts';
import { userItems } from './list-users.ts';
import { content, context, heading } from './post.ts';
import * as html from './post-html.ts';
import { withArticleMarkdown } from './represent.ts';
import { type PageWanted, representList } from './represent-list.ts';
import { shortenWords } from './shorten.ts';
import { bytes } from './words.ts';

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

const headOf = (query: string): Piece => pieceOf((ink) => `# ${headingWords(ink, titleOf(query))}`);

const shortHead = (query: string, room: number): Piece =>
  headOf(shortenWords(query, (words) => bytes(headOf(words).markdown) <= room)?.words ?? '…');

const foundPost = (ink: Ink, post: Post): string =>
  `### ${heading(ink, post.author)}\n\n${context(ink, post)}${content(ink, post)}`;

const searchList = ({ query, feed, posts = [], users = [], next_cursor: cursor }: SearchResults): List => ({
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
  { address, next, messages }: PageWanted,
): string => {
  const shown = queryString({ q: query.toWellFormed(), f: feedsOfX[feed] });
  return listHtml({
    head: {
      type: 'website',
      title: `${titleOf(query)} on X`,
      description: `${sections[feed]} on X for: ${query}`,
      canonical: `https://x.com/search?${shown}`,
      address,
      next,
    },
    heading: titleOf(query),
    section: sections[feed],
    items:
      feed === 'users'
        ? users.map(userHtml)
        : posts.map((post) => `<article>${html.byline(post)}${html.context(post)}${html.body(post)}</article>`),
    none: noneOf(feed),
    messages,
  });
};

export const representSearch = representList<SearchResults>({
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
