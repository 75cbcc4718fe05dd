// Builds the titles of a post, of its page and of its note, and the forms in which readers cite it. Plain text.
import { graphemeStart } from '../../model/graphemes.ts';
import type { ListKey } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { cutTitle, withoutEndMarks } from './cut.ts';
import { byteLength, formatDate } from './format.ts';
import { displayName, nameAndHandle } from './labels.ts';
import { previewText } from './link-preview.ts';
import { linkPlacesOf } from './links.ts';
import { withoutLeadingMentions, withoutQuoteUrl } from './repeats.ts';

// Names the files of posts and lists. Third parties wrote the words, so a name must be safe on every file system.

/** A name with its extension, safe on every file system. */
export interface FileName {
  readonly name: string;
  /** The same for clients that read only ASCII. */
  readonly ascii: string;
}

/** File systems allow 255 bytes. */
const MAX_NAME_BYTES = 180;

/** Characters with a meaning in paths, in Windows, in links of Obsidian, or in header fields. */
const UNSAFE = /[\\/:*?"<>|#^[\]%`$\u0000-\u001f\u007f-\u009f]+/g;
/** A file whose name starts with a dot is hidden. A name that starts with a hyphen can pass for an option. */
const START = /^[\s.~-]+/;
/** Windows drops dots and spaces at the end. */
const END = /[\s.]$/;
/** Windows reserves these names, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

const withoutEnd = (name: string): string => {
  let end = name.length;
  while (END.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
};

/** Whole characters only. */
const bounded = (name: string): string => {
  let end = 0;
  let bytes = 0;
  for (const character of name) {
    bytes += byteLength(character);
    if (bytes > MAX_NAME_BYTES) return name.slice(0, graphemeStart(name, end));
    end += character.length;
  }
  return name;
};

const safeName = (title: string): string => {
  const name = withoutEnd(
    bounded(title.replace(/: /g, ' - ').replace(UNSAFE, ' ').replace(/\s+/g, ' ').replace(START, '')),
  );
  return RESERVED.test(name) ? `_${name}` : name;
};

const NOT_ASCII = /[^\u0020-\u007e]/g;
const LETTER_NOT_ASCII = /(?=[\p{L}\p{N}])[^\u0020-\u007e]/u;

/** Drops accents and symbols. @returns an empty string if letters would be lost */
const asciiName = (name: string): string => {
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-');
  return LETTER_NOT_ASCII.test(folded) ? '' : safeName(folded.replace(NOT_ASCII, ' ')).replace(/ (?=[,;.!])/g, '');
};

/** The title of a post as the name of a file. @param extension with its dot */
export const postFileName = (post: Post, extension: string): FileName => {
  const plain = `${post.author?.handle ?? 'post'}-${post.id}`;
  const name = safeName(noteTitle(post)) || plain;
  return { name: name + extension, ascii: (asciiName(name) || plain) + extension };
};

/** @param list its key @param extension with its dot @returns such as `followers-jack.csv` */
export const listFileName = (list: ListKey, extension: string): FileName => {
  const [kind = ''] = list;
  const plain = (text: string): string => safeName(text).replaceAll(' ', '-');
  const name = plain(list.filter((part) => part !== '').join('-'));
  return { name: name + extension, ascii: (plain(asciiName(name)) || plain(kind)) + extension };
};

/** About the width of a line. Search engines and tabs cut longer titles. */
const TITLE_CHARACTERS = 60;

/** X accepts no longer name. */
const NAME_CHARACTERS = 50;

/** A title needs no more of a text, and a post can have 25,000 characters. */
const READ_UNITS = 2000;

/** Without what X hides. */
const ownPost = (post: Post): Post => withoutQuoteUrl(withoutLeadingMentions(post, () => true));

const lineOf = (text: string): string => visibleLine(text.slice(0, READ_UNITS));

const BLANK = /\s/;
const WORDS = /[\p{L}\p{N}\p{S}]/u;

/** The words between the links. A mark after a link stays, such as a question mark. Empty: there are links only. */
const withoutLinks = (post: Post): string => {
  const { text } = post;
  let words = '';
  let at = 0;
  for (const { start, end } of linkPlacesOf(post)) {
    if (start > 0 && !BLANK.test(text.charAt(start - 1))) continue;
    words += text.slice(at, start).trimEnd();
    at = end;
  }
  words += text.slice(at);
  return at === 0 || WORDS.test(words) ? words : '';
};

/** The text on one line without links, or what stands for an empty text. Empty: there are links only. */
const ownLine = (whole: Post): string => {
  const post = ownPost(whole);
  return lineOf(post.text.includes('://') ? withoutLinks(post) : previewText(post));
};

/** A text of links only keeps them. */
const ownWords = (post: Post): string => withoutEndMarks(ownLine(post) || lineOf(ownPost(post).text));

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
  const words = cutTitle(articleTitle(post) || withoutEndMarks(ownLine(post)), TITLE_CHARACTERS);
  if (author === undefined) return words === '' ? `Post ${id}` : words;
  return words === '' ? nameAndHandle(author) : `${displayName(author)}: ${words}`;
};

/** @returns a link in Markdown (CommonMark 6.3) */
export const markdownLink = (title: string, url: string): string =>
  `[${title.replace(/[\\[\]<>`*_~]|&(?=#?\w+;)/g, '\\$&')}](${url})`;

const LATEX = /[\\{}#$%&_~^]/g;
const latexNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['\\', '\\textbackslash{}'],
  ['~', '\\textasciitilde{}'],
  ['^', '\\textasciicircum{}'],
  // BibTeX counts braces, also those after a backslash.
  ['{', '\\textbraceleft{}'],
  ['}', '\\textbraceright{}'],
]);

/** Braces keep the letter case, and a name as one. */
const latex = (text: string): string =>
  `"{${text.replace(LATEX, (character) => latexNames.get(character) ?? `\\${character}`)}}"`;

/** @returns an entry of BibTeX on one line */
export const bibtex = (post: Post): string => {
  const { id, author, created_at: created, url } = post;
  const fields = [
    ...(author === undefined ? [] : [`author = ${latex(nameAndHandle(author))}`]),
    `title = ${latex(citedTitle(post) || `Post ${id}`)}`,
    ...(created === undefined ? [] : [`year = {${created.slice(0, 4)}}`]),
    'howpublished = {X}',
    `url = {${url}}`,
  ];
  return `@misc{x${id}, ${fields.join(', ')}}`;
};

/** The title of an article, or the first words of a post. Empty: it has none. */
export const citedTitle = (post: Post): string => articleTitle(post) || cutTitle(ownWords(post), TITLE_CHARACTERS);

/** @returns `Ada Larsson (@ada), “first words”, X, 20 March 2026, https://x.com/…` */
export const citation = (post: Post): string => {
  const { author, created_at: created, url } = post;
  const words = citedTitle(post);
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
