// Markdown within a token budget (`max_tokens`): cut between posts; if the post itself is too long, it
// is shortened in the model and rendered again, so that fences and links are closed by construction.
import { warning } from '../contract/warnings.ts';
import type { Conversation, Warning } from '../model/conversation.ts';
import type { Article, Post } from '../model/post.ts';
import { createInk, type Ink } from './escape.ts';
import { documentOf, focalItem, type Item, itemsOf, type Section, titleOf } from './post.ts';
import { counted } from './words.ts';

export const BYTES_PER_TOKEN = 4;

export interface Budgeted {
  readonly markdown: string;
  readonly warning?: Warning;
}

const bytes = (text: string): number => Buffer.byteLength(text);

const notice = (what: string): string => `*Truncated: ${what}. Ask again with a larger max_tokens for the rest.*\n`;

const truncated = (document: string, what: string): Budgeted => ({
  markdown: `${document}\n${notice(what)}`,
  warning: warning('truncated', `The Markdown was cut to fit max_tokens: ${what}.`),
});

/** At most what a section's heading, and an item's gap, cost beyond the items. */
const SECTION_BYTES = 32;
const GAP_BYTES = 8;

/** Posts are kept in this order of worth and shown in reading order. */
const worth: readonly Section[] = ['thread', 'ancestors', 'replies'];

const byWorth = (items: readonly Item[]): readonly Item[] =>
  worth.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return section === 'ancestors' ? own.reverse() : own; // the nearest ancestor says most
  });

const keepWhole = (items: readonly Item[], focal: Item, limit: number): readonly Item[] => {
  const kept = new Set<Item>([...items.filter(({ section }) => section === 'title'), focal]);
  const begun = new Set<Section>();
  let used = bytes(documentOf([...kept]));
  for (const item of byWorth(items)) {
    used += bytes(item.markdown) + (begun.has(item.section) ? GAP_BYTES : SECTION_BYTES);
    if (used > limit) break;
    begun.add(item.section);
    kept.add(item);
  }
  return items.filter((item) => kept.has(item));
};

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

const longestFitting = (points: readonly number[], fits: (at: number) => boolean): number | undefined => {
  let low = 0;
  let high = points.length - 1;
  let best: number | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = points[middle];
    if (at !== undefined && fits(at)) {
      best = at;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
};

const bare = (
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
const WORTHWHILE = 0.5;

const shortenText = (post: Post, fits: (shorter: Post) => boolean): Post | undefined => {
  const { text, links } = post;
  const whole = bare(post, text, links);
  if (fits(whole)) return whole;
  const fitting = BOUNDARIES.map((pattern) =>
    longestFitting(cutPoints(text, pattern), (end) => fits(bare(post, `${text.slice(0, end)} …`, links))),
  );
  const most = Math.max(...fitting.map((end) => end ?? 0));
  const end = fitting.find((candidate) => candidate !== undefined && candidate >= most * WORTHWHILE);
  if (end !== undefined) return bare(post, `${text.slice(0, end)} …`, links);
  const at = longestFitting(characterEnds(text), (end) => fits(bare(post, `${text.slice(0, end)}…`, [])));
  return at === undefined ? undefined : bare(post, `${text.slice(0, at)}…`, []);
};

const shortenArticle = (post: Post, article: Article, fits: (shorter: Post) => boolean): Post | undefined => {
  const { title, blocks, preview_text: preview } = article;
  const withBlocks = (count: number): Post => ({
    ...bare(post, post.text, post.links),
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
  return shortenText({ ...post, text: `${title}\n\n${words}`, links: [] }, fits);
};

/** The post with nothing but its first words, under a handle for a name: this always fits. */
const shortest = (post: Post, fits: (shorter: Post) => boolean): Post => {
  const { author, in_reply_to: _parent, ...rest } = bare(post, post.text, []);
  const plain: Post = {
    ...rest,
    metrics: { likes: null, reposts: null, replies: null, quotes: null, bookmarks: null, views: null },
    ...(author !== undefined && { author: { handle: author.handle, name: author.handle, url: author.url } }),
  };
  return shortenText(plain, fits) ?? { ...plain, text: '' };
};

const shortenPost = (post: Post, fits: (shorter: Post) => boolean): Post => {
  const { article } = post;
  const shorter =
    article !== undefined && article.blocks.length > 0 ? shortenArticle(post, article, fits) : shortenText(post, fits);
  return shorter ?? shortest(post, fits);
};

const shortenFocal = (ink: Ink, conversation: Conversation, rest: number, limit: number): Budgeted => {
  const others = rest > 0 ? `, and ${counted(rest, 'post')} of the conversation left out` : '';
  const cut = `the post was cut short, without its pictures, quotes and cards${others}`;
  const kept = `pictures, quotes and cards of the post were left out${others}`;
  const alone = (post: Post): Conversation => ({ post, ancestors: [], thread: [], replies: [] });
  const render = (with_: Ink, post: Post): string =>
    documentOf([titleOf(with_, alone(post)), focalItem(with_, alone(post))]);
  const fits = (post: Post): boolean => bytes(`${render(createInk(ink.dialect), post)}\n${notice(cut)}`) <= limit;
  const shorter = shortenPost(conversation.post, fits);
  ink.removed = 0; // what was counted before is not in this document
  return truncated(
    render(ink, shorter),
    shorter.text === conversation.post.text && shorter.article === undefined ? kept : cut,
  );
};

export interface Extent {
  /** @default no bound */
  readonly maxTokens?: number | undefined;
  /** What stands before the Markdown and counts as well. */
  readonly before?: string;
  /** A line about what is missing, for who reads nothing but Markdown. */
  readonly note?: string;
}

export const conversationMarkdown = (
  ink: Ink,
  conversation: Conversation,
  { maxTokens, before = '', note = '' }: Extent = {},
): Budgeted => {
  const items = itemsOf(ink, conversation, note);
  const document = documentOf(items);
  if (maxTokens === undefined) return { markdown: document };
  const limit = maxTokens * BYTES_PER_TOKEN - bytes(before);
  if (bytes(document) <= limit) return { markdown: document };
  const focal = items.find(({ section }) => section === 'post');
  const around = items.filter(({ section }) => section !== 'post' && section !== 'title').length;
  const describe = (left: number): string => `${counted(left, 'post')} of the conversation left out`;
  const room = limit - bytes(notice(describe(around))) - 1;
  if (focal === undefined || bytes(documentOf([titleOf(createInk(ink.dialect), conversation), focal])) > room) {
    return shortenFocal(ink, conversation, around, limit);
  }
  const kept = keepWhole(items, focal, room);
  return truncated(documentOf(kept), describe(items.length - kept.length));
};
