// Builds the title of a post and the forms in which readers cite it. Plain text.
import type { Post } from '../../model/post.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { formatDate } from './format.ts';
import { displayName } from './labels.ts';
import { previewText } from './link-preview.ts';
import { withoutLeadingMentions, withoutQuoteUrl } from './repeats.ts';

/** Search engines and tabs cut longer titles. */
const TITLE_CHARACTERS = 60;

/** X accepts no longer name. */
const NAME_CHARACTERS = 50;

/** A title that ends at a word keeps at least this share of its length. */
const MIN_KEPT_FRACTION = 0.6;

/** A title needs no more of a text, and a post can have 25,000 characters. */
const READ_UNITS = 2000;

/** @param characters the length of the result without the mark of the cut */
const firstWords = (text: string, characters: number): string => {
  const line = visibleLine(text);
  const shown = Array.from(line);
  if (shown.length <= characters) return line;
  const cut = shown.slice(0, characters).join('');
  const space = cut.lastIndexOf(' ');
  const isWordEnd = shown[characters] === ' ';
  const end = isWordEnd || space < cut.length * MIN_KEPT_FRACTION ? cut.length : space;
  return `${cut.slice(0, end).replace(/[\s,;:–—-]+$/, '')}…`;
};

const ADDRESS = /^https?:\/\//;

/** The words without what X hides and without links; a text of links only keeps them. */
const ownWords = (post: Post): string => {
  const text = previewText(withoutQuoteUrl(withoutLeadingMentions(post, () => true))).slice(0, READ_UNITS);
  const words = visibleLine(text).split(' ');
  const kept = words.filter((word) => !ADDRESS.test(word));
  return (kept.length === 0 ? words : kept).join(' ');
};

/** @returns `Ada Larsson: first words…`, or the title of the article */
export const postTitle = (post: Post): string => {
  const { author, article } = post;
  if (article !== undefined && visibleLine(article.title) !== '') return visibleLine(article.title);
  const name = author === undefined ? 'Post' : firstWords(displayName(author), NAME_CHARACTERS);
  const words = firstWords(ownWords(post), Math.max(TITLE_CHARACTERS / 2, TITLE_CHARACTERS - Array.from(name).length));
  return words === '' ? name : `${name}: ${words}`;
};

/** @returns a link in Markdown (CommonMark 6.3) */
export const markdownLink = (title: string, url: string): string =>
  `[${title.replace(/[\\[\]<>`*_]/g, '\\$&')}](${url})`;

/** @returns `Ada Larsson (@ada), “first words”, X, 20 March 2026, https://x.com/…` */
export const citation = (post: Post): string => {
  const { author, article, created_at: created, url } = post;
  const words = article === undefined ? firstWords(ownWords(post), TITLE_CHARACTERS) : visibleLine(article.title);
  return [
    author === undefined ? '' : `${displayName(author)} (@${author.handle})`,
    words === '' ? '' : `“${words}”`,
    'X',
    created === undefined ? '' : formatDate(created),
    url,
  ]
    .filter((part) => part !== '')
    .join(', ');
};
