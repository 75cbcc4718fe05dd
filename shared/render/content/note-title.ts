// Builds the title of a note about a post.
import type { Post } from '../../model/post.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { displayName } from './labels.ts';
import { previewText } from './link-preview.ts';
import { withoutLeadingMentions, withoutQuoteUrl } from './repeats.ts';

/** About the width of a line. */
const MAX_TITLE_CHARACTERS = 60;
/** A longer beginning is not needed for the words, and a post can have 25,000 characters. */
const MAX_READ_UNITS = 1000;

const ADDRESS = /^https?:\/\//;

/** At most 60 characters of a line. A longer line ends after a word, with an ellipsis. */
const shortLine = (line: string): string => {
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS).join('');
  const end = characters[MAX_TITLE_CHARACTERS] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${end > 0 ? cut.slice(0, end) : cut}…`;
};

/** The first words of a post, on one line and without links; the title of an article. Empty if the post has no words. */
const firstWords = (post: Post): string => {
  const { article } = post;
  if (article !== undefined && visibleLine(article.title) !== '') return shortLine(visibleLine(article.title));
  const shown = withoutQuoteUrl(withoutLeadingMentions(post, () => true));
  const words = visibleLine(previewText(shown).slice(0, MAX_READ_UNITS)).split(' ');
  return shortLine(words.filter((word) => !ADDRESS.test(word)).join(' '));
};

/** @returns for example `Ada: the tide is late`, or `Ada (@ada)` if the post has no words */
export const noteTitle = (post: Post): string => {
  const { id, author } = post;
  const words = firstWords(post);
  if (author === undefined) return words === '' ? `Post ${id}` : words;
  return words === '' ? `${displayName(author)} (@${author.handle})` : `${displayName(author)}: ${words}`;
};
