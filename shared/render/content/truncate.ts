// Truncates a text or a post in the model. The caller renders the result again, so fences and links are closed by
// construction.
import { isRecord } from '../../model/json.ts';
import type { Article, Post } from '../../model/post.ts';
import { visibleText } from '../../model/visible-text.ts';
import { spansText } from './article-text.ts';
import { BYTES_PER_TOKEN } from './format.ts';
import { linkPlaces } from './links.ts';

/** Shorter texts are not worth a cut before rendering. */
const MIN_REACH = 20_000;
/** A shorter list of blocks or spans is not worth it either, unless one of them is long. */
const MIN_ITEMS = 1000;

const BLANKS = /\s+/g;

const shownCharacters = (text: string): number => visibleText(text).replace(BLANKS, '').length;

/** The text of a span or a block. */
const textIn = (part: unknown): string => {
  if (!isRecord(part)) return '';
  const { text, spans } = part;
  if (typeof text === 'string') return text;
  return Array.isArray(spans) ? spans.map(textIn).join('') : '';
};

/** The first of the spans or blocks that have more characters to show than the bound; all if they have no more. */
const itemsWithinReach = (items: readonly unknown[], characters: number): readonly unknown[] => {
  let shown = 0;
  const end = items.findIndex((item) => {
    shown += shownCharacters(textIn(item));
    return shown > characters;
  });
  return end === -1 ? items : items.slice(0, end + 1);
};

/** The beginning of a text with more characters to show than the bound; the whole text if it has no more. */
const withinReach = (text: string, characters: number): string => {
  // The names with which an answer begins can be hidden.
  if (text.startsWith('@')) return text;
  for (let end = 2 * characters; end < text.length; end *= 2) {
    const beginning = text.slice(0, end);
    if (shownCharacters(beginning) > characters) return beginning;
  }
  return text;
};

/**
 * Cuts texts that are by themselves longer than a document may be, before anything is rendered. It changes no document:
 * where such a text is shown, the document is too long in any case and is truncated.
 *
 * @param maxTokens of the document; undefined: no bound
 */
export const cutBeyondReach = <T>(value: T, maxTokens: number | undefined): T => {
  if (maxTokens === undefined) return value;
  const characters = Math.max(maxTokens * BYTES_PER_TOKEN, MIN_REACH);
  const isLong = (part: unknown): boolean => {
    if (typeof part === 'string') return part.length > 2 * characters;
    if (Array.isArray(part)) return part.length > MIN_ITEMS || part.some(isLong);
    return isRecord(part) && Object.values(part).some(isLong);
  };
  const cut = (part: unknown): unknown => {
    if (!isLong(part)) return part;
    if (typeof part === 'string') return withinReach(part, characters);
    if (Array.isArray(part)) return part.map(cut);
    if (!isRecord(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => {
        const isText = (name === 'blocks' || name === 'spans') && Array.isArray(member);
        return [name, cut(isText ? itemsWithinReach(member, characters) : member)];
      }),
    );
  };
  return cut(value) as T; // the same shape, with shorter texts
};

const BOUNDARIES: readonly RegExp[] = [
  /\n\s*\n/g, // paragraph
  /[.!?…。！？](?=[\s"'”’)]|$)|[。！？]/g, // sentence
  /\s+/g, // word
];

/** Offsets at which the text may end, read as far as they are needed: a long text has many more than fit. */
function* cutPoints(text: string, pattern: RegExp): Generator<number> {
  for (const match of text.matchAll(pattern)) {
    const at = match.index + (/\s/.test(match[0]) ? 0 : match[0].length);
    if (at > 0) yield at;
  }
}

/**
 * The last point that fits. The search starts at the first point and doubles its step, so it never renders a text much
 * longer than the one that fits.
 *
 * @param ascending after a point that does not fit, no other fits
 */
const longestFitting = (ascending: Iterable<number>, fits: (at: number) => boolean): number | undefined => {
  const left = Iterator.from(ascending);
  const points: number[] = [];
  const fitsAt = (index: number): boolean => {
    while (points.length <= index) {
      const { value, done } = left.next();
      if (done) return false;
      points.push(value);
    }
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
  { id, url, created_at: created, metrics, author, in_reply_to: parent, mentions, styles, decorations }: Post,
  text: string,
  links: Post['links'],
): Post => ({
  id,
  url,
  text,
  metrics,
  media: [],
  mentions,
  hashtags: [],
  cashtags: [],
  links,
  ...(created !== undefined && { created_at: created }),
  ...(author !== undefined && { author }),
  ...(parent !== undefined && { in_reply_to: parent }),
  ...(styles !== undefined && { styles }),
  ...(decorations !== undefined && { decorations }),
});

/** Offsets between characters, never within a surrogate pair. */
function* characterEnds(text: string): Generator<number> {
  let end = 0;
  for (const character of text) {
    end += character.length;
    yield end;
  }
}

/** A better boundary wins if it keeps at least this share of the text that a worse one would keep. */
const MIN_KEPT_FRACTION = 0.5;

/**
 * The longest beginning that fits. It ends after a paragraph, else a sentence, else a word, else a character.
 *
 * @param fits `isWithinWord`: the end splits a word, which may be a URL
 */
export const truncateText = (
  text: string,
  fits: (shorter: string, isWithinWord: boolean) => boolean,
): { readonly text: string; readonly isWithinWord: boolean } | undefined => {
  const fitting = BOUNDARIES.map((pattern) =>
    longestFitting(cutPoints(text, pattern), (end) => fits(`${text.slice(0, end)} …`, false)),
  );
  const longest = Math.max(...fitting.map((end) => end ?? 0));
  const end = fitting.find((candidate) => candidate !== undefined && candidate >= longest * MIN_KEPT_FRACTION);
  if (end !== undefined) return { text: `${text.slice(0, end)} …`, isWithinWord: false };
  const at = longestFitting(characterEnds(text), (end) => fits(`${text.slice(0, end)}…`, true));
  return at === undefined ? undefined : { text: `${text.slice(0, at)}…`, isWithinWord: true };
};

/** Finds the links once. Otherwise every attempted beginning would be searched for all of them. */
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
  const withText = (beginning: string, isWithinWord: boolean): Post =>
    withoutAttachments(post, beginning, isWithinWord ? [] : linksWithin(beginning.length));
  const shorter = truncateText(text, (beginning, isWithinWord) => fits(withText(beginning, isWithinWord)));
  return shorter === undefined ? undefined : withText(shorter.text, shorter.isWithinWord);
};

const truncateArticle = (post: Post, article: Article, fits: (shorter: Post) => boolean): Post | undefined => {
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
  const beginning = first !== undefined && 'spans' in first ? spansText(first.spans) : (preview ?? '');
  return truncatePostText({ ...post, text: `${title}\n\n${beginning}`, styles: [], decorations: [], links: [] }, fits);
};

/** The beginning of the text under the handle of the author. An empty text always fits. */
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
      ? truncateArticle(post, article, fits)
      : truncatePostText(post, fits);
  return shorter ?? shortest(post, fits);
};
