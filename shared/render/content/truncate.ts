// The beginning of what is too long, so that fences and links are closed by construction: it is cut in the model and
// rendered again.
import type { Article, Post } from '../../model/post.ts';
import { linkPlaces } from './links.ts';

const BOUNDARIES: readonly RegExp[] = [
  /\n\s*\n/g, // paragraph
  /[.!?…。！？](?=[\s"'”’)]|$)|[。！？]/g, // sentence
  /\s+/g, // word
];

/** Ends of text that may be kept, best kind of boundary first. */
const cutPoints = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)]
    .map((match) => match.index + (/\s/.test(match[0]) ? 0 : match[0].length))
    .filter((at) => at > 0);

/**
 * The last of the points that fits. The first ones are tried first, each further step twice as long: what is tried is
 * never much longer than what fits, however long the text is.
 *
 * @param points ascending; behind one that does not fit none does
 */
const longestFitting = (points: readonly number[], fits: (at: number) => boolean): number | undefined => {
  const fitsAt = (index: number): boolean => {
    const at = points[index];
    return at !== undefined && fits(at);
  };
  let low = 0;
  let step = 1;
  for (; fitsAt(low + step - 1); step *= 2) low += step;
  let high = low + step - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fitsAt(middle)) low = middle + 1;
    else high = middle;
  }
  return points[low - 1];
};

const withoutAttachments = (
  { id, url, created_at: created, metrics, author, in_reply_to: parent }: Post,
  text: string,
  links: Post['links'],
): Post => ({
  id,
  url,
  text,
  metrics,
  media: [],
  mentions: [],
  hashtags: [],
  links,
  ...(created !== undefined && { created_at: created }),
  ...(author !== undefined && { author }),
  ...(parent !== undefined && { in_reply_to: parent }),
});

/** Ends within a text that cut no character in two. */
const characterEnds = (text: string): number[] => {
  const ends: number[] = [];
  for (const character of text) ends.push((ends.at(-1) ?? 0) + character.length);
  return ends;
};

/** A better boundary is taken if it keeps at least so much of what a worse one would. */
const MIN_KEPT_FRACTION = 0.5;

/**
 * The longest beginning that fits, up to the end of a paragraph, else of a sentence, else of a word, else of a character.
 *
 * @param fits told as well whether a word, maybe an address, is cut in two
 */
export const truncateText = (
  text: string,
  fits: (shorter: string, isWithinWord: boolean) => boolean,
): { readonly words: string; readonly isWithinWord: boolean } | undefined => {
  const fitting = BOUNDARIES.map((pattern) =>
    longestFitting(cutPoints(text, pattern), (end) => fits(`${text.slice(0, end)} …`, false)),
  );
  const most = Math.max(...fitting.map((end) => end ?? 0));
  const end = fitting.find((candidate) => candidate !== undefined && candidate >= most * MIN_KEPT_FRACTION);
  if (end !== undefined) return { words: `${text.slice(0, end)} …`, isWithinWord: false };
  const at = longestFitting(characterEnds(text), (end) => fits(`${text.slice(0, end)}…`, true));
  return at === undefined ? undefined : { words: `${text.slice(0, at)}…`, isWithinWord: true };
};

/** The links of the beginning of a text: all of them would have to be looked for in every beginning that is tried. */
const linksOf = ({ text, links }: Post): ((length: number) => Post['links']) => {
  const byUrl = new Map(links.map((link) => [link.url, link]));
  const places = linkPlaces(text, [...byUrl.keys()]);
  return (length) => {
    const within = new Set<Post['links'][number]>();
    for (const { end, url } of places) {
      const link = byUrl.get(url);
      if (end > length) break;
      if (link !== undefined) within.add(link);
    }
    return [...within];
  };
};

const truncatePostText = (post: Post, fits: (shorter: Post) => boolean): Post | undefined => {
  const { text, links } = post;
  const whole = withoutAttachments(post, text, links);
  if (fits(whole)) return whole;
  const linksWithin = linksOf(post);
  const saying = (words: string, isWithinWord: boolean): Post =>
    withoutAttachments(post, words, isWithinWord ? [] : linksWithin(words.length));
  const shorter = truncateText(text, (words, isWithinWord) => fits(saying(words, isWithinWord)));
  return shorter === undefined ? undefined : saying(shorter.words, shorter.isWithinWord);
};

const shortenArticle = (post: Post, article: Article, fits: (shorter: Post) => boolean): Post | undefined => {
  const { title, blocks, preview_text: preview } = article;
  const withBlocks = (count: number): Post => ({
    ...withoutAttachments(post, post.text, post.links),
    article: { title, blocks: blocks.slice(0, count) },
  });
  const count = longestFitting(
    blocks.map((_, index) => index + 1),
    (end) => fits(withBlocks(end)),
  );
  if (count !== undefined) return withBlocks(count);
  const [first] = blocks;
  const words =
    first !== undefined && 'spans' in first ? first.spans.map(({ text }) => text).join('') : (preview ?? '');
  return truncatePostText({ ...post, text: `${title}\n\n${words}`, links: [] }, fits);
};

/** The post with nothing but its first words, under a handle for a name: this always fits. */
const shortest = (post: Post, fits: (shorter: Post) => boolean): Post => {
  const { author, in_reply_to: _parent, ...rest } = withoutAttachments(post, post.text, []);
  const plain: Post = {
    ...rest,
    metrics: { likes: null, reposts: null, replies: null, quotes: null, bookmarks: null, views: null },
    ...(author !== undefined && { author: { handle: author.handle, name: author.handle, url: author.url } }),
  };
  return truncatePostText(plain, fits) ?? { ...plain, text: '' };
};

export const truncatePost = (post: Post, fits: (shorter: Post) => boolean): Post => {
  const { article } = post;
  const shorter =
    article !== undefined && article.blocks.length > 0
      ? shortenArticle(post, article, fits)
      : truncatePostText(post, fits);
  return shorter ?? shortest(post, fits);
};
