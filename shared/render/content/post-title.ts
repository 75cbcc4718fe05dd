// Builds the titles of a post, of its page and of its note, and the forms in which readers cite it. Plain text.
import type { Post } from '../../model/post.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { cutTitle, withoutEndMarks } from './cut.ts';
import { formatDate } from './format.ts';
import { displayName, nameAndHandle } from './labels.ts';
import { previewText } from './link-preview.ts';
import { withoutLeadingMentions, withoutQuoteUrl } from './repeats.ts';

/** About the width of a line. Search engines and tabs cut longer titles. */
const TITLE_CHARACTERS = 60;

/** X accepts no longer name. */
const NAME_CHARACTERS = 50;

/** A title needs no more of a text, and a post can have 25,000 characters. */
const READ_UNITS = 2000;

const LINK = /^https?:\/\//;

/** The text on one line, without what X hides. */
const ownLine = (post: Post): string =>
  visibleLine(previewText(withoutQuoteUrl(withoutLeadingMentions(post, () => true))).slice(0, READ_UNITS));

const withoutLinks = (line: string): string =>
  line
    .split(' ')
    .filter((word) => !LINK.test(word))
    .join(' ');

/** A text of links only keeps them. */
const ownWords = (post: Post): string => {
  const line = ownLine(post);
  return withoutEndMarks(withoutLinks(line) || line);
};

/** Empty if the post has no article, or its article no title. */
const articleTitle = ({ article }: Post): string => (article === undefined ? '' : visibleLine(article.title));

/** @returns `Ada Larsson: first words…`, or the title of the article */
export const postTitle = (post: Post): string => {
  const title = articleTitle(post);
  if (title !== '') return title;
  const { author } = post;
  const name = author === undefined ? 'Post' : cutTitle(displayName(author), NAME_CHARACTERS);
  const words = cutTitle(ownWords(post), Math.max(TITLE_CHARACTERS / 2, TITLE_CHARACTERS - Array.from(name).length));
  return words === '' ? name : `${name}: ${words}`;
};

/** @returns `Ada Larsson: first words…`, or `Ada Larsson (@ada)` if the post has links only */
export const noteTitle = (post: Post): string => {
  const { id, author } = post;
  const words = cutTitle(articleTitle(post) || withoutEndMarks(withoutLinks(ownLine(post))), TITLE_CHARACTERS);
  if (author === undefined) return words === '' ? `Post ${id}` : words;
  return words === '' ? nameAndHandle(author) : `${displayName(author)}: ${words}`;
};

/** @returns a link in Markdown (CommonMark 6.3) */
export const markdownLink = (title: string, url: string): string =>
  `[${title.replace(/[\\[\]<>`*_]/g, '\\$&')}](${url})`;

/** @returns `Ada Larsson (@ada), “first words”, X, 20 March 2026, https://x.com/…` */
export const citation = (post: Post): string => {
  const { author, created_at: created, url } = post;
  const words = articleTitle(post) || cutTitle(ownWords(post), TITLE_CHARACTERS);
  return [
    author === undefined ? '' : nameAndHandle(author),
    words === '' ? '' : `“${words}”`,
    'X',
    created === undefined ? '' : formatDate(created),
    url,
  ]
    .filter((part) => part !== '')
    .join(', ');
};
